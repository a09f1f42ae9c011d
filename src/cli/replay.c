/* trammel replay: makes the calls of a log again (core/replay_log.c). */
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/replay_options.h"
#include "cli/scenes.h"

#include <stdlib.h>

enum { OPTION_THREADS = 256, OPTION_ISA, OPTION_UNTIL, OPTION_SAVE, OPTION_LIST, OPTION_JSON, OPTION_HELP };

void cli_replay_help(FILE *stream)
{
    fputs("Makes the calls of a log again, and says whether each did what it did when it was recorded. A log is what\n"
          "'trammel run --record' or an application (trammel/recording.h) has written.\n"
          "\n"
          "Usage: trammel replay LOG [OPTIONS]\n"
          "\n"
          "It ends at the first call that gave something else, and at the first step after which velocities of bodies\n"
          "have other bits; positions and rotations are compared every 16 steps, and at the end of a log the whole\n"
          "state. The log of a program that crashed is cut off: it is replayed as far as it goes.\n"
          "\n"
          "Options:\n"
          "  -t, --threads T  0 is automatic: the physical cores that this process may use; 0\n"
          "      --isa I      scalar, sse2, avx2, avx512 or neon; the widest, or $TRAMMEL_ISA\n"
          "      --until N    end after step N; 0 is before the first call\n"
          "      --save FILE  write a snapshot of the world where the replay ends, for 'trammel run --restore'\n"
          "      --list       a line for each call and each step, with a hash of all positions, rotations and "
          "velocities\n"
          "      --json       one JSON object instead of the table (keys: docs/program.md)\n"
          "  -h, --help       this text\n"
          "\n"
          "Examples:\n"
          "  trammel run rain:200 --steps 300 --record rain.log && trammel replay rain.log --isa scalar\n"
          "  trammel replay bug.log --until 1411 --save before.snapshot\n"
          "\n"
          "Exit codes: 0 the same bits; 1 failed (file, damaged log, memory); 2 wrong command line;\n"
          "4 other bits; 130 interrupted.\n",
          stream);
}

static int read_option(replay_options *o, int option, const struct option *options, char **argv)
{
    switch (option) {
    case 't':
    case OPTION_THREADS:
        return cli_read_count("replay", "threads", optarg, 0, 1024, "; 0: automatic", &o->threads);
    case OPTION_ISA:
        o->has_isa = true;
        return cli_read_isa("replay", optarg, &o->isa);
    case OPTION_UNTIL:
        o->has_until = true;
        return cli_read_count("replay", "until", optarg, 0, INT32_MAX, "", &o->until);
    case OPTION_SAVE:
        o->save = optarg;
        return CLI_OK;
    case OPTION_LIST:
        o->list = true;
        return CLI_OK;
    case OPTION_JSON:
        o->json = true;
        return CLI_OK;
    case 'h':
    case OPTION_HELP:
        o->help = true;
        return CLI_OK;
    default:
        return cli_bad_option("replay", argv, options, option);
    }
}

static int read_options(replay_options *o, int argc, char **argv)
{
    static const struct option options[] = {
        {"threads", required_argument, NULL, OPTION_THREADS},
        {"isa", required_argument, NULL, OPTION_ISA},
        {"until", required_argument, NULL, OPTION_UNTIL},
        {"save", required_argument, NULL, OPTION_SAVE},
        {"list", no_argument, NULL, OPTION_LIST},
        {"json", no_argument, NULL, OPTION_JSON},
        {"help", no_argument, NULL, OPTION_HELP},
        {NULL, 0, NULL, 0},
    };
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":t:h", options, NULL)) != -1;) {
        int code = read_option(o, option, options, argv);
        if (code != CLI_OK || o->help) {
            return code;
        }
    }
    if (argc - optind != 1) {
        return cli_misuse("replay", argc == optind ? "which log?" : "one log at a time; '%s' is one too many",
                          argc == optind ? "" : argv[optind + 1]);
    }
    if (o->list && o->json) {
        return cli_misuse("replay", "--list and --json both write to standard output: one of them");
    }
    o->path = argv[optind];
    return o->save == NULL || output_check(o->save) ? CLI_OK : CLI_FAILED;
}

int cli_replay(int argc, char **argv)
{
    replay_options o = {0};
    char *log = NULL;
    size_t size = 0;
    int code = read_options(&o, argc, argv);
    if (code == CLI_OK && o.help) {
        cli_replay_help(stdout);
        return cli_finish_output(CLI_OK);
    }
    code = code == CLI_OK ? cli_choose_isa(o.has_isa ? &o.isa : NULL) : code;
    code = code == CLI_OK ? cli_read_file(o.path, &log, &size) : code;
    if (code == CLI_OK) {
        /* what is no log at all is refused by either */
        code = tr_replay_dimension(log, size) == 3 ? tr3_replay_log(&o, log, size) : tr2_replay_log(&o, log, size);
    }
    free(log);
    return code == CLI_OK || code == CLI_DIFFERS ? cli_finish_output(code) : code;
}
