/* Files made by other people, which may not be there. */
#ifndef TR_TESTS_SHARED_FILE_H
#define TR_TESTS_SHARED_FILE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Skips the test where there is no such file, but in CI. */
static inline void require_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        const char *ci = getenv("CI");
        if (ci != NULL && strcmp(ci, "true") == 0)
            fail_msg("%s is not there, and this is CI", path);
        print_message("skipped: %s is not there\n", path);
        skip();
    }
    fclose(file);
}

#endif
