% OKRA_BUILD  Compiles the gateway with mex, beside this file: for MATLAB, or for an Octave that CMake does not find.
%
%   okra_build()                  the libraries are in build/release of this checkout, where `make` puts them
%   okra_build(BUILD, TARGET)     they are in BUILD; the gateway goes to TARGET

function okra_build(build, target)
  here = fileparts(mfilename('fullpath'));
  root = fullfile(here, '..', '..');
  if nargin < 1, build = fullfile(root, 'build', 'release'); end
  if nargin < 2, target = here; end
  sources = {'okra_mex.c', 'data.c', 'learners.c', 'learning.c', 'looking.c', 'values.c'};
  sources = fullfile(here, 'mex', sources);   % the first one names the output
  libraries = fullfile(build, 'src', {fullfile('lab', 'libokra-lab.a'), fullfile('io', 'libokra-io.a'), 'libokra.a'});
  needs = {'-lm'};
  said = fileread(fullfile(build, 'okra-io.pc'));
  if ~isempty(strfind(said, 'sndfile')), needs = [{'-lsndfile'}, needs]; end
  if ~isempty(strfind(said, '-lz')), needs = [{'-lz'}, needs]; end
  before = cd(target);
  back = onCleanup(@() cd(before));
  mex(['-I' fullfile(root, 'include')], sources{:}, libraries{:}, needs{:});
end
