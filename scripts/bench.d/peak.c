/* SPDX-License-Identifier: MIT */
/* The most memory a command takes, for scripts/bench. */

/*
 * usage: peak COMMAND [ARGUMENT]...
 *
 * Standard output is the command's and is dropped; the peak of its resident
 * memory goes to standard error, in KiB.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	struct rusage usage;
	int status, null;
	pid_t pid;

	if (argc < 2) {
		fputs("usage: peak COMMAND [ARGUMENT]...\n", stderr);
		return 2;
	}
	pid = fork();
	if (pid == 0) {
		null = open("/dev/null", O_WRONLY);
		if (null >= 0 && dup2(null, STDOUT_FILENO) >= 0)
			execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0 ||
	    getrusage(RUSAGE_CHILDREN, &usage) != 0)
		return 1;
	fprintf(stderr, "%ld\n", usage.ru_maxrss);
	return 0;
}
