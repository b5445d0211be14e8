#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_baseline.sh PROGRAM: on x86-64, only kernels compiled for AVX2 or AVX-512 use their registers, so that the program
# runs on processors without them; and there are such kernels. Prints what breaks this; silent and 0 when nothing does.
set -eu
[ "$(uname -m)" = x86_64 ] || exit 0
objdump -d --no-show-raw-insn "$1" | LC_ALL=C awk '
  /^[0-9a-f]+ <.*>:$/ { name = $2; next }
  /%[yz]mm/ { wide[name] = 1 }
  END {
    for (name in wide)
      if (name ~ /N_AVX[23]/) kernels++
      else { print name " uses registers of AVX"; bad = 1 }
    if (!kernels) { print "no kernel uses registers of AVX"; bad = 1 }
    exit bad
  }'
