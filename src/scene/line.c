#include "scene/line.h"

#ifdef TR_WITH_SCENES

const char *const tr_softness_words[TR_SOFTNESS_WORD_COUNT] = {
    [TR_RIGID] = "rigid", [TR_FREQUENCY] = "frequency", [TR_PHYSICAL] = "physical", [TR_RAW] = "raw"};
const char *const tr_softness_keys[TR_SOFTNESS_WORD_COUNT][2] = {[TR_RIGID] = {NULL, NULL},
                                                                 [TR_FREQUENCY] = {"frequency", "damping_ratio"},
                                                                 [TR_PHYSICAL] = {"stiffness", "damping"},
                                                                 [TR_RAW] = {"softness", "bias_factor"}};

void tr_put_key(tr_line *out, const char *key)
{
    tr_text_append(out->text, out->started ? ", \"" : "{\"");
    tr_text_append(out->text, key);
    tr_text_append(out->text, "\": ");
    out->started = true;
}

void tr_put_end(tr_line *out)
{
    tr_text_append(out->text, out->started ? "}" : "{}");
}

void tr_put_string(tr_line *out, const char *key, const char *value)
{
    if (value == NULL || *value == '\0')
        return;
    tr_put_key(out, key);
    tr_text_string(out->text, value);
}

void tr_put_word(tr_line *out, const char *key, const char *word)
{
    tr_put_key(out, key);
    tr_text_append(out->text, "\"");
    tr_text_append(out->text, word);
    tr_text_append(out->text, "\"");
}

void tr_put_bool(tr_line *out, const char *key, bool value)
{
    tr_put_key(out, key);
    tr_text_append(out->text, value ? "true" : "false");
}

void tr_put_float(tr_line *out, const char *key, float value)
{
    tr_put_key(out, key);
    tr_text_float(out->text, value);
}

void tr_put_double(tr_line *out, const char *key, double value)
{
    tr_put_key(out, key);
    tr_text_double(out->text, value);
}

void tr_append_floats(tr_text *text, const float *values, uint32_t count)
{
    tr_text_append(text, "[");
    for (uint32_t i = 0; i < count; i++) {
        tr_text_append(text, i > 0 ? ", " : "");
        tr_text_float(text, values[i]);
    }
    tr_text_append(text, "]");
}

void tr_put_floats(tr_line *out, const char *key, const float *values, uint32_t count)
{
    tr_put_key(out, key);
    tr_append_floats(out->text, values, count);
}

void tr_put_doubles(tr_line *out, const char *key, const double *values, uint32_t count)
{
    tr_put_key(out, key);
    tr_text_append(out->text, "[");
    for (uint32_t i = 0; i < count; i++) {
        tr_text_append(out->text, i > 0 ? ", " : "");
        tr_text_double(out->text, values[i]);
    }
    tr_text_append(out->text, "]");
}

void tr_put_bits(tr_line *out, const char *key, uint64_t value)
{
    bool quoted = value > ((uint64_t)1 << 53);
    tr_put_key(out, key);
    tr_text_append(out->text, quoted ? "\"" : "");
    tr_text_u64(out->text, value);
    tr_text_append(out->text, quoted ? "\"" : "");
}

void tr_put_user_data(tr_line *out, uint64_t value)
{
    if (value != 0)
        tr_put_bits(out, "user_data", value);
}

#endif
