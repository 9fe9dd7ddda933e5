# A thin front for CMake. `make demo` and `make test` need nothing but this checkout: they install what is missing (Debian, Ubuntu).

BUILD = build/release
JOBS := $(shell nproc 2>/dev/null || echo 2)

.PHONY: all demo test bench format clean help

all: ## build libraries and programs into build/release
	@cmake/setup.sh build
	@cmake --preset release -DOKRA_TESTS=OFF
	@cmake --build $(BUILD) -j $(JOBS)

demo: ## learn a nonlinear stream online and draw its learning curve
	@cmake/setup.sh build demo
	@cmake --preset release -DOKRA_TESTS=OFF > $(if $(VERBOSE),/dev/stdout,/dev/null)
	@cmake --build $(BUILD) -j $(JOBS) --target demo > $(if $(VERBOSE),/dev/stdout,/dev/null)
	@$(BUILD)/examples/demo build/demo

PRESET = release

test: ## build and run every test; PRESET=asan-ubsan for the sanitizers
	@cmake/setup.sh build test
	@cmake --preset $(PRESET) -DOKRA_TESTS=ON
	@cmake --build build/$(PRESET) -j $(JOBS)
	@ctest --preset $(PRESET)

bench: all ## speed on this machine, as ratios
	@$(BUILD)/bench/bench_lms

format: ## clang-format over all sources
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean: ## remove everything that was built
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16
