/* How many cores this process may use: the text of control groups, the machine's own answer, and a narrower affinity.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parallel/quota.h"
#include "parallel/topology.h"
#include "trammel/base.h"

static void a_version_2_quota_is_rounded_up(void **state)
{
    (void)state;
    assert_int_equal(tr_quota_v2("100000 100000\n"), 1);
    assert_int_equal(tr_quota_v2("150000 100000\n"), 2);
    assert_int_equal(tr_quota_v2("200000 100000"), 2);
    assert_int_equal(tr_quota_v2("200001 100000"), 3);
    assert_int_equal(tr_quota_v2("1000 100000\n"), 1);
    assert_int_equal(tr_quota_v2("0 100000\n"), 1);
    assert_int_equal(tr_quota_v2("18446744073709551615 1\n"), UINT32_MAX);
    assert_int_equal(tr_quota_v2("18446744073709551615 18446744073709551615\n"), 1);
}

static void text_without_a_quota_is_none(void **state)
{
    (void)state;
    static const char *const texts[] = {"max 100000\n", "max",           "",
                                        "\n",           "100000",        "100000\n",
                                        "100000 \n",    "100000 0",      "-1 100000\n",
                                        "1e5 100000\n", "100000 -1\n",   "  1000 1000",
                                        "nonsense",     "100000 100k\n", "99999999999999999999999 100000\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_int_equal(tr_quota_v2(texts[i]), 0);
    assert_int_equal(tr_quota_v1("-1\n", "100000\n"), 0);
    assert_int_equal(tr_quota_v1("100000\n", "0\n"), 0);
    assert_int_equal(tr_quota_v1("", "100000\n"), 0);
    assert_int_equal(tr_quota_v1("100000\n", ""), 0);
}

static void a_version_1_quota_is_rounded_up(void **state)
{
    (void)state;
    assert_int_equal(tr_quota_v1("50000\n", "100000\n"), 1);
    assert_int_equal(tr_quota_v1("350000\n", "100000\n"), 4);
    assert_int_equal(tr_quota_v1("400000", "100000"), 4);
}

static void the_group_is_found_in_every_kind_of_list(void **state)
{
    (void)state;
    static const char *const hybrid = "12:pids:/a\n5:cpuset:/wrong\n4:cpuacct,cpu:/docker/ab:cd/\n1:name=systemd:/x\n"
                                      "0::/system.slice/run.service\n";
    char path[64];
    assert_true(tr_cgroup_path("0::/\n", true, path, sizeof path));
    assert_string_equal(path, "");
    assert_true(tr_cgroup_path("0::/user.slice/app", true, path, sizeof path));
    assert_string_equal(path, "/user.slice/app");
    assert_true(tr_cgroup_path(hybrid, true, path, sizeof path));
    assert_string_equal(path, "/system.slice/run.service");
    assert_true(tr_cgroup_path(hybrid, false, path, sizeof path));
    assert_string_equal(path, "/docker/ab:cd");
    assert_true(tr_cgroup_path("3:cpu:/\n", false, path, sizeof path));
    assert_string_equal(path, "");
}

static void a_list_without_the_group_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "\n", "0", "0:", "0:cpu", "0::\0/", "5:cpuset,cpuacct:/x\n", "\n\n::"};
    char path[16];
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_false(tr_cgroup_path(texts[i], false, path, sizeof path));
    assert_false(tr_cgroup_path("4:cpu:/x\n", true, path, sizeof path));

    /* a path that does not fit is not cut off to another group's name; one that just fits is taken */
    assert_false(tr_cgroup_path("0::/0123456789abcde\n", true, path, sizeof path));
    assert_true(tr_cgroup_path("0::/0123456789abcd\n", true, path, sizeof path));
    assert_string_equal(path, "/0123456789abcd");
}

static void the_way_up_ends_at_the_root(void **state)
{
    (void)state;
    char path[] = "/a/b c/d";
    assert_true(tr_cgroup_parent(path));
    assert_string_equal(path, "/a/b c");
    assert_true(tr_cgroup_parent(path));
    assert_string_equal(path, "/a");
    assert_true(tr_cgroup_parent(path));
    assert_string_equal(path, "");
    assert_false(tr_cgroup_parent(path));
    assert_string_equal(path, "");
}

static void cores_are_no_more_than_hardware_threads(void **state)
{
    (void)state;
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    uint32_t cores = tr_physical_cores();
    assert_true(cores >= 1);
    assert_true(cores <= (uint32_t)CPU_COUNT(&set));
    assert_int_equal(tr_physical_cores(), cores);
}

static void asking_leaves_the_affinity_alone(void **state)
{
    (void)state;
    cpu_set_t before, after;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    tr_physical_cores();
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&before, &after));
}

static void a_process_bound_to_one_processor_has_one_core(void **state)
{
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        /* the last processor of those allowed */
        cpu_set_t set, one;
        CPU_ZERO(&one);
        if (sched_getaffinity(0, sizeof set, &set) != 0)
            _exit(100);
        for (size_t i = CPU_SETSIZE; i-- > 0 && CPU_COUNT(&one) == 0;) {
            if (CPU_ISSET(i, &set))
                CPU_SET(i, &one);
        }
        if (sched_setaffinity(0, sizeof one, &one) != 0)
            _exit(101);
        _exit((int)tr_physical_cores());
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
}

/* a container may be without /sys: in one made for this, nothing is printed and the affinity mask is counted */
static void without_sys_the_cores_are_counted_in_silence(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        bool hidden = (unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
                      mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
                      mount("none", "/sys", "tmpfs", 0, NULL) == 0;
        if (!hidden || dup2(ends[1], STDERR_FILENO) < 0)
            _exit(0);
        _exit((int)tr_physical_cores());
    }
    close(ends[1]);
    char said[256];
    ssize_t length = read(ends[0], said, sizeof said);
    close(ends[0]);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 0) {
        print_message("skipped: /sys cannot be hidden here\n");
        skip();
    }
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    assert_in_range(WEXITSTATUS(status), 1, CPU_COUNT(&set));
    assert_int_equal(length, 0);
}

static void the_clock_goes_forward_at_the_right_pace(void **state)
{
    (void)state;
    double start = tr_clock_seconds();
    tr_thread_sleep(20000);
    double passed = tr_clock_seconds() - start;
    assert_true(passed >= 0.02);
    assert_true(passed < 5.0);
    for (int i = 0; i < 1000; i++) {
        double now = tr_clock_seconds();
        assert_true(now >= start);
        start = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_version_2_quota_is_rounded_up),
        cmocka_unit_test(text_without_a_quota_is_none),
        cmocka_unit_test(a_version_1_quota_is_rounded_up),
        cmocka_unit_test(the_group_is_found_in_every_kind_of_list),
        cmocka_unit_test(a_list_without_the_group_is_refused),
        cmocka_unit_test(the_way_up_ends_at_the_root),
        cmocka_unit_test(cores_are_no_more_than_hardware_threads),
        cmocka_unit_test(asking_leaves_the_affinity_alone),
        cmocka_unit_test(a_process_bound_to_one_processor_has_one_core),
        cmocka_unit_test(without_sys_the_cores_are_counted_in_silence),
        cmocka_unit_test(the_clock_goes_forward_at_the_right_pace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
