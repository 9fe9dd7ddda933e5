% OKRA_NAMES  KAFBOX's names and okra's, in one table.
%
%   t = okra_names()          t.algorithms and t.parameters, cell arrays with the columns below
%   okra_names()              prints them
%
% A filter that is made by a name of KAFBOX's speaks KAFBOX's language: its parameter names, their meanings and their
% defaults, as in version 2.2 of that toolbox. okra's own parameters are understood there as well, where KAFBOX has no
% other meaning for the name. docs/octave.md shows this table; a test compares them.

function t = okra_names()
  as_it_is = @(v) v;

  % KAFBOX's name, okra's recipe, what is set besides.
  % Dictionaries that KAFBOX lets grow for ever have a capacity here, and say so when it is reached.
  t.algorithms = {
    'rffklms', 'rff-klms', {}
    'klms',    'klms',     {}
    'qklms',   'qklms',    {'when-full', 'error'}
    'knlms',   'knlms',    {'when-full', 'error'}
    'knlmscc', 'knlms',    {'when-full', 'error'}
    'krls',    'krls',     {}
    'aldkrls', 'krls',     {}
    'lms',     'lms',      {}
    'nlms',    'nlms',     {}
    'rls',     'rls',      {'cyclic', 0}
  };

  % KAFBOX's algorithms, its parameter, okra's parameter, okra's value from KAFBOX's, KAFBOX's default, how they differ.
  t.parameters = {
    {'rffklms'},              'mu',         'mu',        @(v) v / 2,      0.9,     'half of it: KAFBOX''s features are sqrt(2) times shorter'
    {'rffklms'},              'D',          'features',  as_it_is,        1000,    ''
    {'rffklms'},              'seed',       'seed',      as_it_is,        1,       'another generator: other features for the same seed'
    {'klms'},                 'eta',        'mu',        as_it_is,        0.5,     ''
    {'qklms'},                'eta',        'mu',        as_it_is,        0.9,     ''
    {'knlms', 'knlmscc'},     'eta',        'mu',        as_it_is,        0.1,     ''
    {'lms'},                  'mu',         'mu',        as_it_is,        0.2,     ''
    {'nlms'},                 'mu',         'mu',        as_it_is,        0.9,     ''
    {'klms'},                 'M',          'capacity',  @finite_room,    10000,   'when full, okra adapts the nearest centre; KAFBOX stops learning'
    {'krls', 'aldkrls'},      'M',          'capacity',  @finite_square,  1000,    ''
    {'qklms'},                'epsu',       'epsilon',   @squared_reach,  0.1,     'a distance; okra''s is a squared distance'
    {'knlms', 'knlmscc'},     'mu0',        'coherence', as_it_is,        0.9,     ''
    {'knlms', 'knlmscc'},     'eps',        'reg',       as_it_is,        1e-4,    ''
    {'nlms'},                 'eps',        'reg',       as_it_is,        1e-6,    ''
    {'krls', 'aldkrls'},      'nu',         'nu',        as_it_is,        1e-4,    ''
    {'rls'},                  'lambda',     'beta',      as_it_is,        0.99,    'forgetting; okra''s lambda is the regularisation'
    {'rls'},                  'c',          'lambda',    as_it_is,        1e-4,    'regularisation'
    kernel_algorithms(),      'kerneltype', 'kernel',    @kernel_name,    'gauss', 'gauss or rbf'
    kernel_algorithms(),      'kernelpar',  'sigma',     as_it_is,        1,       ''
  };
  if nargout == 0
    show(t);
    clear t
  end
end

function names = kernel_algorithms()
  names = {'rffklms', 'klms', 'qklms', 'knlms', 'knlmscc', 'krls', 'aldkrls'};
end

% KAFBOX reuses a centre at distance epsu and below, okra below epsilon: the next number up.
function epsilon = squared_reach(epsu)
  epsilon = epsu .^ 2 + eps(epsu .^ 2);
end

% M = Inf asks for all there is: as many centres as memory is well spent on, O(M) and, for krls, O(M^2).
function capacity = finite_room(M)
  capacity = min(M, 100000);
end

function capacity = finite_square(M)
  capacity = min(M, 4000);
end

function name = kernel_name(type)
  if ~any(strcmp(type, {'gauss', 'rbf', 'gaussian'}))
    error('okra:parameter', ['okra: kerneltype ''%s'' is not among gauss, rbf; okra''s own kernels are parameter ' ...
                             '''kernel'': gaussian, laplacian, cauchy, matern32, matern52'], type);
  end
  name = 'gaussian';
end

function show(t)
  fprintf('%-10s %s\n', 'KAFBOX', 'okra');
  for i = 1:size(t.algorithms, 1)
    fprintf('%-10s %s\n', t.algorithms{i, 1}, t.algorithms{i, 2});
  end
  fprintf('\n%-11s %-10s %-8s %s\n', 'parameter', 'okra', 'default', 'of');
  for i = 1:size(t.parameters, 1)
    row = t.parameters(i, :);
    default = row{5};
    if ~ischar(default), default = sprintf('%g', default); end
    fprintf('%-11s %-10s %-8s %s', row{2}, row{3}, default, strjoin(row{1}, ', '));
    if ~isempty(row{6}), fprintf(' (%s)', row{6}); end
    fprintf('\n');
  end
end
