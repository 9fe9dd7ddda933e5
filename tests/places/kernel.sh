# shellcheck shell=sh
# The kernel sech at a shell: in maps and in dictionaries, listed, completed, refused where it cannot be.
okra signal ex2 --samples 2000 --out rows.csv
okra run --quiet --recipe rff-krls --kernel sech --sigma 4 --map qmc --features 400 rows.csv > map.csv
okra run --quiet --recipe krls --kernel sech --sigma 4 rows.csv > dictionary.csv
# Both are nearly the same function, and neither is the gaussian's.
okra run --quiet --recipe krls --sigma 4 rows.csv > other.csv
far=$(paste -d , map.csv dictionary.csv | tail -n 500 | awk -F , '{ e = $NF - $(NF / 2); sum += e * e } END { printf "%d", sum / NR / 0.02 }')
[ "$far" = 0 ]
if cmp -s dictionary.csv other.csv; then exit 1; fi

okra help run | grep -q 'kernel .*sech'
okra list | grep -q '^  sech .*sech(r_j'
okra run --recipe rff-klms --map orf --kernel sech rows.csv 2>&1 | grep -q 'sech does not: use pair or qmc'
okra run --recipe rff-klms --map quadrature --kernel sech rows.csv 2>&1 | grep -q 'no rule for kernel sech'
grep -q sech "$MANUAL/man/man1/okra.1"
