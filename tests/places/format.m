% The format hex from Octave.
file = fopen('rows.hex', 'w');
fprintf(file, '3ff0000000000000 4000000000000000\n4000000000000000 4010000000000000\n');
fclose(file);
assert(okra_read('rows.hex'), [1, 2; 2, 4]);
assert(any(strcmp('hex', {okra_read().name})));
