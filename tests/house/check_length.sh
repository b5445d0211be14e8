#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_length.sh ROOT: no source file is longer than 450 lines, except those in tests/house/long_files.txt, one a line
# with the reason behind it. Prints what is too long, and what need not be on that list any more.
set -eu
cd "$1"
limit=450
allowed=tests/house/long_files.txt
lengths=$(find . -path ./build -prune -o -path ./.git -prune -o -type f \( -name '*.h' -o -name '*.cpp' \
  -o -name '*.cu' -o -name '*.sh' -o -name '*.py' -o -name '*.cmake' -o -name CMakeLists.txt -o -path ./dev \) \
  -print | sed 's|^\./||' | sort | while IFS= read -r file; do
  echo "$(wc -l <"$file") $file"
done)
{
  [ ! -f "$allowed" ] || sed 's/^/allow /' "$allowed"
  echo "$lengths"
} | awk -v limit="$limit" '
  $1 == "allow" { if ($2 != "" && $2 !~ /^#/) { reason[$2] = NF - 2 } next }
  $1 > limit && !($2 in reason) { print $2 ": " $1 " lines, allowed are " limit; bad = 1 }
  $1 > limit && $2 in reason { long[$2] = 1 }
  END {
    for (file in reason) {
      if (!reason[file]) { print file ": long without a reason"; bad = 1 }
      if (!(file in long)) { print file ": allowed to be long, but is not"; bad = 1 }
    }
    exit bad
  }'
