/* Makes the calls of a log again, counts them, and says where bits differ. */
#include "cli/cli.h"
#include "cli/core/dimension.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/replay_options.h"
#include "cli/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 128 /* more than there are calls */

typedef struct replayed {
    trn_world *world;
    tr_replay replay;
    tr_replay_record last, different; /* the first that differs; then `differs` is set */
    const char *names[MOST_NAMES];
    uint64_t counts[MOST_NAMES];
    uint32_t name_count;
    uint64_t failed;               /* steps that had failed */
    char message[TR_MESSAGE_SIZE]; /* of a call that failed now */
} replayed;

static void count(replayed *it, const char *name)
{
    uint32_t i = 0;
    while (i < it->name_count && strcmp(it->names[i], name) != 0) {
        ++i;
    }
    if (i == it->name_count && i < MOST_NAMES) {
        it->names[it->name_count++] = name;
    }
    if (i < it->name_count) {
        ++it->counts[i];
    }
}

static void list(const tr_replay_record *record)
{
    const char *mark = record->differs ? "  differs" : record->unfinished ? "  the log ends in it" : "";
    switch (record->kind) {
    case TR_REPLAY_BEGIN:
        printf("%10s  the world when the recording began\n", "");
        break;
    case TR_REPLAY_CALL:
        printf("%10s  %s%s\n", "", record->call, mark);
        break;
    case TR_REPLAY_STEP:
        printf("%10" PRIu64 "  step of %.9g s in %u, %016" PRIx64 "%s\n", record->step, record->dt, record->substeps,
               record->motion, mark);
        break;
    case TR_REPLAY_FAILED:
        printf("%10s  a step that failed, left out\n", "");
        break;
    case TR_REPLAY_END:
        printf("%10s  the end, %016" PRIx64 "%s\n", "", record->hash, mark);
        break;
    default:
        printf("%10s  the log is cut off\n", "");
    }
}

/* what differs, as a sentence */
static void explain(const replayed *it, char *text, size_t size)
{
    const tr_replay_record *d = &it->different;
    if (d->status != TR_OK) {
        snprintf(text, size, "after step %" PRIu64 ", %s() fails: %.160s", d->step - (d->kind == TR_REPLAY_STEP),
                 d->call, it->message);
    } else if (d->kind == TR_REPLAY_END && d->since > 0) {
        snprintf(text, size,
                 "positions of bodies have other bits at the end; the first step is one of %" PRIu64 " to %" PRIu64,
                 d->since, d->step);
    } else if (d->kind == TR_REPLAY_END) {
        snprintf(text, size, "joints or contacts differ at the end, bodies do not");
    } else if (d->kind == TR_REPLAY_CALL) {
        snprintf(text, size, "after step %" PRIu64 ", %s() gives something else", d->step, d->call);
    } else if (d->hash == d->recorded_hash) {
        snprintf(text, size, "step %" PRIu64 " asks the application something else", d->step);
    } else if (d->since == d->step) {
        snprintf(text, size, "step %" PRIu64 ": bodies have other bits", d->step);
    } else {
        snprintf(text, size, "step %" PRIu64 ": bodies have other bits; positions alone may since step %" PRIu64,
                 d->step, d->since);
    }
}

/* makes the calls; CLI_OK also if something differs */
static int go(const replay_options *o, replayed *it)
{
    for (;;) {
        /* calls after the step are left out, too */
        bool until = o->has_until && it->replay.at > 0 && it->replay.steps >= o->until;
        if (until || it->different.differs) {
            return CLI_OK;
        }
        if (trn_world_replay(it->world, &it->replay, &it->last) != TR_OK) {
            return cli_fail("%s: after step %" PRIu64 ": %s", o->path, it->replay.steps,
                            trn_world_last_error(it->world)->message);
        }
        if (o->list) {
            list(&it->last);
        }
        if (it->last.differs) {
            it->different = it->last;
            snprintf(it->message, sizeof it->message, "%s", trn_world_last_error(it->world)->message);
        }
        if (it->last.kind == TR_REPLAY_CALL) {
            count(it, it->last.call);
        }
        it->failed += it->last.kind == TR_REPLAY_FAILED;
        if (it->last.kind == TR_REPLAY_END || it->last.kind == TR_REPLAY_CUT_OFF) {
            return CLI_OK;
        }
        if (interrupt_seen()) {
            cli_fail("interrupted after step %" PRIu64 "; no file was written", it->replay.steps);
            return CLI_INTERRUPTED;
        }
    }
}

static int print(const replay_options *o, const replayed *it)
{
    report r = {0};
    char hash[17], difference[TR_MESSAGE_SIZE + 64];
    bool cut_off = it->last.kind == TR_REPLAY_CUT_OFF;
    snprintf(hash, sizeof hash, "%016" PRIx64, trn_world_state_hash(it->world));
    explain(it, difference, sizeof difference);
    report_text(&r, "version", NULL, tr_version_string());
    report_text(&r, "log", "log", o->path);
    report_count(&r, "dimension", "dimension", TR_DIMENSION);
    report_count(&r, "steps", "steps", it->replay.steps);
    report_count(&r, "failed_steps", it->failed > 0 ? "steps that failed, left out" : NULL, it->failed);
    report_object(&r, "calls", "calls");
    for (uint32_t i = 0; i < it->name_count; ++i) {
        report_count(&r, it->names[i], it->names[i], it->counts[i]);
    }
    report_end(&r);
    report_truth(&r, "cut_off", cut_off ? "cut off" : NULL, cut_off);
    report_text(&r, "difference", "difference", it->different.differs ? difference : NULL);
    report_text(&r, "state_hash", "state hash", hash);
    report_text(&r, "saved", o->save != NULL ? "saved" : NULL, o->save);
    bool printed = o->json ? report_print_json(&r, stdout) : report_print_table(&r, stdout);
    report_free(&r);
    return printed ? CLI_OK : cli_fail("out of memory");
}

int trn_replay_log(const replay_options *o, const void *log, size_t size)
{
    replayed it;
    memset(&it, 0, sizeof it);
    it.replay = tr_replay_of(log, size);
    tr_error error = {TR_OK, ""};
    trn_world_def def = trn_world_def_default();
    def.threads = o->threads;
    if (trn_world_create(&def, &it.world, &error) != TR_OK) {
        return cli_fail("%s", error.message);
    }
    interrupt_catch();
    progress_note(true, "replaying %s", o->path);
    int code = go(o, &it);
    progress_erase();
    if (code == CLI_OK && o->has_until && it.replay.steps < o->until && !it.different.differs) {
        code = cli_fail("--until: there is no step %u; the log has %" PRIu64, o->until, it.replay.steps);
    }
    if (code == CLI_OK && o->save != NULL && trn_world_save_file(it.world, o->save, &error) != TR_OK) {
        code = cli_fail("%s", error.message);
    }
    if (code == CLI_OK) {
        code = print(o, &it);
    }
    if (code == CLI_OK && it.different.differs) {
        code = CLI_DIFFERS;
    }
    trn_world_destroy(it.world);
    return code;
}
