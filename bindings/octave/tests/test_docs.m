% docs/octave.md: its programs run as they stand, one after the other, and its table is the table of okra_names.m.

function test_docs()
  text = fileread(fullfile(getenv('OKRA_DOCS_DIR'), 'octave.md'));
  table = okra_names();
  for i = 1:size(table.algorithms, 1)
    has(text, sprintf('| `%s` | `%s` |', table.algorithms{i, 1:2}));
  end
  for i = 1:size(table.parameters, 1)
    [algorithms, theirs, ours, ~, default, how] = table.parameters{i, :};
    if ischar(default)
      default = sprintf('`%s`', default);
    else
      default = sprintf('%g', default);
    end
    if numel(algorithms) == 7
      algorithms = {'every kernel algorithm'};
    else
      algorithms = strcat('`', algorithms, '`');
    end
    has(text, sprintf('| `%s` | %s | `%s` | %s | %s |', theirs, strjoin(algorithms, ', '), ours, default, how));
  end

  clean = enter_folder();
  programs = regexp(text, '```octave\n(.*?)```', 'tokens');
  assert(numel(programs) >= 4);
  run_all(programs);
end

% In a scope of their own.
function run_all(programs__)
  for i__ = 1:numel(programs__)
    evalc(programs__{i__}{1});
  end
end

function has(text, line)
  if isempty(strfind(text, line))
    error('docs/octave.md lacks the line %s', line);
  end
end
