#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_length.sh ROOT: no source file is longer than 450 lines. Prints those that are.
set -eu
cd "$1"
find . -path ./build -prune -o -path ./.git -prune -o -type f \( -name '*.h' -o -name '*.cpp' \
  -o -name '*.cu' -o -name '*.sh' -o -name '*.py' -o -name '*.cmake' -o -name CMakeLists.txt -o -path ./dev \) \
  -print | sed 's|^\./||' | sort | while IFS= read -r file; do
  echo "$(wc -l <"$file") $file"
done | awk '
  $1 > 450 { print $2 ": " $1 " lines, allowed are 450"; bad = 1 }
  END { exit bad }'
