/* SPDX-License-Identifier: MIT */
/* What is refused in the sandbox, and what goes on as ever. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* syscall() */
#endif
#include "helper.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "../../src/sandbox_parts.h"
#include "../../src/whole_file.h"

static char folder[PATH_ROOM];

/* Each test runs in a new one, where these files and folders are. */
static const char *const files[] = {"named", "other", "in/old"};

static int
make_folder(void **unused)
{
	const char *parent = getenv("TMPDIR");

	(void)unused;
	snprintf(folder, sizeof(folder), "%s/tokpick-test-XXXXXX",
	    parent != NULL ? parent : "/tmp");
	if (mkdtemp(folder) == NULL || chdir(folder) != 0 ||
	    mkdir("in", 0777) != 0)
		return -1;
	for (size_t i = 0; i < LENGTH(files); i++)
		if (close(open(files[i], O_WRONLY | O_CREAT, 0666)) != 0)
			return -1;
	return 0;
}

static int
remove_folder(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < LENGTH(files); i++)
		if (unlink(files[i]) != 0)
			return -1;
	return rmdir("in") != 0 || chdir("/") != 0 || rmdir(folder) != 0;
}

/*
 * Both are for the whole life of a process, so each test has its own, whose
 * status is 0 if all went as it should, and else the line of what didn't.
 */
static void
in_a_process(const char *enter(const struct sandbox *), const struct sandbox *s,
    int does(void))
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
#if defined(__linux__)
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
		_exit(enter(s) == NULL ? does() : __LINE__ % 256);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* For use in that process. */
#define EXPECT(condition)                      \
	do {                                   \
		if (!(condition))              \
			return __LINE__ % 256; \
	} while (0)

static bool
fails(long result, int errnum)
{
	return result == -1 && errno == errnum;
}

static bool
opens(const char *name, int flags)
{
	int fd = open(name, flags | O_CLOEXEC, 0600);

	return fd >= 0 && close(fd) == 0;
}

/*
 * Is this a build and a system that has them?  An emulator has neither, and
 * what records coverage gives nothing up.
 */
static void
skip_without_landlock(void)
{
#if defined(SANDBOX_HAS_LANDLOCK) && !defined(TOKPICK_NO_SANDBOX)
	if (getenv("TOKPICK_RECORDS") == NULL &&
	    syscall(SYS_landlock_create_ruleset, NULL, 0, 1) >= 1)
		return;
#endif
	skip();
}

static void
skip_without_seccomp(void)
{
#if defined(SANDBOX_HAS_SECCOMP) && !defined(TOKPICK_NO_SANDBOX)
	/* Asked with no filter it says so, where it is there to be asked. */
	if (getenv("TOKPICK_RECORDS") == NULL &&
	    fails(syscall(SYS_seccomp, 1, 0, NULL), EFAULT))
		return;
#endif
	skip();
}

static char named[] = "named", other[] = "other", later[] = "in/later",
            dash[] = "-";

static int
open_named_and_others(void)
{
	EXPECT(opens("named", O_RDONLY));
	EXPECT(fails(open("named", O_WRONLY), EACCES));
	EXPECT(fails(open("named", O_RDONLY | O_TRUNC), EACCES));
	EXPECT(fails(open("other", O_RDONLY), EACCES));
	EXPECT(fails(open("new", O_RDWR | O_CREAT, 0600), EACCES));
	EXPECT(fails(open("/etc/passwd", O_RDONLY), EACCES));
	EXPECT(fails(open(".", O_RDONLY), EACCES));
	EXPECT(fails(unlink("other"), EACCES));
	EXPECT(fails(rename("other", "new"), EACCES));
	EXPECT(fails(mkdir("new", 0777), EACCES));
	EXPECT(fails(open("missing", O_RDONLY), ENOENT));
	return 0;
}

static void
only_files_that_are_named_can_be_opened_and_only_read(void **unused)
{
	char *names[] = {dash, named};

	(void)unused;
	skip_without_landlock();
	in_a_process(sandbox_files,
	    &(struct sandbox){.to_read = names, .n_to_read = 2},
	    open_named_and_others);
}

static int
open_nothing(void)
{
	EXPECT(fails(open("named", O_RDONLY), EACCES));
	EXPECT(fails(open("/", O_RDONLY), EACCES));
	return 0;
}

static int
open_the_mask(void)
{
	EXPECT(opens("other", O_RDONLY));
	EXPECT(fails(open("named", O_RDONLY), EACCES));
	return 0;
}

static int
open_a_mask(void)
{
	EXPECT(opens("other", O_RDONLY));
	EXPECT(fails(open("other", O_RDWR), EPERM));
	return 0;
}

static void
a_mask_can_be_opened_where_nothing_else_is_read(void **unused)
{
	const struct sandbox s = {.mask = other};

	(void)unused;
	skip_without_landlock();
	skip_without_seccomp();
	in_a_process(sandbox_files, &s, open_the_mask);
	in_a_process(sandbox_calls, &s, open_a_mask);
}

static void
where_no_file_is_named_none_can_be_opened(void **unused)
{
	char *names[] = {dash};

	(void)unused;
	skip_without_landlock();
	in_a_process(sandbox_files,
	    &(struct sandbox){.to_read = names, .n_to_read = 1}, open_nothing);
}

/* Another process may have made any of its files, so what is there will do. */
static int
open_in_its_folder(void)
{
	EXPECT(fails(open("in/later", O_RDONLY), ENOENT));
	EXPECT(opens("in/old", O_RDONLY));
	EXPECT(fails(open("in/old", O_WRONLY), EACCES));
	EXPECT(fails(open("other", O_RDONLY), EACCES));
	return 0;
}

static void
a_file_that_is_not_there_yet_may_come_into_its_folder(void **unused)
{
	char *names[] = {later};

	(void)unused;
	skip_without_landlock();
	in_a_process(sandbox_files,
	    &(struct sandbox){.to_read = names, .n_to_read = 1},
	    open_in_its_folder);
}

static bool
fill(void *context, struct buffer *b, struct error *err)
{
	return buffer_add(b, context, strlen(context), err);
}

static int
write_whole_files(void)
{
	char text[] = "text";
	struct error err;

	EXPECT(whole_file_write("in/old", fill, text, &err));
	EXPECT(!whole_file_write("other", fill, text, &err));
	EXPECT(strstr(err.text, strerror(EACCES)) != NULL);
	EXPECT(fails(open("named", O_RDONLY), EACCES));
	return 0;
}

static void
whole_files_are_written_where_they_are_named(void **unused)
{
	(void)unused;
	skip_without_landlock();
	in_a_process(sandbox_files, &(struct sandbox){.to_write = {"in/old"}},
	    write_whole_files);
}

static int
call_what_is_not_needed(void)
{
	char *const none[] = {NULL};

	EXPECT(fails(open("named", O_RDONLY), EPERM));
	EXPECT(fails(unlink("named"), EPERM));
	EXPECT(fails(socket(AF_INET, SOCK_STREAM, 0), EPERM));
	EXPECT(fails(socket(AF_UNIX, SOCK_STREAM, 0), EPERM));
	EXPECT(fails(execve("/bin/true", none, none), EPERM));
	EXPECT(fails(fork(), EPERM));
	EXPECT(fails(kill(getppid(), 0), EPERM));
	EXPECT(fails(chdir("/"), EPERM));
	EXPECT(fails(ioctl(0, FIONREAD, ""), EPERM));
	EXPECT(mmap(NULL, 4096, PROT_READ | PROT_EXEC,
	           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
	EXPECT(errno == EPERM);
	return 0;
}

static void
calls_that_are_not_needed_are_refused(void **unused)
{
	char *names[] = {dash};

	(void)unused;
	skip_without_seccomp();
	in_a_process(sandbox_calls,
	    &(struct sandbox){.to_read = names, .n_to_read = 1},
	    call_what_is_not_needed);
}

static int
call_to_read(void)
{
	EXPECT(opens("named", O_RDONLY));
	EXPECT(fails(open("named", O_WRONLY), EPERM));
	EXPECT(fails(open("named", O_RDWR), EPERM));
	EXPECT(fails(open("new", O_RDONLY | O_CREAT, 0600), EPERM));
	EXPECT(fails(rename("named", "new"), EPERM));
	return 0;
}

static void
where_files_are_read_they_are_not_opened_for_more(void **unused)
{
	char *names[] = {named};

	(void)unused;
	skip_without_seccomp();
	in_a_process(sandbox_calls,
	    &(struct sandbox){.to_read = names, .n_to_read = 1}, call_to_read);
}

static int
call_to_write(void)
{
	char text[] = "text";
	struct error err;

	EXPECT(whole_file_write("in/old", fill, text, &err));
	EXPECT(fails(socket(AF_INET, SOCK_STREAM, 0), EPERM));
	return 0;
}

static void
where_files_are_written_they_can_be(void **unused)
{
	(void)unused;
	skip_without_seccomp();
	in_a_process(sandbox_calls, &(struct sandbox){.to_write = {"in/old"}},
	    call_to_write);
}

/* Is a thread held to it too?  Memory is the first that it asks for. */
static void *
of_a_thread(void *refused)
{
	char *memory = malloc(1 << 20);

	memset(memory, 1, 1 << 20);
	free(memory);
	*(bool *)refused = fails(socket(AF_INET, SOCK_STREAM, 0), EPERM);
	return NULL;
}

static int
make_threads(void)
{
	bool refused[3] = {false};
	pthread_t threads[3];

	for (size_t i = 0; i < 3; i++)
		EXPECT(pthread_create(
		           &threads[i], NULL, of_a_thread, &refused[i]) == 0);
	for (size_t i = 0; i < 3; i++)
		EXPECT(pthread_join(threads[i], NULL) == 0 && refused[i]);
	return 0;
}

static void
threads_can_be_made_and_are_held_to_it(void **unused)
{
	(void)unused;
	skip_without_seccomp();
	in_a_process(
	    sandbox_calls, &(struct sandbox){.n_to_read = 0}, make_threads);
}

static volatile sig_atomic_t caught;

static void
note(int signal)
{
	caught = signal;
}

static int
raise_signals(void)
{
	EXPECT(signal(SIGTERM, note) == SIG_DFL);
	EXPECT(raise(SIGTERM) == 0 && caught == SIGTERM);
#if defined(SYS_tgkill)
	EXPECT(fails(syscall(SYS_tgkill, getppid(), getppid(), 0), EPERM));
#endif
	return 0;
}

static void
signals_reach_ourselves_and_nobody_else(void **unused)
{
	(void)unused;
	skip_without_seccomp();
	in_a_process(
	    sandbox_calls, &(struct sandbox){.n_to_read = 0}, raise_signals);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
	        only_files_that_are_named_can_be_opened_and_only_read),
	    cmocka_unit_test(a_mask_can_be_opened_where_nothing_else_is_read),
	    cmocka_unit_test(where_no_file_is_named_none_can_be_opened),
	    cmocka_unit_test(
	        a_file_that_is_not_there_yet_may_come_into_its_folder),
	    cmocka_unit_test(whole_files_are_written_where_they_are_named),
	    cmocka_unit_test(calls_that_are_not_needed_are_refused),
	    cmocka_unit_test(where_files_are_read_they_are_not_opened_for_more),
	    cmocka_unit_test(where_files_are_written_they_can_be),
	    cmocka_unit_test(threads_can_be_made_and_are_held_to_it),
	    cmocka_unit_test(signals_reach_ourselves_and_nobody_else),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
