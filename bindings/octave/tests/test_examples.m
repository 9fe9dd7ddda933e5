% The examples, as they stand: they run without a display, draw, and come to what they should.

function test_examples()
  if ~any(strcmp('gnuplot', available_graphics_toolkits()))
    error('okra_test:skip', 'no gnuplot to draw with');
  end
  if system('command -v gs > /dev/null') ~= 0
    error('okra_test:skip', 'no gs (Ghostscript), which print needs');
  end
  addpath(fullfile(pwd(), '..', 'examples'));
  clean = enter_folder();

  % 50 runs: the paired difference is -1.2 dB with a standard deviation of 0.2 (200 runs and more say so).
  floors = of_example2();
  assert(diff(floors) > 0.4 && diff(floors) < 2);
  assert(abs(floors(1) + 14.5) < 1.5);
  % 1500 rows: the standard deviation of a share of 95% is 0.6%.
  assert(abs(of_mackey_glass() - 0.95) < 0.02);
  nmse = of_amplifier();
  assert(nmse(2) < 0.6 * nmse(1));
  for name = {'example2', 'mackey_glass', 'amplifier'}
    file = fopen([name{1}, '.png']);
    signature = fread(file, 8)';
    fclose(file);
    assert(signature, [137, 80, 78, 71, 13, 10, 26, 10]);
  end
end

% Examples are scripts: they leave their variables here.
function floors = of_example2()
  example2;
end

function inside = of_mackey_glass()
  mackey_glass;
end

function nmse = of_amplifier()
  amplifier;
end
