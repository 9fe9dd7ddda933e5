% clean = enter_folder(): goes into a new folder; it is left and removed when `clean` is.
function clean = enter_folder()
  folder = tempname();
  mkdir(folder);
  before = cd(folder);
  clean = onCleanup(@() leave(before, folder));
end

function leave(before, folder)
  cd(before);
  confirm_recursive_rmdir(false, 'local');
  rmdir(folder, 's');
end
