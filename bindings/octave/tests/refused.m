% refused(IDENTIFIER, WORDS, CALL): the call must end in that error, whose message has all the words of a cell.
function refused(identifier, words, call)
  try
    call();
  catch why
    if ~strcmp(why.identifier, identifier)
      error('%s, not %s: %s', why.identifier, identifier, why.message);
    end
    for word = words
      assert(~isempty(strfind(why.message, word{1})), [why.message, ' does not say ', word{1}]);
    end
    return
  end
  error('was not refused with %s', identifier);
end
