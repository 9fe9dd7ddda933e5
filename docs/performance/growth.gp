# gnuplot growth.gp draws growth.png and growth.svg from growth.csv
set datafile separator ','
set border 3 lc rgb '#444444'
set tics nomirror out textcolor rgb '#222222'
set grid lt 1 lw 0.6 lc rgb '#e2e2e2'
set logscale y
set xlabel 'inputs d'
set xrange [0:21]
set key bottom right samplen 2 spacing 1.15

set terminal pngcairo size 1300,620 font 'sans,14'
set output 'growth.png'
set multiplot layout 1,2 title 'Example 2 with d inputs, at equal error'
set title 'time per sample'
set ylabel 'ns'
plot 'growth.csv' every ::1 using 1:2 with linespoints pt 7 ps 0.7 lw 1.8 lc rgb '#b5542b' title 'QKLMS', \
     'growth.csv' every ::1 using 1:3 with linespoints pt 7 ps 0.7 lw 1.8 lc rgb '#1f5f8b' title 'the fastest map', \
     'growth.csv' every ::1 using 1:3:6 with labels font ',9' offset 0,-1 notitle
set title 'size'
set ylabel 'M, D'
plot 'growth.csv' every ::1 using 1:4 with linespoints pt 7 ps 0.7 lw 1.8 lc rgb '#b5542b' title 'centres M of QKLMS', \
     'growth.csv' every ::1 using 1:5 with linespoints pt 7 ps 0.7 lw 1.8 lc rgb '#1f5f8b' title 'features D of that map', \
     'growth.csv' every ::1 using 1:5:6 with labels font ',9' offset 0,-1 notitle
unset multiplot
unset output

set terminal svg size 900,430 font 'sans,12'
set output 'growth.svg'
set multiplot layout 1,2 title 'Example 2 with d inputs, at equal error'
set title 'time per sample'
set ylabel 'ns'
plot 'growth.csv' every ::1 using 1:2 with linespoints pt 7 ps 0.7 lw 1.8 lc rgb '#b5542b' title 'QKLMS', \
     'growth.csv' every ::1 using 1:3 with linespoints pt 7 ps 0.7 lw 1.8 lc rgb '#1f5f8b' title 'the fastest map', \
     'growth.csv' every ::1 using 1:3:6 with labels font ',9' offset 0,-1 notitle
set title 'size'
set ylabel 'M, D'
plot 'growth.csv' every ::1 using 1:4 with linespoints pt 7 ps 0.7 lw 1.8 lc rgb '#b5542b' title 'centres M of QKLMS', \
     'growth.csv' every ::1 using 1:5 with linespoints pt 7 ps 0.7 lw 1.8 lc rgb '#1f5f8b' title 'features D of that map', \
     'growth.csv' every ::1 using 1:5:6 with labels font ',9' offset 0,-1 notitle
unset multiplot
unset output
