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
    OPTION_SLEEP,
    OPTION_NO_SLEEP,
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
    OPTION_CAMERA,
    OPTION_RESTORE,
    OPTION_COPIES,
    OPTION_SPACING,
    OPTION_SAVE,
    OPTION_SAVE_AT,
    OPTION_SCENE,
    OPTION_RECORD,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_HELP
};

void cli_run_help(FILE *stream)
{
    fputs(
        "Simulates a scene, prints a table of results, and writes trajectories and pictures.\n"
        "\n"
        "Usage: trammel run SCENE [OPTIONS]\n"
        "\n"
        "SCENE is a file of Trammel's JSON, in the plane or in space, or of R.U.B.E.'s, a robot in URDF or MJCF, '-'\n"
        "for standard input, or a generated scene and its size, such as grid:100 or sheet3d:30 ('trammel generate\n"
        "--help' lists the kinds).\n"
        "\n"
        "Simulation:\n"
        "  -s, --seconds S      time to simulate; 10\n"
        "  -n, --steps N        the same in steps; 0 only reports, without a plan\n"
        "      --copies N       N copies of the scene in one world, in a row, in space in a square\n"
        "      --spacing M      metres between them; as far as the bodies reach, and 2\n"
        "      --hertz H        steps per second; the scene's\n"
        "      --substeps N     sub-steps of each step, 1 to 1024; the scene's\n"
        "      --method M       soft_step, small_step, position_based, sequential_impulses or direct; the scene's\n"
        "      --sweeps N       over the joints in each sub-step, 0 (the method's own) to 1024; the scene's\n"
        "      --direct-load L  islands are solved directly if a body carries more than L times its mass; 0: all\n"
        "                       that have joints, inf: none; the scene's\n"
        "      --gravity X,Y    m/s^2; the scene's. In space X,Y,Z\n"
        "      --sleep, --no-sleep  whether bodies at rest sleep; the scene's, by default they do\n"
        "  -t, --threads T      0 is automatic: the physical cores that this process may use; 0\n"
        "      --isa I          scalar, sse2, avx2, avx512 or neon; the widest, or $TRAMMEL_ISA\n"
        "                       threads and instruction set change the time, never the result\n"
        "\n"
        "Results:\n"
        "      --json           one JSON object instead of the table (keys: docs/program.md)\n"
        "  -q, --quiet          no table and no progress bar\n"
        "  -o, --out FILE       write FILE; as often as you like. What it is, its name says:\n"
        "        .csv           trajectory: step,time,body,name,x,y,angle,vx,vy,w,asleep (m, rad,\n"
        "                       m/s, rad/s, 0 or 1); in space x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz,asleep\n"
        "                       (q: unit quaternion)\n"
        "        .npy           trajectory: NumPy array of doubles (frames, bodies, 7): x,y,angle,vx,vy,w,asleep;\n"
        "                       in space (frames, bodies, 14)\n"
        "        .png .svg      a strip of frames\n"
        "        .anim.svg      a picture that moves, for a browser\n"
        "                       paths are tried before all else; files are complete or absent\n"
        "      --every K        trajectories: every K-th step; 1\n",
        stream);
    fputs("\n"
          "Snapshots and logs (docs/snapshots.md, docs/netcode.md):\n"
          "      --save FILE      write a snapshot of the world: after the last step, or\n"
          "      --save-at N      after step N, 0 is before the first\n"
          "      --restore FILE   instead of SCENE: go on from a snapshot, with the same bits as the world that it is "
          "of;\n"
          "                       in steps as its last one was, or --hertz and --substeps\n"
          "      --scene FILE     write the world after the last step as a scene, in Trammel's JSON\n"
          "      --record FILE    write a log of all calls, for 'trammel replay'; it has what was done before an\n"
          "                       interrupt, a failure or a crash\n"
          "\n"
          "Pictures:\n"
          "      --frames N       frames of a strip, 1 to 100; 6\n"
          "      --key-frames N   poses of each body in a moving picture, in space drawings, 2 to 1000; 60, fewer in\n"
          "                       large scenes\n"
          "      --animate        every .svg is a moving picture\n"
          "      --view V         follow: the window stays if it can hold all frames, else it moves with\n"
          "                       the bodies it shows (default);\n"
          "                       fixed: one window over all frames; all: every moving body\n"
          "      --follow NAME    look at the bodies that hang together with this one ('#7': the body of index 7)\n"
          "      --color C        joints by type, force (logarithmic) or graph (the solver's batches);\n"
          "                       type, and force above 1000 joints\n"
          "      --camera YAW,PITCH  where the camera stands, in space: degrees round to the right, and up; 35,20\n"
          "      --size WxH       pixels; 1440 wide, a moving picture 960, and as high as it needs\n"
          "  -h, --help           this text\n"
          "\n" CLI_ROBOT_HELP "\n"
          "Examples:\n"
          "  trammel run truck.json --out truck.png --out truck.anim.svg\n"
          "  trammel run machine.json --seconds 2 --gravity 0,0 --out path.csv --every 6\n"
          "  trammel run ragdolls3d:4 --seconds 3 --camera 60,10 --out ragdolls.png\n"
          "  trammel run robot.urdf --fix-base --out robot.anim.svg\n"
          "  trammel run rain:200 --steps 600 --save rain.snapshot && trammel run --restore rain.snapshot\n"
          "  trammel run --restore rain.snapshot --steps 0 --scene rain.json\n"
          "  trammel run grid:100 --threads 1 --isa avx2 --steps 500 --json | jq .ns_per_joint_step\n"
          "\n"
          "Exit codes: 0 done; 1 failed (file, scene, memory, instruction set); 2 wrong command line;\n"
          "3 the simulation ended with bodies that are not finite; 130 interrupted, nothing written.\n",
          stream);
}

static int read_method(run_options *o, const char *text)
{
    const char *names[TR_METHOD_COUNT];
    uint32_t chosen = 0;
    for (int i = 0; i < TR_METHOD_COUNT; ++i) {
        names[i] = tr_method_name((tr_method)i);
    }
    o->has_method = true;
    int code = cli_read_name("run", "method", text, names, TR_METHOD_COUNT, &chosen);
    o->method = (tr_method)chosen;
    return code;
}

static int read_view(run_options *o, const char *text)
{
    static const char *const names[] = {"follow", "fixed", "all"};
    uint32_t chosen = 0;
    int code = cli_read_name("run", "view", text, names, 3, &chosen);
    o->view = (view_kind)chosen;
    return code;
}

static int read_color(run_options *o, const char *text)
{
    static const char *const names[] = {"type", "force", "graph"};
    uint32_t chosen = 0;
    o->has_color = true;
    int code = cli_read_name("run", "color", text, names, 3, &chosen);
    o->recording.color = (color_mode)chosen;
    return code;
}

static int read_size(run_options *o, const char *text)
{
    const double least = 64.0, most = 16384.0;
    double pair[2];
    int code = cli_read_reals("run", "size", text, "WIDTHxHEIGHT", 'x', 2, 2, least, most, pair, NULL);
    if (code == CLI_OK && (pair[0] != floor(pair[0]) || pair[1] != floor(pair[1]))) {
        return cli_misuse("run", "--size: '%s' is not WIDTHxHEIGHT, each a whole number from %g to %g", text, least,
                          most);
    }
    if (code == CLI_OK) {
        o->size[0] = (uint32_t)pair[0];
        o->size[1] = (uint32_t)pair[1];
    }
    return code;
}

static int read_camera(run_options *o, const char *text)
{
    int code = cli_read_reals("run", "camera", text, "YAW,PITCH in degrees", ',', 2, 2, -360.0, 360.0, o->camera, NULL);
    o->has_camera = true;
    if (code == CLI_OK && fabs(o->camera[1]) > 90.0) {
        return cli_misuse("run", "--camera: the pitch in '%s' must lie within -90 (from below) and 90 (from above)",
                          text);
    }
    return code;
}

/* of an option of its own, which may be there once */
static int add_only(run_options *o, const char *option, const char *path, output_kind kind)
{
    for (uint32_t i = 0; i < o->output_count; ++i) {
        if (o->outputs[i].kind == kind) {
            return cli_misuse("run", "--%s: '%s' and '%s'; one of them", option, o->outputs[i].path, path);
        }
    }
    o->outputs[o->output_count++] = (output){.path = path, .kind = kind};
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

/* options that take a number */
static int read_number(run_options *o, int option, const char *text)
{
    switch (option) {
    case OPTION_SECONDS:
        o->has_seconds = true;
        return cli_read_real("run", "seconds", text, "a time in seconds", 0.0, 1e9, "", &o->seconds);
    case OPTION_STEPS:
        o->has_steps = true;
        return cli_read_count("run", "steps", text, 0, INT32_MAX, "", &o->steps);
    case OPTION_COPIES:
        return cli_read_count("run", "copies", text, 1, 1000000, "", &o->copies);
    case OPTION_SPACING:
        return cli_read_real("run", "spacing", text, "a length in m", 1e-9, 1e9, "", &o->spacing);
    case OPTION_HERTZ:
        o->has_hertz = true;
        return cli_read_real("run", "hertz", text, "a rate in Hz", 1e-3, 1e6, "", &o->hertz);
    case OPTION_SUBSTEPS:
        o->has_substeps = true;
        return cli_read_count("run", "substeps", text, 1, 1024, "", &o->substeps);
    case OPTION_SWEEPS:
        o->has_sweeps = true;
        return cli_read_count("run", "sweeps", text, 0, 1024, "; 0: the method's own", &o->sweeps);
    case OPTION_DIRECT_LOAD:
        o->has_direct_load = true;
        o->direct_load = INFINITY;
        return strcmp(text, "inf") == 0 ? CLI_OK
                                        : cli_read_real("run", "direct-load", text, "a ratio of masses", 0.0, 1e30,
                                                        ", or inf", &o->direct_load);
    case OPTION_THREADS:
        return cli_read_count("run", "threads", text, 0, 1024, "; 0: automatic", &o->threads);
    case OPTION_EVERY:
        return cli_read_count("run", "every", text, 1, INT32_MAX, "", &o->recording.every);
    case OPTION_SAVE_AT:
        return cli_read_count("run", "save-at", text, 0, INT32_MAX, "", &o->recording.save_at);
    case OPTION_FRAMES:
        return cli_read_count("run", "frames", text, 1, 100, "", &o->recording.strip_frames);
    default:
        return cli_read_count("run", "key-frames", text, 2, 1000, "", &o->recording.key_frames);
    }
}

static int read_option(run_options *o, int option, const struct option *options, char **argv)
{
    if (cli_is_robot_option(option)) {
        return cli_robot_option(&o->robot, "run", option, optarg);
    }
    switch (option) {
    case OPTION_SECONDS:
    case OPTION_STEPS:
    case OPTION_COPIES:
    case OPTION_SPACING:
    case OPTION_HERTZ:
    case OPTION_SUBSTEPS:
    case OPTION_SWEEPS:
    case OPTION_DIRECT_LOAD:
    case OPTION_THREADS:
    case OPTION_EVERY:
    case OPTION_SAVE_AT:
    case OPTION_FRAMES:
    case OPTION_KEY_FRAMES:
        return read_number(o, option, optarg);
    case OPTION_GRAVITY:
        o->has_gravity = true;
        return cli_read_reals("run", "gravity", optarg, "X,Y or X,Y,Z in m/s^2", ',', 2, 3, -1e6, 1e6, o->gravity,
                              &o->gravity_count);
    case OPTION_METHOD:
        return read_method(o, optarg);
    case OPTION_ISA:
        o->has_isa = true;
        return cli_read_isa("run", optarg, &o->isa);
    case OPTION_OUT:
        return add_output(o, optarg);
    case OPTION_SAVE:
        return add_only(o, "save", optarg, OUTPUT_SNAPSHOT);
    case OPTION_SCENE:
        return add_only(o, "scene", optarg, OUTPUT_SCENE);
    case OPTION_RECORD:
        return add_only(o, "record", optarg, OUTPUT_LOG);
    case OPTION_RESTORE:
        o->restore = optarg;
        return CLI_OK;
    case OPTION_VIEW:
        return read_view(o, optarg);
    case OPTION_COLOR:
        return read_color(o, optarg);
    case OPTION_SIZE:
        return read_size(o, optarg);
    case OPTION_CAMERA:
        return read_camera(o, optarg);
    case OPTION_FOLLOW:
        o->follow = optarg;
        return CLI_OK;
    case OPTION_SLEEP:
        o->sleep = true;
        return CLI_OK;
    case OPTION_NO_SLEEP:
        o->no_sleep = true;
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
        return cli_bad_option("run", argv, options, option);
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
    if (o->copies > 1 && o->restore != NULL) {
        return cli_misuse("run", "--copies: the world of a snapshot cannot be repeated");
    }
    if (o->spacing > 0.0 && o->copies < 2) {
        return cli_misuse("run", "--spacing: there are no --copies");
    }
    bool saves = false;
    for (uint32_t i = 0; i < o->output_count; ++i) {
        saves = saves || o->outputs[i].kind == OUTPUT_SNAPSHOT;
    }
    if (o->recording.save_at != UINT32_MAX && !saves) {
        return cli_misuse("run", "--save-at: there is no --save");
    }
    if (o->sleep && o->no_sleep) {
        return cli_misuse("run", "--sleep and --no-sleep exclude each other");
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
                return cli_misuse("run", "'%s' is to be written twice", path);
            }
            if (strcmp(o->outputs[i].target, o->outputs[k].target) == 0) {
                return cli_misuse("run", "'%s' and '%s' are one file", other, path);
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
        {"copies", required_argument, NULL, OPTION_COPIES},
        {"spacing", required_argument, NULL, OPTION_SPACING},
        {"hertz", required_argument, NULL, OPTION_HERTZ},
        {"substeps", required_argument, NULL, OPTION_SUBSTEPS},
        {"gravity", required_argument, NULL, OPTION_GRAVITY},
        {"sleep", no_argument, NULL, OPTION_SLEEP},
        {"no-sleep", no_argument, NULL, OPTION_NO_SLEEP},
        {"threads", required_argument, NULL, OPTION_THREADS},
        {"method", required_argument, NULL, OPTION_METHOD},
        {"sweeps", required_argument, NULL, OPTION_SWEEPS},
        {"direct-load", required_argument, NULL, OPTION_DIRECT_LOAD},
        {"isa", required_argument, NULL, OPTION_ISA},
        {"out", required_argument, NULL, OPTION_OUT},
        {"every", required_argument, NULL, OPTION_EVERY},
        {"restore", required_argument, NULL, OPTION_RESTORE},
        {"save", required_argument, NULL, OPTION_SAVE},
        {"save-at", required_argument, NULL, OPTION_SAVE_AT},
        {"scene", required_argument, NULL, OPTION_SCENE},
        {"record", required_argument, NULL, OPTION_RECORD},
        {"frames", required_argument, NULL, OPTION_FRAMES},
        {"key-frames", required_argument, NULL, OPTION_KEY_FRAMES},
        {"animate", no_argument, NULL, OPTION_ANIMATE},
        {"view", required_argument, NULL, OPTION_VIEW},
        {"follow", required_argument, NULL, OPTION_FOLLOW},
        {"color", required_argument, NULL, OPTION_COLOR},
        {"size", required_argument, NULL, OPTION_SIZE},
        {"camera", required_argument, NULL, OPTION_CAMERA},
        {"json", no_argument, NULL, OPTION_JSON},
        {"quiet", no_argument, NULL, OPTION_QUIET},
        {"help", no_argument, NULL, OPTION_HELP},
        CLI_ROBOT_LONG_OPTIONS,
        {NULL, 0, NULL, 0},
    };
    o->recording =
        (recording_options){.every = 1, .strip_frames = 6, .key_frames = 0, .save_at = UINT32_MAX, .color = COLOR_TYPE};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":s:n:t:o:qh", options, NULL)) != -1;) {
        int code = read_option(o, long_of(option), options, argv);
        if (code != CLI_OK || o->help) {
            return code;
        }
    }
    if (o->restore != NULL && argc > optind) {
        return cli_misuse("run", "--restore: the snapshot is the scene, so that '%s' is one too many", argv[optind]);
    }
    if (o->restore == NULL && argc - optind != 1) {
        return cli_misuse("run", argc == optind ? "which scene?" : "one scene at a time; '%s' is one too many",
                          argc == optind ? "" : argv[optind + 1]);
    }
    o->source = o->restore != NULL ? o->restore : argv[optind];
    int code = check_together(o);
    return code == CLI_OK ? resolve_outputs(o) : code;
}
