% picture(FILE, Y, NAMES, LABEL): draws the columns of Y into a PNG. Needs no display: Octave draws with gnuplot where it can,
% and prints with Ghostscript.
function picture(file, Y, names, label)
  if exist('OCTAVE_VERSION', 'builtin') && any(strcmp('gnuplot', available_graphics_toolkits()))
    warning('off', 'Octave:gnuplot-graphics');
    graphics_toolkit('gnuplot');
  end
  f = figure('visible', 'off');
  plot(Y, 'linewidth', 1.5);
  legend(names{:}, 'location', 'northoutside', 'orientation', 'horizontal');
  xlim([0, size(Y, 1)]);
  xlabel('n');
  ylabel(label);
  grid on
  set(gca, 'gridlinestyle', ':');
  print(f, '-dpng', '-r100', file);
  close(f);
  fprintf('drawn: %s\n', file);
end
