/* Writes trajectories as CSV (RFC 4180) and as NumPy arrays (format version 1.0). */
#include "cli/core/trajectory.h"

#include <string.h>

#define NPY_FIELDS    (sizeof(trn_state) / sizeof(double))
#define NPY_ALIGNMENT 64

/* writes the header, a Python literal, padded so that the data start at a multiple of 64 bytes */
static void begin_npy(FILE *stream, uint32_t frames, uint32_t bodies)
{
    const uint16_t probe = 1;
    unsigned char low;
    memcpy(&low, &probe, 1);

    char text[NPY_ALIGNMENT * 3];
    int length = snprintf(text, sizeof text, "{'descr': '%cf8', 'fortran_order': False, 'shape': (%u, %u, %zu), }",
                          low == 1 ? '<' : '>', frames, bodies, NPY_FIELDS);
    size_t used = 10 + (size_t)length + 1;
    size_t padding = (NPY_ALIGNMENT - used % NPY_ALIGNMENT) % NPY_ALIGNMENT;
    size_t header = (size_t)length + padding + 1;
    const unsigned char opening[10] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(header & 0xff), (unsigned char)(header >> 8)};
    fwrite(opening, 1, sizeof opening, stream);
    fprintf(stream, "%s%*s\n", text, (int)padding, "");
}

/* writes a quoted name with its quotes doubled */
static void print_csv_name(FILE *stream, const char *name)
{
    if (name == NULL) {
        return;
    }
    fputc('"', stream);
    for (; *name != 0; ++name) {
        if (*name == '"') {
            fputc('"', stream);
        }
        fputc(*name, stream);
    }
    fputc('"', stream);
}

void trn_trajectory_begin(output *o, const trn_scene *scene, uint32_t frames)
{
    if (o->kind == OUTPUT_NPY) {
        begin_npy(o->stream, frames, scene->body_count);
    } else {
        fputs("step,time,body,name," TRN_STATE_COLUMNS "\n", o->stream);
    }
}

void trn_trajectory_frame(output *o, const trn_scene *scene, uint32_t step, double time, const trn_state *states)
{
    if (o->kind == OUTPUT_NPY) {
        fwrite(states, sizeof *states, scene->body_count, o->stream);
        return;
    }
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        double row[NPY_FIELDS];
        memcpy(row, &states[i], sizeof row);
        fprintf(o->stream, "%u,%.17g,%u,", step, time, i);
        print_csv_name(o->stream, scene->bodies[i].name);
        /* digits enough to read back the same bits: 17 for doubles, 9 for floats */
        for (size_t k = 0; k < NPY_FIELDS; ++k) {
            fprintf(o->stream, ",%.*g", k < TRN_STATE_PLACES ? 17 : 9, row[k]);
        }
        fputc('\n', o->stream);
    }
}
