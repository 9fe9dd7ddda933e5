% OKRA_READ  Rows of numbers out of a file, in every format that okra reads.
%
%   X = okra_read('stream.csv')                  a row a sample; a missing value is NaN
%   [X, names] = okra_read('stream.csv')         and the names of the columns, {} where there are none
%   X = okra_read('numbers', 'f64', 3)           the format by name, and how many numbers are a row of a file that does not tell
%   f = okra_read()                              all formats: name, help and suffixes
%
% Files are read as 'okra run' reads them: what is no number is refused by file, line and column.

function [X, names] = okra_read(path, format, columns)
  if nargin == 0
    X = okra_mex('formats');
    return
  end
  if nargin < 2, format = ''; end
  if nargin < 3, columns = 0; end
  [X, names] = okra_mex('read', path, format, columns);
end
