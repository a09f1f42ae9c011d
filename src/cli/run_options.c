/* Parses and checks the command line of `trammel run`; prints its help. */
#include "cli/run_options.h"
#include "cli/cli.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_SECONDS = 256,
    OPTION_STEPS,
    OPTION_HERTZ,
    OPTION_SUBSTEPS,
    OPTION_METHOD,
    OPTION_SWEEPS,
    OPTION_DIRECT_LOAD,
    OPTION_GRAVITY,
    OPTION_THREADS,
    OPTION_ISA,
    OPTION_OUT,
    OPTION_EVERY,
    OPTION_FRAMES,
    OPTION_KEY_FRAMES,
    OPTION_ANIMATE,
    OPTION_VIEW,
    OPTION_FOLLOW,
    OPTION_COLOR,
    OPTION_SIZE,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_HELP
};

void cli_run_help(FILE *stream)
{
    fputs("Simulates a scene, prints a table of results, and writes trajectories and pictures.\n"
          "\n"
          "Usage: trammel run SCENE [OPTIONS]\n"
          "\n"
          "SCENE is a file of Trammel's JSON or of R.U.B.E.'s, '-' for standard input, or a generated scene and its\n"
          "size, such as grid:100 ('trammel generate --help' lists the kinds).\n"
          "\n"
          "Simulation:\n"
          "  -s, --seconds S      time to simulate; 10\n"
          "  -n, --steps N        the same in steps; 0 only reports\n"
          "      --hertz H        steps per second; the scene's\n"
          "      --substeps N     sub-steps of each step, 1 to 1024; the scene's\n"
          "      --method M       soft_step, small_step, position_based or sequential_impulses; the scene's\n"
          "      --sweeps N       over the joints in each sub-step, 0 (the method's own) to 1024; the scene's\n"
          "      --direct-load L  trees of revolutes, rigid welds, distances, prismatics, lines and wheels are\n"
          "                       solved exactly if a body carries more than L times its mass; 0: every tree, inf:\n"
          "                       none; the scene's\n"
          "      --gravity X,Y    m/s^2; the scene's\n"
          "  -t, --threads T      0 is automatic: the physical cores that this process may use; 0\n"
          "      --isa I          scalar, sse2, avx2, avx512 or neon; the widest, or $TRAMMEL_ISA\n"
          "                       threads and instruction set change the time, never the result\n"
          "\n"
          "Results:\n"
          "      --json           one JSON object instead of the table (keys: docs/program.md)\n"
          "  -q, --quiet          no table and no progress bar\n"
          "  -o, --out FILE       write FILE; as often as you like. What it is, its name says:\n"
          "        .csv           trajectory: step,time,body,name,x,y,angle,vx,vy,w (m, rad, m/s, rad/s)\n"
          "        .npy           trajectory: NumPy array of doubles (frames, bodies, 6): x,y,angle,vx,vy,w\n"
          "        .png .svg      a strip of frames\n"
          "        .anim.svg      a picture that moves, for a browser\n"
          "                       files are tried before the first step and are complete or absent\n"
          "      --every K        trajectories: every K-th step; 1\n"
          "\n"
          "Pictures:\n"
          "      --frames N       frames of a strip, 1 to 100; 6\n"
          "      --key-frames N   places of each body in a moving picture, 2 to 1000; 60, fewer in large scenes\n"
          "      --animate        every .svg is a moving picture\n"
          "      --view V         follow: the window moves with the bodies it shows (default);\n"
          "                       fixed: one window over all frames; all: every moving body\n"
          "      --follow NAME    look at the bodies that hang together with this one ('#7': the body of index 7)\n"
          "      --color C        joints by type, force (logarithmic) or graph (the solver's batches);\n"
          "                       type, and force above 1000 joints\n"
          "      --size WxH       pixels; 1440 wide, a moving picture 960, and as high as it needs\n"
          "  -h, --help           this text\n"
          "\n"
          "Examples:\n"
          "  trammel run truck.json --out truck.png --out truck.anim.svg\n"
          "  trammel run machine.json --seconds 2 --gravity 0,0 --out path.csv --every 6\n"
          "  trammel run grid:100 --threads 1 --isa avx2 --steps 500 --json | jq .ns_per_joint_step\n"
          "\n"
          "Exit codes: 0 done; 1 failed (file, scene, memory, instruction set); 2 wrong command line;\n"
          "3 the simulation ended with bodies that are not finite; 130 interrupted, nothing written.\n",
          stream);
}

/* the index of a text in a list, or -1 */
static int find_name(const char *text, const char *const *names, int count)
{
    for (int i = 0; i < count; ++i) {
        if (strcmp(text, names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static int read_isa(run_options *o, const char *text)
{
    if (!tr_isa_from_name(text, &o->isa)) {
        return cli_misuse("run", "--isa: there is no instruction set '%s' (scalar, sse2, avx2, avx512, neon)", text);
    }
    o->has_isa = true;
    return CLI_OK;
}

static int read_size(run_options *o, const char *text)
{
    double pair[2];
    if (!cli_parse_pair(text, 'x', 64.0, 16384.0, pair) || pair[0] != (uint32_t)pair[0] ||
        pair[1] != (uint32_t)pair[1]) {
        return cli_misuse("run", "--size: '%s' is not WIDTHxHEIGHT, each 64 to 16384", text);
    }
    o->size[0] = (uint32_t)pair[0];
    o->size[1] = (uint32_t)pair[1];
    return CLI_OK;
}

static int add_output(run_options *o, const char *path)
{
    output_kind kind = output_kind_of(path);
    if (kind == OUTPUT_UNKNOWN) {
        return cli_misuse("run", "--out: what is '%s' to hold? .csv .npy .png .svg .anim.svg are known", path);
    }
    o->outputs[o->output_count++] = (output){.path = path, .kind = kind};
    return CLI_OK;
}

static int bad_number(const char *option, const char *text, const char *wanted)
{
    return cli_misuse("run", "--%s: '%s' is not %s", option, text, wanted);
}

static int read_method(run_options *o, const char *text)
{
    const char *names[TR_METHOD_COUNT];
    for (int i = 0; i < TR_METHOD_COUNT; ++i) {
        names[i] = tr_method_name((tr_method)i);
    }
    int chosen = find_name(text, names, TR_METHOD_COUNT);
    o->method = chosen >= 0 ? (tr_method)chosen : TR_SOFT_STEP;
    return chosen >= 0 ? CLI_OK
                       : bad_number("method", text, "soft_step, small_step, position_based or sequential_impulses");
}

/* options that take a number */
static int read_number(run_options *o, int option, const char *text)
{
    switch (option) {
    case OPTION_SECONDS:
        o->has_seconds = true;
        return cli_parse_real(text, 0.0, 1e9, &o->seconds)
                   ? CLI_OK
                   : bad_number("seconds", text, "a time in seconds, from 0 to 1e9");
    case OPTION_STEPS:
        o->has_steps = true;
        return cli_parse_count(text, 0, INT32_MAX, &o->steps) ? CLI_OK
                                                              : bad_number("steps", text, "a whole number from 0");
    case OPTION_HERTZ:
        o->has_hertz = true;
        return cli_parse_real(text, 1e-3, 1e6, &o->hertz) ? CLI_OK
                                                          : bad_number("hertz", text, "a rate from 0.001 to 1000000");
    case OPTION_SUBSTEPS:
        o->has_substeps = true;
        return cli_parse_count(text, 1, 1024, &o->substeps)
                   ? CLI_OK
                   : bad_number("substeps", text, "a whole number from 1 to 1024");
    case OPTION_SWEEPS:
        o->has_sweeps = true;
        return cli_parse_count(text, 0, 1024, &o->sweeps)
                   ? CLI_OK
                   : bad_number("sweeps", text, "a whole number from 0 (the method's own) to 1024");
    case OPTION_DIRECT_LOAD:
        o->has_direct_load = true;
        o->direct_load = INFINITY;
        return strcmp(text, "inf") == 0 || cli_parse_real(text, 0.0, 1e30, &o->direct_load)
                   ? CLI_OK
                   : bad_number("direct-load", text, "a number from 0, or inf");
    case OPTION_THREADS:
        return cli_parse_count(text, 0, 1024, &o->threads)
                   ? CLI_OK
                   : bad_number("threads", text, "a whole number from 0 (automatic) to 1024");
    case OPTION_EVERY:
        return cli_parse_count(text, 1, INT32_MAX, &o->recording.every)
                   ? CLI_OK
                   : bad_number("every", text, "a whole number from 1");
    case OPTION_FRAMES:
        return cli_parse_count(text, 1, 100, &o->recording.strip_frames)
                   ? CLI_OK
                   : bad_number("frames", text, "a whole number from 1 to 100");
    default:
        return cli_parse_count(text, 2, 1000, &o->recording.key_frames)
                   ? CLI_OK
                   : bad_number("key-frames", text, "a whole number from 2 to 1000");
    }
}

static int read_option(run_options *o, int option, char **argv)
{
    static const char *const views[] = {"follow", "fixed", "all"};
    static const char *const colors[] = {"type", "force", "graph"};
    int chosen = 0;
    switch (option) {
    case OPTION_SECONDS:
    case OPTION_STEPS:
    case OPTION_HERTZ:
    case OPTION_SUBSTEPS:
    case OPTION_SWEEPS:
    case OPTION_DIRECT_LOAD:
    case OPTION_THREADS:
    case OPTION_EVERY:
    case OPTION_FRAMES:
    case OPTION_KEY_FRAMES:
        return read_number(o, option, optarg);
    case OPTION_GRAVITY:
        o->has_gravity = true;
        return cli_parse_pair(optarg, ',', -1e6, 1e6, o->gravity)
                   ? CLI_OK
                   : bad_number("gravity", optarg, "X,Y in m/s^2, such as 0,-9.81");
    case OPTION_METHOD:
        o->has_method = true;
        return read_method(o, optarg);
    case OPTION_ISA:
        return read_isa(o, optarg);
    case OPTION_OUT:
        return add_output(o, optarg);
    case OPTION_VIEW:
        chosen = find_name(optarg, views, 3);
        o->view = chosen >= 0 ? (view_kind)chosen : VIEW_FOLLOW;
        return chosen >= 0 ? CLI_OK : bad_number("view", optarg, "follow, fixed or all");
    case OPTION_COLOR:
        chosen = find_name(optarg, colors, 3);
        o->recording.color = chosen >= 0 ? (color_mode)chosen : COLOR_TYPE;
        o->has_color = true;
        return chosen >= 0 ? CLI_OK : bad_number("color", optarg, "type, force or graph");
    case OPTION_SIZE:
        return read_size(o, optarg);
    case OPTION_FOLLOW:
        o->follow = optarg;
        return CLI_OK;
    case OPTION_ANIMATE:
        o->animate = true;
        return CLI_OK;
    case OPTION_JSON:
        o->json = true;
        return CLI_OK;
    case OPTION_QUIET:
        o->quiet = true;
        return CLI_OK;
    case OPTION_HELP:
        o->help = true;
        return CLI_OK;
    default:
        return cli_bad_option("run", argv, option);
    }
}

/* the long option that is equivalent to a short one */
static int long_of(int option)
{
    static const int pairs[][2] = {{'s', OPTION_SECONDS}, {'n', OPTION_STEPS}, {'t', OPTION_THREADS},
                                   {'o', OPTION_OUT},     {'q', OPTION_QUIET}, {'h', OPTION_HELP}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        if (pairs[i][0] == option) {
            return pairs[i][1];
        }
    }
    return option;
}

/* checks options that exclude or require each other */
static int check_together(run_options *o)
{
    if (o->has_seconds && o->has_steps) {
        return cli_misuse("run", "--seconds and --steps say the same thing: one of them");
    }
    for (uint32_t i = 0; i < o->output_count; ++i) {
        if (o->animate && o->outputs[i].kind == OUTPUT_SVG) {
            o->outputs[i].kind = OUTPUT_ANIMATED;
        }
        bool needs_cairo = o->outputs[i].kind == OUTPUT_SVG || o->outputs[i].kind == OUTPUT_PNG;
        if (needs_cairo && !picture_available()) {
            return cli_fail("%s: this program was built without pictures (TRAMMEL_WITH_PICTURES=OFF); "
                            ".anim.svg, .csv and .npy can be written",
                            o->outputs[i].path);
        }
    }
    return CLI_OK;
}

/* resolves the output paths and checks that they differ */
static int resolve_outputs(run_options *o)
{
    for (uint32_t i = 0; i < o->output_count; ++i) {
        if (!output_resolve(&o->outputs[i])) {
            return CLI_FAILED;
        }
        for (uint32_t k = 0; k < i; ++k) {
            const char *path = o->outputs[i].path, *other = o->outputs[k].path;
            if (strcmp(path, other) == 0) {
                return cli_misuse("run", "--out: '%s' is there twice", path);
            }
            if (strcmp(o->outputs[i].target, o->outputs[k].target) == 0) {
                return cli_misuse("run", "--out: '%s' and '%s' are one file", other, path);
            }
        }
    }
    return CLI_OK;
}

int run_options_read(run_options *o, int argc, char **argv)
{
    static const struct option options[] = {
        {"seconds", required_argument, NULL, OPTION_SECONDS},
        {"steps", required_argument, NULL, OPTION_STEPS},
        {"hertz", required_argument, NULL, OPTION_HERTZ},
        {"substeps", required_argument, NULL, OPTION_SUBSTEPS},
        {"gravity", required_argument, NULL, OPTION_GRAVITY},
        {"threads", required_argument, NULL, OPTION_THREADS},
        {"method", required_argument, NULL, OPTION_METHOD},
        {"sweeps", required_argument, NULL, OPTION_SWEEPS},
        {"direct-load", required_argument, NULL, OPTION_DIRECT_LOAD},
        {"isa", required_argument, NULL, OPTION_ISA},
        {"out", required_argument, NULL, OPTION_OUT},
        {"every", required_argument, NULL, OPTION_EVERY},
        {"frames", required_argument, NULL, OPTION_FRAMES},
        {"key-frames", required_argument, NULL, OPTION_KEY_FRAMES},
        {"animate", no_argument, NULL, OPTION_ANIMATE},
        {"view", required_argument, NULL, OPTION_VIEW},
        {"follow", required_argument, NULL, OPTION_FOLLOW},
        {"color", required_argument, NULL, OPTION_COLOR},
        {"size", required_argument, NULL, OPTION_SIZE},
        {"json", no_argument, NULL, OPTION_JSON},
        {"quiet", no_argument, NULL, OPTION_QUIET},
        {"help", no_argument, NULL, OPTION_HELP},
        {NULL, 0, NULL, 0},
    };
    o->recording = (recording_options){.every = 1, .strip_frames = 6, .key_frames = 0, .color = COLOR_TYPE};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":s:n:t:o:qh", options, NULL)) != -1;) {
        int code = read_option(o, long_of(option), argv);
        if (code != CLI_OK || o->help) {
            return code;
        }
    }
    if (argc - optind != 1) {
        return cli_misuse("run", argc == optind ? "which scene?" : "one scene at a time; '%s' is one too many",
                          argc == optind ? "" : argv[optind + 1]);
    }
    o->source = argv[optind];
    int code = check_together(o);
    return code == CLI_OK ? resolve_outputs(o) : code;
}
