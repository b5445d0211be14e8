# SPDX-License-Identifier: GPL-3.0-or-later
# One flag set for the whole program: never per file, so that no two object files disagree about vector alignment.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wno-unused-parameter -fno-math-errno -fno-trapping-math)

# AVX2 with FMA measured faster than the portable build and than AVX-512 for Eigen's matrix product.
# "auto" uses it where the building machine has it; "none" builds for any x86-64.
set(TFM_CPU auto CACHE STRING "Instruction set: auto, avx2 or none")
if(TFM_CPU STREQUAL auto)
  set(_cpu_flags "")
  if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo _cpu_flags REGEX "^flags" LIMIT_COUNT 1)
  endif()
  if(_cpu_flags MATCHES " avx2 " AND _cpu_flags MATCHES " fma ")
    set(_cpu avx2)
  else()
    set(_cpu none)
  endif()
else()
  set(_cpu ${TFM_CPU})
endif()
if(_cpu STREQUAL avx2)
  add_compile_options(-mavx2 -mfma)
endif()
message(STATUS "Instruction set: ${_cpu}")

if(TFM_SANITIZE)
  add_compile_options(-fsanitize=${TFM_SANITIZE} -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${TFM_SANITIZE})
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
