# Flags for everything we compile.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")

# What the sanitizer and coverage presets add to compiling and linking.
set(OKRA_INSTRUMENT "" CACHE STRING "instrumentation flags, semicolons between them")
set(OKRA_CANARIES "" CACHE STRING "modes of tests/trust/canary.c that this instrumentation must catch")

option(OKRA_WERROR "take compiler warnings for errors" OFF)

add_compile_options(
  -Wall -Wextra -Wconversion -Wshadow -Wdouble-promotion -Wvla
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
  # Multiply-adds are fused where the source says so and nowhere else: a step, a block and a prediction must give the same bits.
  -ffp-contract=off
  # Nobody reads errno or the exception flags; without these sqrt and rint are calls.
  -fno-math-errno -fno-trapping-math
  $<$<AND:$<BOOL:${OKRA_WERROR}>,$<COMPILE_LANGUAGE:C>>:-Werror>
  ${OKRA_INSTRUMENT})
add_link_options(${OKRA_INSTRUMENT})
