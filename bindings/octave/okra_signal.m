% OKRA_SIGNAL  A synthetic stream: the paper's examples, Mackey-Glass, Lorenz and others.
%
%   [X, y] = okra_signal('ex2', 15000)                          n samples: rows of X, and their targets
%   [X, y] = okra_signal('ex2', 15000, struct('seed', 3))       seed, run, and the signal's constants
%   [X, y] = okra_signal('mackey-glass', 2000, 'noise', 0.01)   the same as pairs; X is n x 0 for a time series
%   s = okra_signal()                                           all signals: name, help and constants
%
% The same arguments give the same numbers, as 'okra signal' does on the command line.

function [X, y] = okra_signal(name, n, varargin)
  if nargin == 0
    X = okra_mex('signals');
    return
  end
  if nargin < 2
    error('okra:parameter', 'okra: how many samples? okra_signal(name, n)');
  end
  constants = struct();
  if numel(varargin) == 1
    constants = varargin{1};
  elseif ~isempty(varargin)
    constants = struct(varargin{:});
  end
  names = fieldnames(constants);
  [X, y] = okra_mex('signal', name, n, strrep(names, '_', '-'), struct2cell(constants));
end
