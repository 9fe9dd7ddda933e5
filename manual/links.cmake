# links.cmake: writes a page DIRECTORY/NAME.3 that leads to okra.3 for every name in the file FUNCTIONS, and removes those of other names.
file(GLOB old ${DIRECTORY}/okra_*.3)
if(old)
  file(REMOVE ${old})
endif()
file(STRINGS ${FUNCTIONS} names)
foreach(name IN LISTS names)
  file(WRITE ${DIRECTORY}/${name}.3 ".so man3/okra.3\n")
endforeach()
