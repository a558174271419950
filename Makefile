# SPDX-License-Identifier: MIT
# Build, check and install tokpick.

# Yours to set; what is below is kept apart from these.
CC ?= cc
CFLAGS ?= -O2 -g
BUILD ?= build
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
ZSHDIR ?= $(DATADIR)/zsh/site-functions
CMOCKA ?= -lcmocka
FUZZ_SECONDS ?= 20
FUZZ_LENGTH ?= 1024

WARNINGS = \
	-Wall \
	-Wextra \
	-Wpedantic \
	-Wcast-qual \
	-Wconversion \
	-Wformat=2 \
	-Wmissing-prototypes \
	-Wold-style-definition \
	-Wpointer-arith \
	-Wshadow \
	-Wstrict-prototypes \
	-Wundef \
	-Wvla \
	-Wwrite-strings \
	$(if $(filter 1,$(WERROR)),-Werror)

# Hardening, as far as this compiler goes; `make HARDEN=no` builds without.
ifneq ($(HARDEN),no)
works = $(shell echo 'int main(void) { return 0; }' | $(CC) -Werror $(1) \
	-x c - -o /dev/null 2>/dev/null && echo '$(1)')
PIE := $(if $(filter -static,$(LDFLAGS)),,$(call works,-fPIE -pie))
HARDEN_CFLAGS := $(call works,-fstack-protector-strong) \
	$(call works,-fstack-clash-protection) \
	$(call works,-fcf-protection) \
	$(call works,-mbranch-protection=standard) $(filter -fPIE,$(PIE))
HARDEN_LDFLAGS := $(call works,-z relro -z now) $(filter -pie,$(PIE))
# Fortifying needs an optimiser, and leaves a level of the user's own alone.
ifeq ($(findstring FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS)),)
ifneq ($(filter-out -O0,$(lastword $(filter -O%,$(CFLAGS)))),)
HARDEN_CFLAGS += -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
endif
endif
endif

# The ids are the same whatever CFLAGS say.  -Ofast and its like go, since the
# start-up code they link in flushes denormals; the rest is overridden.
EXACT = $(patsubst -Ofast,-O3,$(filter-out -ffast-math \
	-funsafe-math-optimizations,$(CFLAGS))) -ffp-contract=off \
	-fno-fast-math $(NARROW)
# Nor is a float worked out wider than it is, as s390x and i386 have it: these
# are the first flags that exact.h is content with, after the word "yes".
narrows = $(shell $(CC) -std=c17 $(EXACT) $(1) -E -o /dev/null \
	src/sampler/exact.h 2>/dev/null && echo yes $(1))
NARROW := $(wordlist 2,3,$(or $(call narrows),$(call \
	narrows,-fexcess-precision=fast),$(call narrows,-msse2 -mfpmath=sse)))
COMPILE = $(CC) -std=c17 -D_POSIX_C_SOURCE=200809L $(WARNINGS) \
	$(HARDEN_CFLAGS) $(CPPFLAGS) $(EXACT)
LINK = $(CC) $(HARDEN_LDFLAGS) $(EXACT) $(LDFLAGS)
LIBS = -lzstd -lpthread

TOKPICK = $(BUILD)/tokpick
OBJECTS = $(patsubst src/%.c,$(BUILD)/obj/%.o,$(wildcard src/*.c src/*/*.c))
PARTS = $(filter-out %/main.o,$(OBJECTS))
UNITS = $(patsubst tests/%.c,$(BUILD)/%,$(wildcard tests/unit/test_*.c))
BATS = $(wildcard tests/cli/*.bats)
RELEASE = $(wildcard tests/release/*.bats)
SPREAD = $(wildcard tests/spread/*.bats)
FUZZERS = $(patsubst tests/%.c,$(BUILD)/%,$(wildcard tests/fuzz/*.c))
DAMAGERS = $(FUZZERS:$(BUILD)/fuzz/%=$(BUILD)/damage/%)
VERSION = $(shell sed -n 's/.*TOKPICK_VERSION "\(.*\)"/\1/p' src/*/*.h)

all: $(TOKPICK)

$(TOKPICK): $(OBJECTS)
	$(LINK) -o $@ $(OBJECTS) $(LIBS)

$(BUILD)/obj/%.o: src/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c -o $@ $<

$(BUILD)/unit/test_dmath: TEST_LIBS = -lmpfr -lgmp
$(BUILD)/unit/test_bytes: TEST_LIBS = -Wl,--wrap=poll
$(BUILD)/unit/test_slurp: TEST_LIBS = -Wl,--wrap=read
FAILING_WRAPS = malloc calloc realloc free
$(BUILD)/unit/test_grammar_memory: TEST_LIBS = $(FAILING_WRAPS:%=-Wl,--wrap=%)
$(BUILD)/unit/%: tests/unit/%.c $(PARTS) $(BUILD)/flags
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -MT $@ -MF $@.d -c -o $@.o $<
	$(LINK) -o $@ $@.o $(PARTS) $(CMOCKA) $(TEST_LIBS) $(LIBS)

# Only what is under test tells the fuzzer where it has been.
$(BUILD)/fuzz/%: tests/fuzz/%.c $(PARTS) $(BUILD)/flags
	@mkdir -p $(@D)
	$(COMPILE) -fno-sanitize=fuzzer-no-link -MMD -MP -MT $@ -MF $@.d -c -o $@.o $<
	$(LINK) -fsanitize=fuzzer -o $@ $@.o $(PARTS) $(LIBS)

# What torture needs: shims to preload, an allocator that fails linked in, and
# for each fuzzer a program that gives it damaged files.
$(BUILD)/fault/%.so: tests/fault/%.c tests/fault/fault.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(COMPILE) -fPIC -shared -o $@ $< -ldl

$(BUILD)/fault/model: tests/model/bigram.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(COMPILE) -o $@ $<

WRAPPED = malloc calloc realloc aligned_alloc posix_memalign free
$(BUILD)/fault/tokpick: tests/fault/memory.c tests/fault/fault.h $(OBJECTS)
	@mkdir -p $(@D)
	$(COMPILE) -DFAULT_WRAP $(WRAPPED:%=-Wl,--wrap=%) -o $@ $< $(OBJECTS) \
		$(LIBS)

$(BUILD)/record.o: tests/coverage/record.c
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<

$(BUILD)/damage/%: tests/fuzz/%.c tests/fault/damage.c $(PARTS)
	@mkdir -p $(@D)
	$(COMPILE) -o $@ $< tests/fault/damage.c $(PARTS) $(LIBS)

# Rewritten only when the flags are others than last time: then all rebuilds.
$(BUILD)/flags: FORCE
	@mkdir -p $(BUILD)
	@echo "$(COMPILE) $(LINK)" | cmp -s - $@ || echo "$(COMPILE) $(LINK)" >$@

-include $(OBJECTS:.o=.d) $(UNITS:=.d) $(FUZZERS:=.d)

units: $(UNITS)

check: check-unit check-cli check-vectors

# A target for each test program, so that -j runs several and -k all.
check-unit: $(UNITS:=.run)
check-cli: $(BATS:=.run)
check-release: $(RELEASE:=.run)
check-spread: $(SPREAD:=.run)

$(UNITS:=.run): %.run: %
	$(TOKPICK_EMULATOR) $<

$(BATS:=.run) $(RELEASE:=.run) $(SPREAD:=.run): %.run: % $(TOKPICK)
	TOKPICK=$(abspath $(TOKPICK)) TOKPICK_EMULATOR='$(TOKPICK_EMULATOR)' \
		bats $<

check-vectors: $(TOKPICK)
	TOKPICK_EMULATOR='$(TOKPICK_EMULATOR)' tests/vectors/run $(TOKPICK)

# The whole suite under a sanitizer, each in a folder of its own.
SANE = -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all
asan: SANITIZER = address,undefined
ubsan: SANITIZER = undefined
tsan: SANITIZER = thread
asan ubsan tsan:
	$(MAKE) check BUILD=$(BUILD)/$@ HARDEN=no \
		CFLAGS='$(SANE) -fsanitize=$(SANITIZER)'

# MSan must see every write: libzstd is built with it too, and the unit tests,
# whose libraries are not, stay out.
msan:
	scripts/zstd-static 'clang -fsanitize=memory' $(BUILD)/msan/zstd
	$(MAKE) check-cli check-vectors BUILD=$(BUILD)/msan HARDEN=no \
		CC=clang CFLAGS='$(SANE) -fsanitize=memory' \
		CPPFLAGS=-I$(BUILD)/msan/zstd LDFLAGS=-L$(BUILD)/msan/zstd

# All of `check`, and each fault once, by a build that records; then what of
# src/ no test has come through, of which there is to be nothing.
RECORD = BUILD=$(BUILD)/coverage HARDEN=no CFLAGS='-O0 -g --coverage' \
	CPPFLAGS='-DTOKPICK_COVERAGE -DTOKPICK_TEST' \
	LDFLAGS='-Wl,--wrap=raise -Wl,--wrap=syscall $(BUILD)/coverage/record.o'
COVERAGE = gcovr --root . --filter src/ $(BUILD)/coverage
coverage: export GCOV_ERROR_FILE = /dev/null
coverage: export TOKPICK_RECORDS = yes
coverage:
	$(MAKE) torture-shims BUILD=$(BUILD)/torture/plain HARDEN=no
	$(MAKE) $(BUILD)/coverage/record.o $(RECORD)
	$(MAKE) check $(RECORD)
	tests/fault/torture --recording $(BUILD)/coverage/tokpick \
		$(BUILD)/torture memory calls
	$(COVERAGE) --branches
	$(COVERAGE) --fail-under-line 100 --fail-under-branch 100

fuzz:
	$(MAKE) fuzz-run BUILD=$(BUILD)/fuzzing HARDEN=no CC=clang \
		CFLAGS='$(SANE) -fsanitize=fuzzer-no-link,address,undefined'

# The same with MemorySanitizer, and the libzstd that msan has.
fuzz-msan:
	scripts/zstd-static 'clang -fsanitize=memory' $(BUILD)/msan/zstd
	$(MAKE) fuzz-run BUILD=$(BUILD)/fuzzing-msan HARDEN=no CC=clang \
		CFLAGS='$(SANE) -fsanitize=fuzzer-no-link,memory' \
		CPPFLAGS=-I$(BUILD)/msan/zstd LDFLAGS=-L$(BUILD)/msan/zstd

# What is found is kept in the build; seeds, where there are any, are only read.
fuzz-run: $(FUZZERS:=.run)

$(FUZZERS:=.run): %.run: %
	mkdir -p $<.corpus
	$< -max_total_time=$(FUZZ_SECONDS) -max_len=$(FUZZ_LENGTH) \
		-verbosity=0 -print_final_stats=1 -artifact_prefix=$<. \
		$(addprefix -dict=,$(wildcard tests/fuzz/$(notdir $<).dict)) \
		$<.corpus $(wildcard tests/fuzz/corpus/$(notdir $<))

# Faults of every kind, in tests/fault/; TORTURE=reduced takes a minute.
torture:
	$(MAKE) torture-plain BUILD=$(BUILD)/torture/plain HARDEN=no \
		CPPFLAGS=-DTOKPICK_TEST
	$(MAKE) torture-sane BUILD=$(BUILD)/torture/sane HARDEN=no \
		CPPFLAGS=-DTOKPICK_NO_SANDBOX CFLAGS='$(SANE) -fsanitize=address,undefined'
	tests/fault/torture $(TORTURE:%=--%) $(BUILD)/torture

torture-shims: $(addprefix $(BUILD)/fault/,memory.so calls.so model)
torture-plain: $(TOKPICK) torture-shims $(BUILD)/unit/test_pairs
torture-sane: $(TOKPICK) $(BUILD)/fault/tokpick $(DAMAGERS)

# Does a test fail for each of 200 small changes of the sampler?
mutation:
	CC='$(CC) $(NARROW)' tests/mutation/mutate $(MUTATION) $(BUILD)/mutation

bench: $(TOKPICK)
	TOKPICK=$(abspath $(TOKPICK)) scripts/bench

BASH_COMPLETION = $(DESTDIR)$(DATADIR)/bash-completion/completions/tokpick
ZSH_COMPLETION = $(DESTDIR)$(ZSHDIR)/_tokpick
FISH_COMPLETION = $(DESTDIR)$(DATADIR)/fish/vendor_completions.d/tokpick.fish

install: $(TOKPICK)
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man1 \
		$(dir $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION))
	install -m 755 $(TOKPICK) $(DESTDIR)$(BINDIR)/tokpick
	install -m 644 man/tokpick.1 $(DESTDIR)$(MANDIR)/man1/tokpick.1
	$(TOKPICK_EMULATOR) $(TOKPICK) --completions bash >$(BASH_COMPLETION)
	$(TOKPICK_EMULATOR) $(TOKPICK) --completions zsh >$(ZSH_COMPLETION)
	$(TOKPICK_EMULATOR) $(TOKPICK) --completions fish >$(FISH_COMPLETION)

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/tokpick $(DESTDIR)$(MANDIR)/man1/tokpick.1 \
		$(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION)

# The same commit makes the same bytes: git dates the files by the commit, and
# is told not to look at settings of the user's for their modes.
dist: ARCHIVE = tokpick-$(VERSION).tar
dist:
	git -c tar.umask=0022 archive --prefix=tokpick-$(VERSION)/ \
		--output=$(ARCHIVE) HEAD
	gzip -9nf $(ARCHIVE)

clean:
	rm -rf $(BUILD)

FORCE:
.PHONY: all units check check-unit check-cli check-vectors check-release \
	check-spread asan ubsan tsan msan coverage fuzz fuzz-msan fuzz-run \
	torture torture-plain torture-sane torture-shims mutation bench install \
	uninstall dist clean FORCE $(UNITS:=.run) $(BATS:=.run) \
	$(RELEASE:=.run) $(SPREAD:=.run) $(FUZZERS:=.run)
