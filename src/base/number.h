/* Numbers in messages. */
#ifndef TR_BASE_NUMBER_H
#define TR_BASE_NUMBER_H

#include <stdio.h>
#include <stdlib.h>

typedef struct tr_number_text {
    char text[32];
} tr_number_text;

/* A number with as few digits as tell it from its neighbours, but six where these do: so that one just outside of a
   range does not read as its end. A float is told from other floats. */
static inline tr_number_text tr_number(double value)
{
    static const int digits[] = {6, 9, 17};
    tr_number_text out;
    for (int i = 0; i < 3; i++) {
        snprintf(out.text, sizeof out.text, "%.*g", digits[i], value);
        double read = strtod(out.text, NULL);
        if (read == value || (digits[i] == 9 && (double)(float)value == value && (double)(float)read == value))
            break;
    }
    return out;
}

#endif
