% set_fields(S, NAME, VALUE, ..): a struct with these fields changed or added.
function s = set_fields(s, varargin)
  for i = 1:2:numel(varargin)
    s.(varargin{i}) = varargin{i + 1};
  end
end
