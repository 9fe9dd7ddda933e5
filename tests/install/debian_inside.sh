#!/bin/sh
# debian_inside.sh: run by debian.sh in a fresh system, with the packages in /try. Each gets nothing but what it depends on, and is used.
set -eux
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
cd /try

add() { apt-get install -y -q --no-install-recommends "$@"; }

apt-get update -q

add ./okra_*.deb ./libokra0_*.deb
version=$(dpkg-query -W -f '${Version}' okra)
okra --version | grep -F "$version"
okra signal ex2 --samples 500 | okra run --quiet --save model.okra > predictions.csv
[ "$(wc -l < predictions.csv)" = 501 ]
okra info model.okra
okra bench --quick --rounds 3 io
echo "try: okra learns, saves and measures itself"

add ./python3-okra_*.deb
python3 -c "
import okra
assert okra.__version__ == '$version', okra.__version__
model = okra.Filter.load('model.okra')
X, y = okra.signal('ex2', 100)
print(okra.isa(), model.run(X, y)[-1])"
echo "try: python3-okra goes on with okra's model"

add ./okra-mpi_*.deb openmpi-bin
okra-mpi --help > /dev/null
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_plm=isolated
okra signal ex2 --samples 500 --out rows.csv
timeout 120 mpirun -n 2 okra-mpi learn --recipe rff-krls --sigma 5 --save shared.okra rows.csv
okra info shared.okra
echo "try: okra-mpi learns in two processes"

add ./libokra-dev_*.deb gcc gfortran libc6-dev pkgconf cmake make
for user in core/okra io/okra-io lab/okra-lab; do
    for static in "" --static; do
        # shellcheck disable=SC2046,SC2086 # words are meant
        gcc $(pkg-config --cflags "${user#*/}") "${user%/*}.c" $(pkg-config $static --libs "${user#*/}") -lm -o user
        ./user
    done
done
cp -r /usr/share/doc/libokra-dev/examples examples
cmake -S examples -B examples-build
cmake --build examples-build
cmake -S . -B static-build "-DWANT=core;io;lab" "-DLIBRARIES=okra::okra-static;okra::okra-io-static;okra::okra-lab-static"
cmake --build static-build
for user in core io lab; do static-build/$user; done
echo "try: libokra-dev serves pkg-config and CMake"
