# The instruction sets beside scalar that this processor's compiler can make, the best last: NAME is src/vec/NAME.c, built with these flags,
# and a row in src/vec/isa_list.h, which asks the machine that runs it.
set(OKRA_ISAS "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  list(APPEND OKRA_ISAS avx2)
  set(OKRA_FLAGS_avx2 -mavx2 -mfma $<$<C_COMPILER_ID:GNU>:-fno-schedule-insns2>)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  list(APPEND OKRA_ISAS neon)
endif()
foreach(isa IN LISTS OKRA_ISAS)
  string(TOUPPER ${isa} name)
  add_compile_definitions(OKRA_HAVE_${name})
endforeach()
