/* Writes trajectories as CSV (RFC 4180) and as NumPy arrays (format version 1.0). */
#include "cli/trajectory.h"

#include <string.h>

#define NPY_FIELDS    6
#define NPY_ALIGNMENT 64

/* writes the header, a Python literal, padded so that the data start at a multiple of 64 bytes */
static void begin_npy(FILE *stream, uint32_t frames, uint32_t bodies)
{
    const uint16_t probe = 1;
    unsigned char low;
    memcpy(&low, &probe, 1);

    char text[NPY_ALIGNMENT * 3];
    int length = snprintf(text, sizeof text, "{'descr': '%cf8', 'fortran_order': False, 'shape': (%u, %u, %d), }",
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

void trajectory_begin(output *o, const tr2_scene *scene, uint32_t frames)
{
    if (o->kind == OUTPUT_NPY) {
        begin_npy(o->stream, frames, scene->body_count);
    } else {
        fputs("step,time,body,name,x,y,angle,vx,vy,w\n", o->stream);
    }
}

void trajectory_frame(output *o, const tr2_scene *scene, uint32_t step, double time, const body_state *states)
{
    if (o->kind == OUTPUT_NPY) {
        _Static_assert(sizeof(body_state) == NPY_FIELDS * sizeof(double), "a state is a row of the array");
        fwrite(states, sizeof *states, scene->body_count, o->stream);
        return;
    }
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        const body_state *s = &states[i];
        fprintf(o->stream, "%u,%.17g,%u,", step, time, i);
        print_csv_name(o->stream, scene->bodies[i].name);
        /* digits enough to read back the same bits: 17 for doubles, 9 for floats (velocities) */
        fprintf(o->stream, ",%.17g,%.17g,%.17g,%.9g,%.9g,%.9g\n", s->x, s->y, s->angle, s->vx, s->vy, s->w);
    }
}
