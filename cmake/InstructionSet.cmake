# SPDX-License-Identifier: GPL-3.0-or-later
# The instruction set of core/. All of core is compiled with one set, never per file, so that no two object files
# disagree about vector alignment.
#
# Measured for a matrix product of Eigen's packets, one thread: Intel Xeon 104 GF/s with AVX2 and FMA, 160 with AVX-512;
# on AMD's Zen 4 AVX2 with FMA was as fast or faster (109 against 86 on one machine, 100 against 98 on another), and
# small models trained faster with it (rot13, one thread: 830 steps/s against 720). "auto" follows that; "none" builds
# for any x86-64. Large products are OpenBLAS's, which looks at the processor itself.
set(TFM_CPU auto CACHE STRING "Instruction set of the engine: auto, avx512, avx2 or none")

function(tfm_detect_cpu RESULT)
  set(cpu none)
  if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
    file(STRINGS /proc/cpuinfo vendor REGEX "^vendor_id" LIMIT_COUNT 1)
    if(flags MATCHES " avx2 " AND flags MATCHES " fma ")
      set(cpu avx2)
    endif()
    if(vendor MATCHES "GenuineIntel" AND flags MATCHES " avx512f " AND flags MATCHES " avx512dq "
       AND flags MATCHES " avx512bw " AND flags MATCHES " avx512vl ")
      set(cpu avx512)
    endif()
  endif()
  set(${RESULT} ${cpu} PARENT_SCOPE)
endfunction()

set(TFM_CPU_FLAGS_none "")
set(TFM_CPU_FLAGS_avx2 -march=x86-64-v3)
set(TFM_CPU_FLAGS_avx512 -march=x86-64-v4)

if(TFM_CPU STREQUAL auto)
  tfm_detect_cpu(_cpu)
else()
  set(_cpu ${TFM_CPU})
endif()
if(NOT DEFINED TFM_CPU_FLAGS_${_cpu})
  message(FATAL_ERROR "TFM_CPU is '${TFM_CPU}'. Allowed: auto, avx512, avx2 or none")
endif()
add_compile_options(${TFM_CPU_FLAGS_${_cpu}})
# Registers as template arguments lose attributes that do not matter here; and GCC 12's own AVX-512 header reads
# variables that it left undefined on purpose (GCC bug 105593).
add_compile_options(-Wno-ignored-attributes -Wno-uninitialized -Wno-maybe-uninitialized)
message(STATUS "Instruction set of the engine: ${_cpu}")
