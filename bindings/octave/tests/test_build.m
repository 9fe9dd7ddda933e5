% okra_build(), which is how MATLAB gets its gateway: compiled by mex, it does what the one of CMake does.

function test_build()
  binding = fullfile(pwd(), '..');
  clean = enter_folder();
  folder = pwd();
  addpath(binding);
  okra_build(getenv('OKRA_BUILD_DIR'), folder);
  rmpath(binding);
  [X, y] = okra_signal('ex2', 100);
  before = okra('rff-klms').run(X, y);
  addpath(folder);
  found = which('okra_mex');
  assert(strncmp(found, folder, numel(folder)));
  assert(okra('rff-klms').run(X, y), before);
  rmpath(folder);
end
