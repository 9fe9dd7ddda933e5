# A thin front for CMake. `make demo` and `make test` need nothing but this checkout: they install what is missing (Debian, Ubuntu).

BUILD = build/release
JOBS := $(shell nproc 2>/dev/null || echo 2)

.PHONY: all install deb demo manual python octave single embedded test fresh valgrind coverage mutants places bench trust lint format clean help

all: ## build libraries and programs into build/release
	@cmake/setup.sh build
	@cmake --preset release -DOKRA_TESTS=OFF
	@cmake --build $(BUILD) -j $(JOBS)

PREFIX = /usr/local

install: ## install libraries, headers and programs to PREFIX=/usr/local; DESTDIR=DIR puts them under DIR, for packagers
	@cmake/setup.sh build
	@cmake --preset release -DOKRA_TESTS=OFF -DCMAKE_INSTALL_PREFIX=$(abspath $(PREFIX))
	@cmake --build $(BUILD) -j $(JOBS)
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD)

deb: ## Debian packages into build/deb, looked at by lintian, and as root tried in a fresh system of their own
	@cmake/setup.sh build deb
	@tests/install/debian.sh build/deb

demo: ## learn a nonlinear stream online and draw its learning curve
	@cmake/setup.sh build demo
	@cmake --preset release -DOKRA_TESTS=OFF > $(if $(VERBOSE),/dev/stdout,/dev/null)
	@cmake --build $(BUILD) -j $(JOBS) --target demo > $(if $(VERBOSE),/dev/stdout,/dev/null)
	@$(BUILD)/examples/demo build/demo

manual: ## the manual pages, and completion for bash and zsh, in build/release/manual/share
	@cmake/setup.sh build
	@cmake --preset release -DOKRA_TESTS=OFF
	@cmake --build $(BUILD) -j $(JOBS) --target manual
	@echo "To read it:  man $(BUILD)/manual/share/man/man1/okra.1   (and man3/okra.3 for the libraries)"
	@echo "To complete: source $(BUILD)/manual/share/bash-completion/completions/okra"

python: ## the Python package in build/release/bindings/python, which PYTHONPATH can name
	@cmake/setup.sh build python
	@cmake --preset release -DOKRA_TESTS=OFF -DOKRA_PYTHON=ON
	@cmake --build $(BUILD) -j $(JOBS) --target okra-python-modules okra-python-loops
	@echo "built; try: PYTHONPATH=$(BUILD)/bindings/python /usr/bin/python3 -c 'import okra; print(okra.__version__)'"

PRESET = release
PARTS_release = python octave
PARTS_tsan = clang
PARTS_msan = clang
PARTS_valgrind = valgrind
PARTS_aarch64 = aarch64
PARTS_s390x = s390x
# Machines that are emulated, by Debian's names for them.
SYSROOT_aarch64 = arm64
SYSROOT_s390x = s390x

test: ## build and run every test; PRESET=asan-ubsan, tsan or msan for the sanitizers, aarch64 or s390x for another machine, TESTS=-L.. or -R.. for some of them
	@cmake/setup.sh build test $(PARTS_$(PRESET))
	@$(if $(SYSROOT_$(PRESET)),cmake/sysroot.sh $(SYSROOT_$(PRESET)) build/sysroot-$(PRESET))
	@cmake --preset $(PRESET) -DOKRA_TESTS=ON $(if $(WERROR),-DOKRA_WERROR=ON)
	@cmake --build build/$(PRESET) -j $(JOBS)
	@ctest --preset $(PRESET) $(TESTS)

FRESH = build/fresh

fresh: ## as root: the README's first commands in a fresh Debian with git and make alone, on what is committed; COMMAND=.. for another, FRESH=DIR for its folder
	@tests/install/fresh.sh $(FRESH) $(if $(COMMAND),"$$COMMAND")

valgrind: ## the command-line tests, with the program under valgrind
	@$(MAKE) test PRESET=valgrind

coverage: ## lines and branches that the tests reach, as a table, and as HTML in build/coverage/html
	@cmake/setup.sh build test coverage
	@tests/coverage.sh

# Without SEED, another one every time.
COUNT = 150

mutants: ## what the tests miss: single changes of the code drawn at random, SEED=.. COUNT=150 of them; an hour or two, and it can be interrupted
	@cmake/setup.sh build test
	@tests/mutants/run.py --count $(COUNT) $(if $(SEED),--seed $(SEED)) --least 95

places: ## what is added costs few places: dummies of every kind, each a patch, applied to a copy, built and used from shell, Python and Octave
	@cmake/setup.sh build python octave
	@JOBS=$(JOBS) tests/places/run.sh

bench: ## speed on this machine, as ratios to lower bounds and baselines measured in the same run; SECTIONS=all for everything
	@cmake/setup.sh build bench
	@cmake --preset release -DOKRA_BENCH=ON
	@cmake --build $(BUILD) -j $(JOBS)
	@$(BUILD)/cli/okra bench $(SECTIONS)

octave: ## the Octave binding, into build/release/bindings/octave/okra
	@cmake/setup.sh build octave
	@cmake --preset release -DOKRA_TESTS=OFF
	@cmake --build $(BUILD) -j $(JOBS) --target okra-octave
	@echo "In Octave:  addpath $(CURDIR)/$(BUILD)/bindings/octave/okra"

single: ## all of libokra in one source and one header, build/single/okra.c and okra.h, for any C11 compiler
	@cmake/single.sh build/single
	@echo "build/single/okra.c and build/single/okra.h; the head of okra.c says how to compile it"

embedded: ## libokra on a Cortex-M4F in QEMU: builds examples/07_microcontroller, runs it, compares it with this machine, prints its figures
	@cmake/setup.sh embedded
	@tests/embedded/embedded.sh .

# A folder in memory, where there is one: what is killed or fails by the thousand need not wait for a disk.
MEMORY = $(firstword $(wildcard /dev/shm) /tmp)

trust: ## what takes long: extreme values, references, a soak of 1e9 samples, kill -9 a thousand times, every failing call, mutated models, fuzzers, every sanitizer, valgrind, places, mutants
	@cmake/setup.sh build test fuzz
	@cmake --preset release -DOKRA_TESTS=ON
	@cmake --build $(BUILD) -j $(JOBS)
	@for bits in 64 32; do $(BUILD)/tests/stability_f$$bits full || exit 1; done
	@for bits in 64 32; do $(BUILD)/tests/test_extreme_values_f$$bits full && $(BUILD)/tests/test_reference_f$$bits 20000 || exit 1; done
	@for bits in 64 32; do $(BUILD)/tests/soak_f$$bits full || exit 1; done
	@$(BUILD)/tests/test_number 10
	@TMPDIR=$(MEMORY) $(BUILD)/tests/test_cli_crash 1000
	@TMPDIR=$(MEMORY) $(BUILD)/tests/test_cli_fault all
	@$(BUILD)/tests/test_file_limits full
	@cmake --preset asan-ubsan -DOKRA_TESTS=ON
	@cmake --build build/asan-ubsan -j $(JOBS) --target mutate_models
	@TMPDIR=$(MEMORY) build/asan-ubsan/tests/mutate_models tests/golden/models 20000
	@tests/fuzz/run.sh 60
	@for preset in tsan msan valgrind; do $(MAKE) test PRESET=$$preset || exit 1; done
	@$(MAKE) places
	@$(MAKE) mutants

lint: ## what needs no run: both compilers' warnings, clang-tidy, cppcheck, clang-format, shellcheck; LINT=tidy for one of them
	@cmake/setup.sh build test bench lint
	@tests/lint.sh $(LINT)

format: ## clang-format over all sources
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean: ## remove everything that was built
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16
