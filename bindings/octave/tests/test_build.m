% okra_build(), which is how MATLAB gets its gateway: compiled by mex, it does what the one of CMake does.

function test_build()
  folder = tempname();
  mkdir(folder);
  clean = onCleanup(@() remove(folder));
  addpath(fullfile(pwd(), '..'));
  okra_build(getenv('OKRA_BUILD_DIR'), folder);
  rmpath(fullfile(pwd(), '..'));
  [X, y] = okra_signal('ex2', 100);
  before = okra('rff-klms').run(X, y);
  addpath(folder);
  found = which('okra_mex');
  assert(strncmp(found, folder, numel(folder)));
  assert(okra('rff-klms').run(X, y), before);
end

function remove(folder)
  rmpath(folder);
  confirm_recursive_rmdir(false, 'local');
  rmdir(folder, 's');
end
