# shellcheck shell=sh
# A new metric: in the summary, in every kind of --metrics, over the last rows, and after a run that goes on.
okra signal ex2 --samples 300 > s.csv
head -n 151 s.csv > half.csv
okra run --recipe lms --window 100 --out p.csv --metrics m.json --save m.okra s.csv 2> said
grep -q '^fourth ' said
grep -q '"recent_fourth"' m.json
wanted=$(awk -F , 'NR > 1 { sum += $4 ^ 4; n++ } END { printf "%.6g", sum / n }' p.csv)
grep -q "^fourth  *$wanted" said
okra run --recipe lms --window 100 --out q.csv --save n.okra --checkpoint 150 --quiet half.csv
cp s.csv half.csv
okra run --recipe lms --window 100 --out q.csv --save n.okra --checkpoint 150 --resume --metrics m.prom half.csv 2> again
[ "$(grep fourth said)" = "$(grep fourth again)" ]
grep -q '^okra_fourth ' m.prom
