% run_test NAME: what ctest runs. 77: the test says that it cannot run here.
function run_test(name)
  addpath(getenv('OKRA_OCTAVE_DIR'), pwd());
  try
    feval(name);
  catch why
    if strcmp(why.identifier, 'okra_test:skip')
      printf('skipped: %s\n', why.message);
      exit(77);
    end
    fprintf(stderr, '%s: %s\n', name, why.message);
    for place = why.stack'
      fprintf(stderr, '  %s:%d\n', place.name, place.line);
    end
    exit(1);
  end
end
