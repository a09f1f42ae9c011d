/* A world in an application with its own threads: a job system of four workers runs the tasks of a step. */
#include <pthread.h>
#include <stdio.h>
#include <trammel/trammel.h>

enum { WORKERS = 4 };

typedef void task_fn(void *argument, uint32_t worker);

/* Runs one batch of tasks at a time: workers wait for a batch, take the next task number, and signal when all are
   done. */
typedef struct jobs {
    pthread_mutex_t mutex;
    pthread_cond_t more, done;
    task_fn *task;
    void *argument;
    uint32_t count, next, finished, batches;
    bool quit;
} jobs;

static void *work(void *context)
{
    jobs *it = context;
    pthread_mutex_lock(&it->mutex);
    while (!it->quit) {
        if (it->next >= it->count) {
            pthread_cond_wait(&it->more, &it->mutex);
            continue;
        }
        uint32_t number = it->next++;
        pthread_mutex_unlock(&it->mutex);
        it->task(it->argument, number);
        pthread_mutex_lock(&it->mutex);
        if (++it->finished == it->count)
            pthread_cond_signal(&it->done);
    }
    pthread_mutex_unlock(&it->mutex);
    return NULL;
}

/* tr_host.run: runs tasks 0 to count - 1 once each and returns when all are done; the mutex orders memory accesses */
static void run(task_fn *task, void *argument, uint32_t count, void *context)
{
    jobs *it = context;
    pthread_mutex_lock(&it->mutex);
    it->task = task;
    it->argument = argument;
    it->next = it->finished = 0;
    it->count = count;
    it->batches++;
    pthread_cond_broadcast(&it->more);
    while (it->finished < count)
        pthread_cond_wait(&it->done, &it->mutex);
    it->count = 0;
    pthread_mutex_unlock(&it->mutex);
}

/* simulates a generated scene for a second; returns the hash of its state */
static tr_status simulate(const tr2_world_def *settings, uint64_t *hash, tr_error *error)
{
    tr2_scene *scene = NULL;
    tr2_world *world = NULL;
    tr_status status = tr2_scene_generate("grid", 60, &scene, error);
    if (status == TR_OK)
        status = tr2_world_create(settings, &world, error);
    if (status == TR_OK)
        status = tr2_scene_build(scene, world, NULL, NULL, error);
    for (int step = 0; step < 60 && status == TR_OK; step++) {
        status = tr2_world_step(world, 1.0 / 60.0, 4);
        if (status != TR_OK)
            *error = *tr2_world_last_error(world);
    }
    *hash = tr2_world_state_hash(world);
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
    return status;
}

int main(void)
{
    jobs it = {.mutex = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};
    pthread_t threads[WORKERS];
    uint32_t started = 0;
    while (started < WORKERS && pthread_create(&threads[started], NULL, work, &it) == 0)
        started++;

    tr_error error = {TR_OK, "no threads"};
    uint64_t alone = 0, together = 1;
    tr2_world_def settings = tr2_world_def_default();
    settings.threads = 1;
    tr_status status = started == WORKERS ? simulate(&settings, &alone, &error) : TR_ERROR_MEMORY;
    settings.threads = WORKERS;
    settings.host.run = run;
    settings.host.context = &it;
    if (status == TR_OK)
        status = simulate(&settings, &together, &error);
    if (status == TR_OK)
        printf("one thread and %d workers in %u batches: %s bits\n", WORKERS, it.batches,
               alone == together ? "the same" : "other");
    else
        fprintf(stderr, "%s\n", error.message);

    pthread_mutex_lock(&it.mutex);
    it.quit = true;
    pthread_cond_broadcast(&it.more);
    pthread_mutex_unlock(&it.mutex);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return status != TR_OK || alone != together;
}
