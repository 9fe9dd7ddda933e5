% The life of an object: nothing is leaked and nothing freed too early, whatever is done with its names.

function test_object()
  [X, y] = okra_signal('ex2', 300);
  assert(okra.count(), 0);

  % Freed with its last name.
  kaf = trained(X, y);
  assert(okra.count(), 1);
  same = kaf;
  clear kaf
  assert(okra.count(), 1);
  assert(size(same.evaluate(X)), [300, 1]);
  clear same
  assert(okra.count(), 0);

  % As a local variable, in a cell, in a struct, overwritten, and after an error.
  local(X, y);
  assert(okra.count(), 0);
  many = {trained(X, y), trained(X, y)};
  s.kaf = trained(X, y);
  assert(okra.count(), 3);
  many = 1;
  s = struct();
  assert(okra.count(), 0);
  kaf = trained(X, y);
  kaf = trained(X, y);
  assert(okra.count(), 1);
  try
    fails(X, y);
  catch
  end
  kaf = [];
  assert(okra.count(), 0);

  % Neither form of train leaves a second name behind, and the statement leaves no `ans`.
  kaf = trained(X, y);
  kaf.train(X(1, :), y(1));
  kaf = kaf.train(X(1, :), y(1));
  assert(kaf.stats().learnt, 302);
  assert(~exist('ans', 'var'));
  clear kaf
  assert(okra.count(), 0);

  % Freed by hand: a second name then gets an error, not another filter's memory.
  kaf = trained(X, y);
  same = kaf;
  delete(kaf);
  assert(okra.count(), 0);
  other = trained(X, y);
  refused('okra:null', {}, @() same.stats());
  clear kaf same other
  assert(okra.count(), 0);

  % Handles of places that were given away again are told apart.
  id = okra_mex('create', 'lms', 1, 1, {}, {}, [], []);
  okra_mex('free', id);
  okra_mex('free', id);
  next = okra_mex('create', 'lms', 1, 1, {}, {}, [], []);
  refused('okra:null', {}, @() okra_mex('stats', id));
  refused('okra:null', {}, @() okra_mex('stats', 7));
  refused('okra:null', {}, @() okra_mex('stats', uint64(2 ^ 50)));
  okra_mex('free', next);

  % A copy goes its own way, and so does what was not trained yet.
  kaf = trained(X, y);
  twin = kaf.copy();
  before = twin.evaluate(X(1:5, :));
  assert(before, kaf.evaluate(X(1:5, :)));
  kaf.run(X, y);
  assert(twin.evaluate(X(1:5, :)), before);
  twin.run(X, y);
  assert(twin.evaluate(X(1:5, :)), kaf.evaluate(X(1:5, :)));
  new = okra('rffklms', struct('D', 50)).copy();
  new.train(X(1, :), y(1));
  assert(new.stats().features, 50);
  auto = okra('auto');
  auto.run(X, y);
  twin = auto.copy();
  assert(twin.run(X, y), auto.run(X, y));
  clear kaf twin new auto
  assert(okra.count(), 0);

  % The gateway stays loaded while there are filters: `clear all` frees them, and what comes after works.
  kaf = trained(X, y);
  assert(mislocked('okra_mex'));
  clear functions
  assert(size(kaf.evaluate(X)), [300, 1]);
  clear kaf
  assert(okra.count(), 0);
  assert(~mislocked('okra_mex'));
  many_lives(X, y);
end

% Hundreds of filters, a few at a time: the table of handles does not grow, and neither does memory.
function many_lives(X, y)
  lives = cell(1, 40);
  for i = 1:300
    lives{mod(i, 40) + 1} = trained(X(1:2, :), y(1:2));
  end
  assert(okra.count(), 40);
  lives = {};
  assert(okra.count(), 0);
end

function local(X, y)
  kaf = trained(X, y);
  assert(okra.count(), 1);
end

function fails(X, y)
  kaf = trained(X, y);
  kaf.train(X, y(1:2));
end

function kaf = trained(X, y)
  kaf = okra('rffklms', struct('D', 50, 'kernelpar', 5));
  kaf.run(X, y);
end
