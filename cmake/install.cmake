# What `cmake --install` lays down: libraries, headers, programs, texts, and what find_package and pkg-config read. Nothing in it names the
# place it was installed to, so a prefix can be moved.

include(CMakePackageConfigHelpers)

# Relative to the prefix, also where a packager named them in full.
foreach(directory BINDIR LIBDIR LIBEXECDIR INCLUDEDIR)
  file(RELATIVE_PATH ${directory} ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_${directory}})
endforeach()
set(package_dir ${LIBDIR}/cmake/okra)

# ---- libraries ----------------------------------------------------------------------------------------------------------------------------

# A file of targets for each: okra-io-static needs sndfile and zlib to be found, and who only links okra should not have to have it. (Each reads all
# files that continue its own name, so that no name may continue another's.)
function(okra_install_library component library)
  install(TARGETS ${library} EXPORT okra-${component} DESTINATION ${LIBDIR} INCLUDES DESTINATION ${INCLUDEDIR})
  install(EXPORT okra-${component} NAMESPACE okra:: FILE ${component}-targets.cmake DESTINATION ${package_dir})
endfunction()

okra_install_library(core okra)
okra_install_library(core-static okra-static)
foreach(part io lab)
  if(TARGET okra-${part})
    okra_install_library(${part} okra-${part})
    okra_install_library(${part}-static okra-${part}-static)
    if(NOT DEFINED CMAKE_INSTALL_RPATH)
      set_target_properties(okra-${part} PROPERTIES INSTALL_RPATH $ORIGIN) # where libokra is
    endif()
  endif()
endforeach()
install(DIRECTORY include/okra DESTINATION ${INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# ---- find_package -------------------------------------------------------------------------------------------------------------------------

set(io_static_modules)
if(OKRA_AUDIO)
  string(APPEND io_static_modules " sndfile")
endif()
if(OKRA_GZIP)
  string(APPEND io_static_modules " zlib")
endif()
configure_package_config_file(cmake/okraConfig.cmake.in okraConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(okraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/okraConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/okraConfigVersion.cmake DESTINATION ${package_dir})

# ---- pkg-config ---------------------------------------------------------------------------------------------------------------------------

# okra_pkg_config(NAME DESCRIPTION TEXT [REQUIRES MODULE...] [STATIC_MODULES MODULE...] [STATIC_LIBS FLAG...])
# NAME.pc; the STATIC ones are for those who link libNAME.a.
function(okra_pkg_config name)
  cmake_parse_arguments(arg "" "DESCRIPTION" "REQUIRES;STATIC_MODULES;STATIC_LIBS" ${ARGN})
  foreach(list REQUIRES STATIC_MODULES STATIC_LIBS)
    string(REPLACE ";" " " arg_${list} "${arg_${list}}")
  endforeach()
  file(RELATIVE_PATH to_prefix /${LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" to_prefix ${to_prefix})
  configure_file(cmake/package.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${LIBDIR}/pkgconfig)
endfunction()

okra_pkg_config(okra DESCRIPTION "${PROJECT_DESCRIPTION}" STATIC_LIBS -lm)
if(TARGET okra-io)
  set(io_modules)
  set(io_libs)
  if(OKRA_AUDIO)
    # Where libsndfile is shared only, its codecs are its own matter; its module would ask for all of them, and Debian does not install them.
    find_library(OKRA_SNDFILE_ARCHIVE libsndfile.a HINTS ${SNDFILE_LIBDIR})
    mark_as_advanced(OKRA_SNDFILE_ARCHIVE)
    if(OKRA_SNDFILE_ARCHIVE)
      list(APPEND io_modules sndfile)
    else()
      set(io_libs -lsndfile)
    endif()
  endif()
  if(OKRA_GZIP)
    list(APPEND io_libs -lz)
  endif()
  okra_pkg_config(okra-io DESCRIPTION "Tables of data and model files for okra" REQUIRES okra STATIC_MODULES ${io_modules} STATIC_LIBS ${io_libs})
endif()
if(TARGET okra-lab)
  find_package(OpenMP REQUIRED)
  okra_pkg_config(okra-lab DESCRIPTION "Signals, Monte Carlo, theory and networks for okra" REQUIRES okra
    STATIC_MODULES lapacke openblas STATIC_LIBS ${OpenMP_C_FLAGS})
endif()

# ---- programs and texts -------------------------------------------------------------------------------------------------------------------

# okra_install_program(TARGET DIRECTORY): if it is built at all. It finds the libraries of its own prefix wherever that is moved to;
# distributions turn this off with CMAKE_SKIP_INSTALL_RPATH.
function(okra_install_program program directory)
  if(NOT TARGET ${program})
    return()
  endif()
  install(TARGETS ${program} DESTINATION ${directory})
  file(RELATIVE_PATH to_libraries /${directory} /${LIBDIR})
  if(NOT DEFINED CMAKE_INSTALL_RPATH)
    set_target_properties(${program} PROPERTIES INSTALL_RPATH $ORIGIN/${to_libraries})
  endif()
endfunction()

okra_install_program(okra-program ${BINDIR})
okra_install_program(okra-mpi ${BINDIR})
okra_install_program(okra-bench ${LIBEXECDIR}/okra)
if(TARGET okra-bench) # the baseline in Python lies beside it
  install(FILES bench/sklearn_rff.py DESTINATION ${LIBEXECDIR}/okra)
endif()

install(FILES LICENSE README.md CHANGELOG.md SECURITY.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING REGEX "\\.(md|png|svg)$")
