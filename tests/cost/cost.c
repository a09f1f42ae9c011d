/*
 * Runs one kernel of joints alone, on two full blocks, so that callgrind can count its instructions:
 * scripts/instructions.
 *
 * Usage: trammel-cost KERNEL, on the instruction set that TRAMMEL_ISA names; without KERNEL it prints the compiler it
 * was built with, then the kernels. Exit codes: 2 no such kernel or set; 77 the set is not available here.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../kernel_rig.h"

#define TIMES 100

typedef struct costed {
    const char *name;
    uint32_t kernel;
    tr2_pass_kind pass;
} costed;

/* two plain passes of what there is most of, its features, the largest block, contacts */
static const costed kernels[] = {
    {"revolute.solve", 2 * TR2_JOINT_REVOLUTE, TR_PASS_SOLVE},
    {"revolute.relax", 2 * TR2_JOINT_REVOLUTE, TR_PASS_RELAX},
    {"revolute.featured.relax", 2 * TR2_JOINT_REVOLUTE + 1, TR_PASS_RELAX},
    {"weld.relax", 2 * TR2_JOINT_WELD, TR_PASS_RELAX},
    {"contact.solve", 2 * TR_CONTACT, TR_PASS_SOLVE},
};

/* what callgrind counts: it is told this function's name */
void trammel_costed(tr2_pass_fn *pass, const tr2_kernel_context *context, const tr2_blocks *blocks, float *places);

__attribute__((noinline)) void trammel_costed(tr2_pass_fn *pass, const tr2_kernel_context *context,
                                              const tr2_blocks *blocks, float *places)
{
    for (int i = 0; i < TIMES; i++)
        pass(context, blocks, 0, RIG_BLOCKS, places, RIG_PLACES);
}

/* full blocks of moving bodies: what is counted must not hang on random numbers */
static void fill_blocks(rig *r)
{
    rig_fill(r, 1);
    for (uint32_t b = 0; b < RIG_BLOCKS; b++) {
        for (int32_t i = 0; i < TR_LANES; i++) {
            r->block[b].bodies.a[i] = i;
            r->block[b].bodies.b[i] = TR_LANES + i;
            r->joint_rows[b * TR_LANES + (uint32_t)i] = b * TR_LANES + (uint32_t)i;
        }
        r->flags[b] = TR_BLOCK_CONTIGUOUS;
    }
}

static void run(const costed *it, tr_isa isa)
{
    static rig r;
    const tr2_joint_kernel *kernel = &tr2_kernels_of(isa)->joints[it->kernel];
    fill_blocks(&r);
    tr2_kernel_context context = rig_context(&r);
    tr2_blocks blocks = rig_blocks(&r);
    rig_prepare(&r, tr2_kernels_of(isa), it->kernel);
    trammel_costed(kernel->pass[it->pass], &context, &blocks, r.place[0][0]);
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("TRAMMEL_ISA");
    tr_isa isa = TR_ISA_SCALAR;
    if (argc < 2) {
        printf("compiler %s\n", __VERSION__);
        for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
            printf("%s\n", kernels[i].name);
        return 0;
    }
    if (wanted != NULL && !tr_isa_from_name(wanted, &isa))
        return 2;
    if (!tr_isa_available(isa))
        return 77;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (strcmp(kernels[i].name, argv[1]) == 0) {
            run(&kernels[i], isa);
            return 0;
        }
    }
    fprintf(stderr, "trammel-cost: no kernel %s\n", argv[1]);
    return 2;
}
