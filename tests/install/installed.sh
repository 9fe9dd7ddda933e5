#!/bin/sh
# installed.sh PREFIX PART: `prefix` installs the build tree BUILD, of version VERSION, to PREFIX; the other parts use what is there as users do.
# CC and CMAKE are the build's own. 77: a tool is not here.
set -eu
prefix=$1 part=$2
here=$(realpath "$(dirname "$0")")
source=$(realpath "$here/../..")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"

# ---- tools --------------------------------------------------------------------------------------------------------------------------------

fail() {
    [ ! -s log ] || tail -n 20 log >&2
    echo "$part: $*" >&2
    exit 1
}

need() {
    for tool in "$@"; do
        command -v "$tool" > /dev/null || { echo "no $tool here" >&2; exit 77; }
    done
}

# must COMMAND..: succeeds; what it says is shown where it does not.
must() { "$@" > log 2>&1 || fail "failed: $*"; }

# refused WORDS COMMAND..: fails, and says WORDS.
refused() {
    words=$1
    shift
    ! "$@" > log 2>&1 || fail "succeeded: $*"
    grep -q -- "$words" log || fail "says nothing of '$words': $*"
}

libdir() { dirname "$(find "$prefix" -name 'libokra.so')"; }

# An environment without what a developer may have set: nothing there may help the installed files to each other.
plain() { env -u LD_LIBRARY_PATH -u PKG_CONFIG_PATH -u CMAKE_PREFIX_PATH "$@"; }

# Every file that the loader reads.
binaries() { find "$prefix" -type f \( -name '*.so*' -o -path '*/bin/*' -o -name okra-bench \); }

# naming PATH.. FOLDER: the files of FOLDER that name one of the paths. A path stands alone, or others follow below it: /okra, where somebody keeps
# a checkout, is not in include/okra/spec.h, nor is it in ${prefix}/okra or in /okra-1.
naming() {
    pattern=
    while [ $# -gt 1 ]; do
        path=$(printf '%s' "$1" | sed 's/[][\\.*^$+?(){}|]/\\&/g')
        pattern="$pattern${pattern:+|}$path"
        shift
    done
    find "$1" -type f | while read -r file; do
        if tr '\0' '\n' < "$file" | LC_ALL=C grep -qaE "(^|[^[:alnum:]_.})-])($pattern)([^[:alnum:]_.-]|\$)"; then echo "$file"; fi
    done
}

# ---- what is there ------------------------------------------------------------------------------------------------------------------------

# Installed to one place and moved to another, so that everything else shows that it can be.
install_prefix() {
    rm -rf "$prefix" "$prefix.first"
    must "$CMAKE" --install "$BUILD" --prefix "$prefix.first"
    mv "$prefix.first" "$prefix"
}

check_soname() {
    library=$(libdir)/lib$1.so
    [ "$(basename "$(realpath "$library")")" = "lib$1.so.$VERSION" ] || fail "lib$1.so is not a link to lib$1.so.$VERSION"
    readelf -d "$library" > log
    grep -q "SONAME.*\[lib$1\.so\.0\]" log || fail "the soname of lib$1 is not lib$1.so.0"
}

layout() {
    need readelf strip
    for name in okra okra-io okra-lab; do
        check_soname $name
        for file in "lib$name.so.0" "lib$name.a" "pkgconfig/$name.pc"; do
            [ -e "$(libdir)/$file" ] || fail "no $file"
        done
    done
    (cd "$source/include" && find okra -name '*.h' | sort) > wanted
    (cd "$prefix/include" && find . -type f | cut -c 3- | sort) > found
    cmp wanted found || fail "the headers are not those of the sources"
    find "$prefix" -name LICENSE | grep -q . || fail "no LICENSE"
    for file in $(binaries); do
        readelf -d "$file" > log
        if grep -E 'R(UN)?PATH' log | grep -qvF "[\$ORIGIN"; then fail "$file looks for libraries in places of this machine"; fi
    done
    # Debug information names its sources by right.
    cp -r "$prefix" stripped
    find stripped -type f \( -name '*.so*' -o -name '*.a' -o -path '*/bin/*' -o -name okra-bench \) -exec strip -g {} +
    printf 'x\0%s/src/map.c' "$source" > planted
    [ "$(naming "$source" planted)" = planted ] || fail "the search does not find what it is for"
    named=$(naming "$source" "$BUILD" "$prefix" stripped)
    [ -z "$named" ] || fail "these name places of this machine:" "$named"
    [ ! -e "$source/debian/changelog" ] || head -n 1 "$source/debian/changelog" | grep -qF "($VERSION)" ||
        fail "debian/changelog is not of version $VERSION"
}

# compile_headers SUFFIX COMPILER FLAG..: each header alone, and a second time after itself.
compile_headers() {
    suffix=$1
    shift
    for header in "$prefix"/include/okra/*.h; do
        name=okra/$(basename "$header")
        printf '#include <%s>\n#include <%s>\nextern int something;\n' "$name" "$name" > "alone.$suffix"
        must "$@" -Wall -Wextra -Werror -pedantic-errors -fsyntax-only -I "$prefix/include" "alone.$suffix"
    done
}

# C++ finds the functions under their C names.
cxx() {
    need g++
    compile_headers cpp g++ -std=c++11
    must g++ -std=c++11 -x c++ -I "$prefix/include" "$here/consumer/core.c" -L "$(libdir)" "-Wl,-rpath,$(libdir)" -lokra -o core
    must ./core
}

# ---- with CMake ---------------------------------------------------------------------------------------------------------------------------

# configure FOLDER OPTION..: somebody's project, told only where okra is.
configure() {
    folder=$1
    shift
    rm -rf tree
    plain "$CMAKE" -S "$folder" -B tree "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_C_COMPILER=$CC" "$@"
}

asks() { configure "$here/consumer" "-DREQUEST=$1"; }

# Before 1.0, another minor version is another interface; one that is newer than what is here is never enough.
find_package() {
    major=${VERSION%%.*} patch=${VERSION##*.} minor=${VERSION#*.} minor=${minor%.*}
    must asks ""
    must asks "$VERSION;EXACT;COMPONENTS;core"
    must asks "$major.$minor"
    grep -q "okra $VERSION" log || fail "okra_VERSION is not $VERSION"
    for wrong in "$major.$((minor + 1))" "$major.$minor.$((patch + 1))" "$((major + 1)).0" 99; do
        refused "version: $VERSION" asks "$wrong"
    done
    [ "$minor" = 0 ] || refused "version: $VERSION" asks "$major.$((minor - 1))"
}

# use LIBRARIES OPTION..: core, io and lab, each with its library of the list, built and run.
use() {
    libraries=$1
    shift
    must configure "$here/consumer" "-DWANT=core;io;lab" "-DLIBRARIES=$libraries" "$@"
    must "$CMAKE" --build tree
    for name in core io lab; do
        must plain "tree/$name"
        grep -qxF "$VERSION" log || fail "$name does not say $VERSION"
    done
}

components() {
    use "okra::okra;okra::okra-io;okra::okra-lab" "-DREQUEST=COMPONENTS;io;lab"
    use "okra::okra-static;okra::okra-io-static;okra::okra-lab-static" "-DREQUEST=$VERSION"
    for name in core io lab; do
        readelf -d "tree/$name" > log
        ! grep -q 'NEEDED.*libokra' log || fail "$name was linked to static libraries, and needs shared ones"
    done
    refused "no component nonesuch" asks "COMPONENTS;nonesuch"
    must asks "COMPONENTS;io;OPTIONAL_COMPONENTS;nonesuch"
    # A machine without the libraries that io and lab are made of: who links the shared ones does not notice.
    export PKG_CONFIG_LIBDIR=/nonexistent
    use "okra::okra;okra::okra-io;okra::okra-lab"
    refused "io-static needs sndfile, zlib, not found" asks "COMPONENTS;io-static"
    refused "lab-static needs lapacke, openblas" asks "COMPONENTS;lab;lab-static"
}

examples() {
    must configure "$source/examples"
    must "$CMAKE" --build tree -j 2
    must plain tree/demo demo
    [ -n "$(ls demo)" ] || fail "the demo has left nothing"
}

# ---- with pkg-config ----------------------------------------------------------------------------------------------------------------------

pkg() { plain env "PKG_CONFIG_PATH=$libraries/pkgconfig" pkg-config "$@"; }

# compile SOURCE MODULE.. [--static]: to ./user.
compile() {
    from=$1
    shift
    # shellcheck disable=SC2046 # words are meant
    must "$CC" -Wall -Wextra -Werror $(pkg --cflags "$@") "$from" $(pkg --libs "$@") -lm -o user
}

# The examples as lines "NAME MODULE..", from what their CMakeLists.txt says.
list_examples() { sed -n 's/^okra_example(\([^ )]*\) *\(.*\))$/\1 \2/p' "$source/examples/CMakeLists.txt" | sed 's/okra:://g; s/-static//g'; }

pkg_config() {
    need pkg-config
    libraries=$(libdir)
    for module in okra okra-io okra-lab; do
        [ "$(pkg --modversion $module)" = "$VERSION" ] || fail "$module is not of version $VERSION"
        pkg --atleast-version "$VERSION" $module || fail "$module is older than it is"
        ! pkg --atleast-version "$VERSION.1" $module || fail "$module is newer than it is"
    done
    for name in core/okra io/okra-io lab/okra-lab; do
        compile "$here/consumer/${name%/*}.c" "${name#*/}"
        must plain env "LD_LIBRARY_PATH=$libraries" ./user
    done
    list_examples > examples
    [ -s examples ] || fail "examples/CMakeLists.txt has none"
    while read -r name modules; do
        # shellcheck disable=SC2086 # words are meant
        compile "$source/examples/$name.c" $modules
    done < examples
}

# Linkers prefer a shared library, so these are taken away. What okra-io and okra-lab need is linked as the system has it. OpenBLAS asks for
# gfortran's library.
static() {
    need pkg-config gfortran
    cp -r "$(libdir)" lib
    rm lib/*.so*
    ln -s "$prefix/include" include
    libraries=$work/lib
    for name in core/okra io/okra-io lab/okra-lab; do
        compile "$here/consumer/${name%/*}.c" "${name#*/}" --static
        must plain ./user
    done
    # libokra can do without any library when it runs.
    # shellcheck disable=SC2046 # words are meant
    must "$CC" -static $(pkg --cflags okra) "$here/consumer/core.c" $(pkg --static --libs okra) -o user
    must plain ./user
}

# ---- the page -----------------------------------------------------------------------------------------------------------------------------

# take_blocks PAGE: the blocks that the page says are run here; those with a file= become that file, the others follow each other in commands.sh.
take_blocks() {
    awk '/^<!-- run by the test install_page -->$/ { ours = 1; next }
        ours && /^```/ && !inside { inside = 1; file = "commands.sh"; if (match($0, /file=[A-Za-z.]+/)) file = substr($0, RSTART + 5, RLENGTH - 5); next }
        inside && /^```/ { ours = inside = 0; next }
        inside { print > file }' "$1"
}

page() {
    need pkg-config
    take_blocks "$source/docs/install.md"
    export "CMAKE_PREFIX_PATH=$prefix" "PKG_CONFIG_PATH=$(libdir)/pkgconfig" "LD_LIBRARY_PATH=$(libdir)"
    must sh -eux commands.sh
    [ "$(grep -c "^okra $VERSION: sin(" log)" = 3 ] || fail "three programs were to say okra $VERSION"
}

# ---- programs and Python ------------------------------------------------------------------------------------------------------------------

program() {
    okra=$prefix/bin/okra
    must plain "$okra" --version
    grep -qF "$VERSION" log || fail "okra --version is not $VERSION"
    plain ldd "$okra" | awk '/libokra/ { print $3 }' | xargs -n 1 realpath > log
    [ "$(grep -cF "$(libdir)/" log)" = 3 ] || fail "okra does not use the three libraries of its own prefix"
    plain "$okra" signal ex2 --samples 300 > rows.csv
    plain "$okra" run --quiet rows.csv > predictions.csv
    "$BUILD/cli/okra" run --quiet rows.csv > wanted.csv
    [ "$(wc -l < predictions.csv)" = 301 ] || fail "300 rows, and not as many predictions"
    cmp predictions.csv wanted.csv || fail "not the predictions of the build tree"
    if [ -e "$BUILD/bench/okra-bench" ]; then refused "nonesuch" plain "$okra" bench nonesuch; fi
    if [ -e "$BUILD/mpi/okra-mpi" ]; then must plain "$prefix/bin/okra-mpi" --help; fi
}

# The package from a copy with no checkout around it, against what pkg-config finds.
python() {
    python=/usr/bin/python3
    [ -x $python ] || python=python3
    need "$python" pkg-config
    $python -c 'import numpy, setuptools, sysconfig, os; assert os.path.exists(sysconfig.get_path("include") + "/Python.h")' ||
        { echo "this Python lacks numpy, setuptools or its headers" >&2; exit 77; }
    cp -r "$source/bindings/python" package
    cd package
    must plain env OKRA_SYSTEM=1 "PKG_CONFIG_PATH=$(libdir)/pkgconfig" "CC=$CC" $python setup.py -q build_ext --inplace
    [ ! -e okra/_lib ] || fail "bundles libraries, and was asked to use installed ones"
    must plain env "LD_LIBRARY_PATH=$(libdir)" $python -B -c '
import okra
X, y = okra.signal("ex2", 100)
okra.Filter("rff-klms", 5).run(X, y)
print(okra.__version__, *{line.split()[-1] for line in open("/proc/self/maps") if "libokra" in line}, sep="\n")'
    grep -qxF "$VERSION" log || fail "okra.__version__ is not $VERSION"
    [ "$(grep -cF "$(libdir)/libokra" log)" = 3 ] || fail "does not use the three libraries that pkg-config names"
}

case $part in
prefix) install_prefix ;;
headers) compile_headers c "$CC" -std=c11 ;;
layout | cxx | find_package | components | examples | pkg_config | static | page | program | python) "$part" ;;
*) fail "no such part" ;;
esac
