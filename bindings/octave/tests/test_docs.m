% docs/octave.md: its table is the table of okra_names.m. Its programs are run by tests/docs.

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
end

function has(text, line)
  if isempty(strfind(text, line))
    error('docs/octave.md lacks the line %s', line);
  end
end
