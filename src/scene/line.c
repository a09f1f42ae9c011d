#include "scene/line.h"

#ifdef TR_WITH_SCENES

void tr2_put_key(tr2_line *out, const char *key)
{
    tr_text_append(out->text, out->started ? ", \"" : "{\"");
    tr_text_append(out->text, key);
    tr_text_append(out->text, "\": ");
    out->started = true;
}

void tr2_put_end(tr2_line *out)
{
    tr_text_append(out->text, out->started ? "}" : "{}");
}

void tr2_put_string(tr2_line *out, const char *key, const char *value)
{
    if (value == NULL || *value == '\0')
        return;
    tr2_put_key(out, key);
    tr_text_string(out->text, value);
}

void tr2_put_word(tr2_line *out, const char *key, const char *word)
{
    tr2_put_key(out, key);
    tr_text_append(out->text, "\"");
    tr_text_append(out->text, word);
    tr_text_append(out->text, "\"");
}

void tr2_put_bool(tr2_line *out, const char *key, bool value)
{
    tr2_put_key(out, key);
    tr_text_append(out->text, value ? "true" : "false");
}

void tr2_put_float(tr2_line *out, const char *key, float value)
{
    tr2_put_key(out, key);
    tr_text_float(out->text, value);
}

void tr2_put_double(tr2_line *out, const char *key, double value)
{
    tr2_put_key(out, key);
    tr_text_double(out->text, value);
}

void tr2_append_vec2(tr_text *text, tr_vec2 value)
{
    tr_text_append(text, "[");
    tr_text_float(text, value.x);
    tr_text_append(text, ", ");
    tr_text_float(text, value.y);
    tr_text_append(text, "]");
}

void tr2_put_vec2(tr2_line *out, const char *key, tr_vec2 value)
{
    tr2_put_key(out, key);
    tr2_append_vec2(out->text, value);
}

void tr2_put_dvec2(tr2_line *out, const char *key, tr_dvec2 value)
{
    tr2_put_key(out, key);
    tr_text_append(out->text, "[");
    tr_text_double(out->text, value.x);
    tr_text_append(out->text, ", ");
    tr_text_double(out->text, value.y);
    tr_text_append(out->text, "]");
}

void tr2_put_bits(tr2_line *out, const char *key, uint64_t value)
{
    bool quoted = value > ((uint64_t)1 << 53);
    tr2_put_key(out, key);
    tr_text_append(out->text, quoted ? "\"" : "");
    tr_text_u64(out->text, value);
    tr_text_append(out->text, quoted ? "\"" : "");
}

void tr2_put_user_data(tr2_line *out, uint64_t value)
{
    if (value != 0)
        tr2_put_bits(out, "user_data", value);
}

#endif
