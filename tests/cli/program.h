/* For tests of the program: running it, and reading the JSON that it prints. */
#ifndef TR_TESTS_CLI_PROGRAM_H
#define TR_TESTS_CLI_PROGRAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* What a run of the program left: its exit code and its streams. */
typedef struct outcome {
    int code; /* -1: it did not exit by itself */
    char *out, *err;
    size_t out_size;
} outcome;

static char program_folder[] = "/tmp/trammel-cli-XXXXXX";

/* What fontconfig keeps until the end of a process is not the program's leak. */
static inline bool excuse_fontconfig(void)
{
    FILE *file = fopen("leaks.txt", "w");
    if (file == NULL || fputs("leak:libfontconfig\n", file) < 0 || fclose(file) != 0) {
        return false;
    }
    const char *before = getenv("LSAN_OPTIONS");
    char options[1024];
    snprintf(options, sizeof options, "%s%ssuppressions=%s/leaks.txt:print_suppressions=0",
             before != NULL ? before : "", before != NULL ? ":" : "", program_folder);
    return setenv("LSAN_OPTIONS", options, 1) == 0;
}

/* Group setup and teardown: a folder of the test's own, which is the working directory. */
static inline int enter_folder(void **state)
{
    (void)state;
    bool entered = mkdtemp(program_folder) != NULL && chdir(program_folder) == 0;
    return entered && excuse_fontconfig() ? 0 : -1;
}

static inline int leave_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", program_folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

/* A whole file with a zero byte behind it; null where it cannot be read. */
static inline char *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    size_t capacity = 1u << 16, used = 0;
    char *text = malloc(capacity + 1);
    for (size_t got; text != NULL && (got = fread(text + used, 1, capacity - used, file)) > 0;) {
        used += got;
        if (used == capacity) {
            capacity *= 2;
            text = realloc(text, capacity + 1);
        }
    }
    fclose(file);
    assert_non_null(text);
    text[used] = 0;
    if (size != NULL) {
        *size = used;
    }
    return text;
}

/* Runs `before TR_PROGRAM arguments` in a shell; `before` may feed its input. */
static inline outcome run_with(const char *before, const char *arguments)
{
    char command[4096];
    int length = snprintf(command, sizeof command, "%s '%s' %s >out.txt 2>err.txt", before, TR_PROGRAM, arguments);
    assert_in_range(length, 1, sizeof command - 1);
    int status = system(command);
    outcome o = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1};
    o.out = read_whole("out.txt", &o.out_size);
    o.err = read_whole("err.txt", NULL);
    assert_non_null(o.out);
    assert_non_null(o.err);
    return o;
}

static inline outcome run(const char *arguments)
{
    return run_with("", arguments);
}

static inline void outcome_free(outcome *o)
{
    free(o->out);
    free(o->err);
}

/* Runs and expects an exit code and a phrase on stderr (null: nothing at all there). */
static inline void expect(const char *arguments, int code, const char *phrase)
{
    outcome o = run(arguments);
    if (o.code != code || (phrase != NULL ? strstr(o.err, phrase) == NULL : o.err[0] != 0)) {
        fail_msg("trammel %s: exit code %d (expected %d), stderr: %s", arguments, o.code, code, o.err);
    }
    outcome_free(&o);
}

static inline bool file_exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

/*
 * JSON, strictly: a value is skipped, null where it is malformed.
 */
static inline const char *json_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static inline const char *json_text(const char *at)
{
    if (*at++ != '"') {
        return NULL;
    }
    while (*at != '"') {
        if ((unsigned char)*at < 0x20) {
            return NULL;
        }
        if (*at == '\\') {
            ++at;
            if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") < 4) {
                return NULL;
            }
            if (*at == 0 || strchr("\"\\/bfnrtu", *at) == NULL) {
                return NULL;
            }
        }
        ++at;
    }
    return at + 1;
}

static inline const char *json_skip(const char *at)
{
    at = json_space(at);
    if (*at == '"') {
        return json_text(at);
    }
    if (*at == '{' || *at == '[') {
        char close = *at == '{' ? '}' : ']';
        at = json_space(at + 1);
        if (*at == close) {
            return at + 1;
        }
        for (;;) {
            if (close == '}') {
                at = json_text(json_space(at));
                at = at != NULL ? json_space(at) : NULL;
                if (at == NULL || *at++ != ':') {
                    return NULL;
                }
            }
            at = json_skip(at);
            if (at == NULL) {
                return NULL;
            }
            at = json_space(at);
            if (*at == close) {
                return at + 1;
            }
            if (*at++ != ',') {
                return NULL;
            }
        }
    }
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < 3; ++i) {
        if (strncmp(at, words[i], strlen(words[i])) == 0) {
            return at + strlen(words[i]);
        }
    }
    const char *digits = at + (*at == '-');
    if (*digits < '0' || *digits > '9') {
        return NULL;
    }
    char *end;
    strtod(at, &end);
    return end;
}

static inline bool json_is_valid(const char *text)
{
    const char *end = json_skip(text);
    return end != NULL && *json_space(end) == 0;
}

/* The value at a path of keys such as "step_ms.median" in a valid object; null where there is none. */
static inline const char *json_find(const char *text, const char *path)
{
    const char *at = json_space(text);
    size_t length = strcspn(path, ".");
    if (*at != '{') {
        return NULL;
    }
    for (at = json_space(at + 1); *at == '"';) {
        bool found = strncmp(at + 1, path, length) == 0 && at[1 + length] == '"';
        const char *value = json_space(json_space(json_text(at)) + 1);
        if (found) {
            return path[length] == '.' ? json_find(value, path + length + 1) : value;
        }
        at = json_space(json_skip(value));
        at = *at == ',' ? json_space(at + 1) : at;
    }
    return NULL;
}

/* A number at a path; fails the test where there is none. */
static inline double json_number(const char *text, const char *path)
{
    const char *value = json_find(text, path);
    if (value == NULL || strchr("-0123456789", *value) == NULL) {
        fail_msg("no number at %s in %s", path, text);
    }
    return value != NULL ? strtod(value, NULL) : 0.0;
}

/* Whether two objects hold the same, byte for byte, at a path. */
static inline bool json_same(const char *a, const char *b, const char *path)
{
    const char *x = json_find(a, path), *y = json_find(b, path);
    if (x == NULL || y == NULL) {
        return false;
    }
    size_t length = (size_t)(json_skip(x) - x);
    return length == (size_t)(json_skip(y) - y) && memcmp(x, y, length) == 0;
}

#endif
