% Model files and signals: the same as the program okra's.

function test_files()
  program = getenv('OKRA_PROGRAM');
  clean = enter_folder();
  [X, y] = okra_signal('ex2', 400, 'seed', 5);
  rand('state', 1);
  randn('state', 1);

  % What is loaded goes on with the same bits: filters of every kind, given features, float32, models.
  made = {okra('rffklms', struct('D', 64)), okra('qklms', 'epsu', 1), okra('krls', 'kernelpar', 5), okra('rls'), ...
          okra('rff-krls', 'precision', 'f32'), okra('auto'), okra('rff-klms', 'sigma', 'auto', 'lags', 3), ...
          okra('rff-klms', 'omega', randn(20, 5), 'phase', rand(20, 1))};
  for i = 1:numel(made)
    kaf = made{i};
    file = sprintf('%d.okra', i);
    kaf.run(X(1:300, :), y(1:300));
    kaf.save(file);
    again = okra.load(file);
    assert(again.recipe, kaf.recipe);
    assert(again.run(X(301:400, :), y(301:400)), kaf.run(X(301:400, :), y(301:400)));
    assert(isequal(again.parameters(), kaf.parameters()));
  end

  % The program learns what Octave learns, reads what Octave saved, and Octave what the program saved.
  stream = 's.csv';
  shell(program, sprintf('signal ex2 --samples 400 --seed 5 --out %s', stream));
  numbers = dlmread(stream, ',', 1, 0);
  assert(numbers, [X, y]);
  saved = 'p.okra';
  out = 'o.csv';
  shell(program, sprintf('run --quiet --recipe rff-klms --sigma 5 --mu 0.5 --save %s --out %s %s', saved, out, stream));
  kaf = okra('rffklms', struct('D', 300, 'mu', 1, 'kernelpar', 5));
  yhat = kaf.run(X, y);
  theirs = dlmread(out, ',', 1, 0);
  assert(theirs(:, 3), yhat);
  again = okra.load(saved);
  assert(again.evaluate(X), kaf.evaluate(X));
  ours = 'ours.okra';
  kaf.save(ours);
  shell(program, sprintf('predict --load %s --out %s %s', ours, out, stream));
  theirs = dlmread(out, ',', 1, 0);
  assert(theirs(:, 3), kaf.evaluate(X));

  refused('okra:open', {'nowhere'}, @() okra.load('nowhere.okra'));
  refused('okra:format', {'s.csv'}, @() okra.load(stream));
  refused('okra:write', {'none'}, @() kaf.save('none/m.okra'));
  refused('okra:null', {'train first'}, @() okra('klms').save(ours));

  % Rows of any format, as the program reads and writes them.
  [rows, names] = okra_read(stream);
  assert(rows, [X, y]);
  assert(names, {'x1', 'x2', 'x3', 'x4', 'x5', 'y'});
  formats = okra_read();
  for i = 1:numel(formats)
    if any(strcmp(formats(i).name, {'wav', 'flac', 'sound'})), continue; end
    converted = ['c.' formats(i).name];
    shell(program, sprintf('run --quiet --recipe lms --mu 0.01 --out %s %s', converted, stream));
    [again, names] = okra_read(converted, '', 4 * any(strcmp(formats(i).name, {'f64', 'f32'})));
    assert(size(again), [400, 4]);
    assert(again(:, 1), (1:400)');
    assert(again(:, 2), y, 1e-6);
  end
  assert(isempty(names));
  refused('okra:open', {'nowhere'}, @() okra_read('nowhere.csv'));
  refused('okra:parameter', {'xls', 'csv'}, @() okra_read(stream, 'xls'));
  refused('okra:format', {'s.csv', '6 columns'}, @() okra_read(stream, '', 5));
  bad = fopen('bad.csv', 'w');
  fprintf(bad, 'a,b\n1,2\n3,x\n');
  fclose(bad);
  refused('okra:format', {'bad.csv:3', 'column 2 (b)'}, @() okra_read('bad.csv'));

  % Signals: series have no inputs, and the list tells what there is.
  [none, series] = okra_signal('mackey-glass', 700, struct('tau', 30, 'run', 2));
  assert(size(none), [700, 0]);
  assert(size(series), [700, 1]);
  [~, other] = okra_signal('mackey-glass', 700, struct('tau', 30, 'run', 3));
  assert(any(other ~= series));
  list = okra_signal();
  assert(any(strcmp('ex2', {list.name})));
  refused('okra:parameter', {'mackey-glass'}, @() okra_signal('sawtooth', 10));
  refused('okra:parameter', {'colour'}, @() okra_signal('ex2', 10, 'colour', 1));
  refused('okra:parameter', {'how many'}, @() okra_signal('ex2'));
  refused('okra:parameter', {'n must be'}, @() okra_signal('ex2', -1));
end

function shell(program, arguments)
  [status, text] = system(sprintf('"%s" %s 2>&1', program, arguments));
  if status ~= 0
    error('okra %s: %s', arguments, text);
  end
end
