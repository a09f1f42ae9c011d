/* The trammel program: dispatches to the command. */
#include "cli/cli.h"
#include "cli/picture_options.h"

#include <signal.h>
#include <string.h>

static const struct command {
    const char *name, *summary;
    int (*entry)(int argc, char **argv);
    void (*help)(FILE *stream);
} commands[] = {
    {"run", "simulate a scene; report, trajectories and pictures", cli_run, cli_run_help},
    {"info", "say what is in a scene, without simulating it", cli_info, cli_info_help},
    {"generate", "make a scene (grid, chains, ragdolls and more), or convert one (URDF, MJCF)", cli_generate,
     cli_generate_help},
    {"replay", "make the calls of a log again, and find where bits differ", cli_replay, cli_replay_help},
};
#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; ++i) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static int no_command(const char *name)
{
    char names[64] = "";
    for (size_t i = 0, used = 0; i < COMMAND_COUNT && used < sizeof names; ++i) {
        int length = snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", commands[i].name);
        used += length > 0 ? (size_t)length : 0;
    }
    cli_guess guess = {.wrong = name};
    for (size_t i = 0; i < COMMAND_COUNT; ++i) {
        cli_guess_name(&guess, commands[i].name);
    }
    cli_guess_name(&guess, "help");
    cli_guess_name(&guess, "version");
    cli_guess_name(&guess, "--help");
    cli_guess_name(&guess, "--version");
    return cli_misuse("", "there is no command '%s'%s; there are: %s", name, cli_guess_hint(&guess, ""), names);
}

static void print_help(FILE *stream)
{
    fputs("trammel simulates joints between rigid bodies in 2D and 3D, on SIMD lanes and threads.\n"
          "\n"
          "Usage: trammel COMMAND [OPTIONS]\n"
          "\n"
          "Commands:\n",
          stream);
    for (size_t i = 0; i < COMMAND_COUNT; ++i) {
        fprintf(stream, "  %-10s%s\n", commands[i].name, commands[i].summary);
    }
    fputs("\n"
          "  trammel COMMAND --help   everything about a command (also: trammel help COMMAND)\n"
          "  trammel --version        version, instruction sets, threads, build options\n"
          "\n"
          "Examples:\n"
          "  trammel run scene.json                              10 seconds, then a table of results\n"
          "  trammel run scene.json --out strip.png --out t.csv  with a picture and a trajectory\n"
          "  trammel run grid:100 --threads 1 --json             a generated scene, results as JSON\n"
          "  trammel run ragdolls3d:4 --out ragdolls.anim.svg    one in space, as a picture that moves\n"
          "  trammel generate ragdolls --size 50 | trammel run -\n"
          "  trammel replay bug.log --threads 4                  the calls of a log, with the same bits\n"
          "\n"
          "Exit codes: 0 done; 1 failed (file, scene, memory); 2 wrong command line;\n"
          "3 the simulation ended with bodies that are not finite; 4 a replay differs; 130 interrupted.\n",
          stream);
}

static void print_version(FILE *stream)
{
    fprintf(stream, "trammel %s\n", tr_version_string());

    fputs("instruction sets:", stream);
    for (int isa = 0; isa < TR_ISA_COUNT; ++isa) {
        if (tr_isa_available((tr_isa)isa)) {
            fprintf(stream, " %s (%u)", tr_isa_name((tr_isa)isa), tr_isa_width((tr_isa)isa));
        }
    }
    fprintf(stream, "; chosen: %s\n", tr_isa_name(tr_get_isa()));
    fprintf(stream, "threads: %u (physical cores that this process may use)\n", tr_physical_cores());

    const char *options = tr_build_options();
    fprintf(stream, "built with: %s%s%s\n", options, options[0] != 0 ? " " : "",
            picture_available() ? "pictures" : "no pictures");
}

int main(int argc, char **argv)
{
    /* make a closed pipe a write error instead of a signal, so that temporary files are still removed */
    signal(SIGPIPE, SIG_IGN);

    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0 || strcmp(name, "version") == 0) {
        print_version(stdout);
        return cli_finish_output(CLI_OK);
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        if (argc < 3) {
            print_help(stdout);
            return cli_finish_output(CLI_OK);
        }
        const struct command *command = find_command(argv[2]);
        if (command == NULL) {
            return no_command(argv[2]);
        }
        command->help(stdout);
        return cli_finish_output(CLI_OK);
    }

    const struct command *command = find_command(name);
    if (command == NULL) {
        return no_command(name);
    }
    return command->entry(argc - 1, argv + 1);
}
