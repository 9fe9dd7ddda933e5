# IBM Z: 64 bits, big-endian. It stands for every machine with that byte order, and for the scalar code with fused multiply-adds.
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(triple s390x-linux-gnu)
set(emulator qemu-s390x)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
