classdef okra < handle
% OKRA  Online kernel regression: adaptive filters that learn one sample at a time, in C.
%
%   kaf = okra('rffklms', struct('D', 300, 'mu', 1, 'kernelpar', 5));    % KAFBOX's names and meanings
%   kaf = okra('rff-klms', struct('features', 300, 'mu', .5, 'sigma', 5)); % okra's
%   kaf = okra('rff-krls', 'sigma', 5, 'beta', 0.9995);                  % parameters as pairs
%
%   y = kaf.evaluate(x)         predictions for the rows of x, learning nothing
%   kaf.train(x, y)             learns; kaf = kaf.train(x, y) does the same
%   Yhat = kaf.run(X, Y)        predicts each row, then learns it: a whole stream at the speed of C
%   y = kaf.begin(x), kaf.commit(y, weight)   a step in two halves
%   [y, s] = kaf.predict(X)     with standard deviations, where the recipe has them: rff-krls, rls, krls, auto
%
% Rows are samples. kaf is a handle: a second name for it is the same filter, kaf.copy() is another. It is freed with its
% last name. docs/octave.md has every call; okra.recipes, okra_names, okra_read and okra_signal list what there is.

  properties
    recipe = '';   % okra's name of the algorithm
  end

  % Hidden rather than private: after `clear functions` Octave no longer takes the methods of an existing object for its own.
  properties (Hidden)
    id = [];       % of the filter in the gateway; empty until the first sample tells the number of inputs
    names = {};    % okra's parameters and ..
    values = {};   % .. their values
    omega = [];    % given frequencies, D x inputs, in radians; empty: drawn
    phase = [];
  end

  properties (Dependent)
    dict           % centres of a dictionary, a row each
    alpha          % their coefficients, a column
    w              % weights of lms, nlms and rls: of the inputs and, last, of the bias
  end

  methods

    % okra(NAME): a filter by KAFBOX's name or okra's, with a struct of parameters, or with pairs of names and values.
    %
    % A name of KAFBOX's has KAFBOX's parameters and defaults (okra_names prints the table), and okra's besides. Where
    % both languages have the name ('rls') and okra's is meant, say so with the parameter dialect = 'okra'.
    % omega (D x inputs) and phase (or b), in radians, are features of your own for the recipes on random features.
    function kaf = okra(name, varargin)
      if nargin == 0
        return
      end
      parameters = okra.as_struct(varargin);
      [kaf.recipe, kaf.names, kaf.values, kaf.omega, kaf.phase] = okra.translate(name, parameters);
      inputs = max(size(kaf.omega, 2), 1);
      okra_mex('check', kaf.recipe, inputs, 1, kaf.names, kaf.values, kaf.omega, kaf.phase);
    end

    % train(x, y): learns a sample, or several as rows.
    function varargout = train(kaf, x, y)
      make(kaf, size(x, 2), size(y, 2));
      okra_mex('run', kaf.id, x, y);
      if nargout > 0
        varargout{1} = kaf;
      end
    end

    % evaluate(X): predictions for the rows of X; zeros before anything was learnt.
    function y = evaluate(kaf, X)
      if isempty(kaf.id)
        y = zeros(size(X, 1), 1);
      else
        y = okra_mex('predict', kaf.id, X);
      end
    end

    % [y, s] = predict(X): predictions for the rows of X, and their standard deviations.
    function varargout = predict(kaf, X)
      [varargout{1:max(nargout, 1)}] = okra_mex('predict', made(kaf), X);
    end

    % Yhat = run(X, Y): each row predicted before it is learnt. [Yhat, s] gives standard deviations too;
    % run(X, Y, weights) weighs the samples. The rows before a refused one stay learnt.
    function varargout = run(kaf, X, Y, weights)
      if nargin < 4, weights = []; end
      make(kaf, size(X, 2), size(Y, 2));
      [varargout{1:max(nargout, 1)}] = okra_mex('run', kaf.id, X, Y, weights);
    end

    % y = begin(x): the first half of a step, which predicts one row. commit(y, weight) is the other, for a weight that
    % depends on the error. A filter that begins before it was trained has one output.
    function y = begin(kaf, x)
      make(kaf, size(x, 2), 1);
      y = okra_mex('begin', kaf.id, x);
    end

    function commit(kaf, y, weight)
      if nargin < 3, weight = 1; end
      okra_mex('commit', made(kaf), y, weight);
    end

    % Forgets what was learnt.
    function varargout = reset(kaf)
      if ~isempty(kaf.id)
        okra_mex('reset', kaf.id);
      end
      if nargout > 0
        varargout{1} = kaf;
      end
    end

    % A twin that goes its own way.
    function twin = copy(kaf)
      twin = okra();
      for name = {'recipe', 'names', 'values', 'omega', 'phase'}
        twin.(name{1}) = kaf.(name{1});
      end
      if ~isempty(kaf.id)
        twin.id = okra_mex('copy', kaf.id);
      end
    end

    % save(file): as a model file, which the program okra reads too. okra.load(file) goes on with it.
    function save(kaf, file)
      okra_mex('save', made(kaf), file);
    end

    % state(name): an array of what was learnt, 'theta' for one; state() lists their names.
    function array = state(kaf, name)
      if nargin < 2
        array = okra_mex('arrays', made(kaf));
      else
        array = okra_mex('state', made(kaf), name);
      end
    end

    % Samples learnt, bytes, features, centres, and times that a full dictionary would have grown.
    function s = stats(kaf)
      s = okra_mex('stats', made(kaf));
    end

    % Which inputs matter, for the recipe auto or widths 'auto': numbers that add up to 1; how fast the nonlinear part of the prediction
    % varies along each input. With lags, each input with its lags, then the targets with theirs.
    function shares = relevance(kaf)
      shares = okra_mex('relevance', made(kaf));
    end

    % The parameters in force, by okra's names.
    function p = parameters(kaf)
      p = okra_mex('parameters', made(kaf));
    end

    function disp(kaf)
      fprintf('  okra filter %s', kaf.recipe);
      for i = 1:numel(kaf.names)
        value = kaf.values{i};
        if ~ischar(value), value = mat2str(value); end
        fprintf(' %s=%s', kaf.names{i}, value);
      end
      if isempty(kaf.id)
        fprintf(', nothing learnt yet\n');
      else
        s = kaf.stats();
        fprintf(', %d samples learnt\n', s.learnt);
      end
    end

    % Frees the filter. Octave may run this twice.
    function delete(kaf)
      if ~isempty(kaf.id)
        okra_mex('free', kaf.id);
        kaf.id = [];
      end
    end

    function centres = get.dict(kaf)
      centres = array_or_empty(kaf, 'centres');
    end

    function coefficients = get.alpha(kaf)
      coefficients = array_or_empty(kaf, 'alpha')';
    end

    function weights = get.w(kaf)
      weights = array_or_empty(kaf, 'theta')';
    end

  end

  methods (Hidden)

    % Once the first sample tells the numbers of inputs and outputs.
    function make(kaf, inputs, outputs)
      if ~isempty(kaf.id), return, end
      kaf.id = okra_mex('create', kaf.recipe, inputs, outputs, kaf.names, kaf.values, kaf.omega, kaf.phase);
    end

    function id = made(kaf)
      if isempty(kaf.id)
        error('okra:null', 'okra: nothing has been learnt yet: train first');
      end
      id = kaf.id;
    end

    function array = array_or_empty(kaf, name)
      array = [];
      if ~isempty(kaf.id) && any(strcmp(name, okra_mex('arrays', kaf.id)))
        array = okra_mex('state', kaf.id, name);
      end
    end

  end

  methods (Static)

    % A filter from a model file, of save() or of the program okra.
    function kaf = load(file)
      kaf = okra();
      kaf.id = okra_mex('load', file);
      p = okra_mex('parameters', kaf.id);
      kaf.recipe = p.recipe;
      p = rmfield(p, {'recipe', 'inputs', 'outputs'});
      kaf.names = strrep(fieldnames(p), '_', '-');
      kaf.values = struct2cell(p);
    end

    % All recipes: name, help, and parameters with their defaults. Without an output, prints them.
    function list = recipes()
      list = okra_mex('recipes');
      if nargout == 0
        for i = 1:numel(list)
          fprintf('%-9s %s\n          %s\n', list(i).name, list(i).help, strjoin(fieldnames(list(i).parameters)', ' '));
        end
        clear list
      end
    end

    % Version of the library, and the instruction set that it uses.
    function [text, isa] = version()
      [text, isa] = okra_mex('version');
    end

    % Filters that are in memory.
    function n = count()
      n = okra_mex('count');
    end

  end

  methods (Static, Hidden)

    % What the constructor was given, as a struct. struct() would make an array of a cell, so it is not asked to.
    function parameters = as_struct(given)
      parameters = struct();
      if numel(given) == 1 && isstruct(given{1}) && numel(given{1}) == 1
        parameters = given{1};
        return
      end
      if mod(numel(given), 2) ~= 0 || ~iscellstr(given(1:2:end))
        error('okra:parameter', 'okra: parameters are a struct, or pairs: okra(''rff-klms'', ''mu'', 0.5)');
      end
      for i = 1:2:numel(given)
        parameters.(strrep(given{i}, '-', '_')) = given{i + 1};
      end
    end

    % okra's recipe and parameters from a name and parameters in either language.
    function [recipe, names, values, omega, phase] = translate(name, parameters)
      table = okra_names();
      [dialect, parameters] = okra.take(parameters, 'dialect', '');
      [omega, phase, parameters] = okra.frequencies(parameters);
      known = find(strcmp(name, table.algorithms(:, 1)));
      ours = okra_mex('recipes');
      ours = {ours.name};
      is_ours = any(strcmp(name, ours));
      if strcmp(dialect, 'okra') && is_ours || isempty(known) && is_ours
        recipe = name;
        names = strrep(fieldnames(parameters), '_', '-');
        values = struct2cell(parameters);
      elseif ~isempty(known)
        [names, values] = okra.from_kafbox(table, name, table.algorithms{known, 3}, parameters);
        recipe = table.algorithms{known, 2};
      else
        error('okra:recipe', 'okra: no algorithm ''%s'': okra has %s; of KAFBOX''s names it knows %s', name, ...
              strjoin(ours, ', '), strjoin(table.algorithms(:, 1)', ', '));
      end
    end

    % Features of one's own are no parameter of the table.
    function [omega, phase, parameters] = frequencies(parameters)
      if isfield(parameters, 'b') && ~isfield(parameters, 'phase')
        [b, parameters] = okra.take(parameters, 'b', []);
        parameters.phase = b;
      end
      [omega, parameters] = okra.take(parameters, 'omega', []);
      [phase, parameters] = okra.take(parameters, 'phase', []);
    end

    % A field, or what stands for it; and the struct without it.
    function [value, s] = take(s, name, value)
      if isfield(s, name)
        value = s.(name);
        s = rmfield(s, name);
      end
    end

    % KAFBOX's parameters and defaults in okra's names and meanings; what KAFBOX does not know is okra's.
    function [names, values] = from_kafbox(table, name, besides, parameters)
      names = besides(1:2:end)';
      values = besides(2:2:end)';
      given = cell(0, 2);
      for i = 1:size(table.parameters, 1)
        [algorithms, theirs, ours, convert, value] = table.parameters{i, 1:5};
        if ~any(strcmp(name, algorithms))
          continue
        end
        if isfield(parameters, theirs)
          value = parameters.(theirs);
          parameters = rmfield(parameters, theirs);
          given(end + 1, :) = {theirs, ours};
        end
        if strcmp(theirs, 'M') && isequal(value, Inf)
          % nothing was said of a limit: reaching ours is an error
          names(end + 1, 1) = {'when-full'};
          values(end + 1, 1) = {'error'};
        end
        names(end + 1, 1) = {ours};
        values(end + 1, 1) = {convert(value)};
      end
      own = strrep(fieldnames(parameters), '_', '-');
      okra.expect_known(table, name, own, given);
      names = [names; own];
      values = [values; struct2cell(parameters)];
    end

    % Names beside KAFBOX's must be okra's, and say nothing twice.
    function expect_known(table, name, own, given)
      theirs = table.parameters(cellfun(@(of) any(strcmp(name, of)), table.parameters(:, 1)), 2)';
      recipe = table.algorithms{strcmp(name, table.algorithms(:, 1)), 2};
      list = okra_mex('recipes');
      ours = strrep(fieldnames(list(strcmp(recipe, {list.name})).parameters)', '_', '-');
      for i = 1:numel(own)
        if ~any(strcmp(own{i}, ours))
          error('okra:parameter', 'okra: %s has no parameter ''%s'': it has %s, and by okra''s names %s', name, own{i}, ...
                strjoin(theirs, ', '), strjoin(ours, ', '));
        end
        twice = find(strcmp(own{i}, given(:, 2)));
        if ~isempty(twice)
          error('okra:parameter', 'okra: %s and %s are the same parameter: give one', given{twice(1), 1}, own{i});
        end
      end
    end

  end

end
