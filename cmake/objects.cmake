# okra_objects(LIST NAME [TYPED] SOURCES FILE... [OPTIONS FLAG...])
# Compiles sources once, for a shared and a static library to share, and appends their objects to LIST. TYPED sources are written in
# terms of `real` (src/core/real.h) and are compiled once for each precision.
function(okra_objects list name)
  cmake_parse_arguments(arg "TYPED" "" "SOURCES;OPTIONS" ${ARGN})
  if(arg_TYPED)
    set(parts ${name}-f64 ${name}-f32)
  else()
    set(parts ${name})
  endif()
  foreach(part IN LISTS parts)
    add_library(${part} OBJECT ${arg_SOURCES})
    target_include_directories(${part} PRIVATE ${PROJECT_SOURCE_DIR}/include)
    target_compile_options(${part} PRIVATE ${arg_OPTIONS})
    if(part MATCHES "-f(64|32)$")
      target_compile_definitions(${part} PRIVATE OKRA_PRECISION=${CMAKE_MATCH_1})
    endif()
    list(APPEND ${list} $<TARGET_OBJECTS:${part}>)
  endforeach()
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()

# okra_libraries(NAME OBJECTS OBJ... [NEEDS LIB...])
# The libraries NAME (shared, showing what NAME.map beside the caller lists) and NAME-static, which is also what tests of the inside link.
# Each needs LIB, and NAME-static needs the -static twin of an okra LIB. No header of ours shows one of a foreign LIB: who links the shared
# library need not have it, who links the static one needs it at link time only.
function(okra_libraries name)
  cmake_parse_arguments(arg "" "" "OBJECTS;NEEDS" ${ARGN})
  set(exports ${CMAKE_CURRENT_SOURCE_DIR}/${name}.map)
  add_library(${name} SHARED ${arg_OBJECTS})
  target_link_options(${name} PRIVATE LINKER:--version-script=${exports})
  if(NOT OKRA_INSTRUMENT) # a sanitizer's functions are the program's
    target_link_options(${name} PRIVATE LINKER:-z,defs) # a library that forgets one of its needs works only in programs that have it
  endif()
  set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0 LINK_DEPENDS ${exports})
  set(ours ${arg_NEEDS})
  list(FILTER ours INCLUDE REGEX "^okra")
  set(foreign ${arg_NEEDS})
  list(FILTER foreign EXCLUDE REGEX "^okra")
  target_link_libraries(${name} PUBLIC ${ours} PRIVATE ${foreign})

  add_library(${name}-static STATIC ${arg_OBJECTS})
  set_target_properties(${name}-static PROPERTIES OUTPUT_NAME ${name})
  list(TRANSFORM ours APPEND -static)
  target_link_libraries(${name}-static PUBLIC ${ours} PRIVATE ${foreign})

  foreach(library ${name} ${name}-static)
    set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C)
    add_library(okra::${library} ALIAS ${library}) # the name that find_package(okra) gives it
    target_include_directories(${library} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
  endforeach()
endfunction()
