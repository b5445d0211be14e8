#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_listed.sh ROOT: every .cpp file stands in the CMakeLists.txt nearest above it, and every folder with a
# CMakeLists.txt in the one above. What nobody lists is neither compiled nor tested. Prints what is forgotten.
set -eu
cd "$1"

# above PATH: the nearest folder above PATH that has a CMakeLists.txt.
above() {
  folder=$(dirname "$1")
  while [ ! -f "$folder/CMakeLists.txt" ]; do
    [ "$folder" != . ] || return 0
    folder=$(dirname "$folder")
  done
  echo "$folder"
}

# lists FOLDER WORD: whether the CMakeLists.txt of FOLDER has WORD outside comments, in full or, as in
# foreach(name IN ITEMS csv npz), as test_${name}.cpp with csv beside it.
lists() {
  sed 's/#.*//' "$1/CMakeLists.txt" | tr -s ' ()"\t' '\n' | awk -v want="$2" '
    { word[$0] = 1 }
    END {
      if (want in word) exit 0
      for (pattern in word) {
        if (!match(pattern, /\$\{[A-Za-z_]+\}/)) continue
        before = substr(pattern, 1, RSTART - 1)
        after = substr(pattern, RSTART + RLENGTH)
        middle = length(want) - length(before) - length(after)
        if (middle > 0 && substr(want, 1, length(before)) == before &&
            substr(want, length(before) + middle + 1) == after &&
            substr(want, length(before) + 1, middle) in word) exit 0
      }
      exit 1
    }'
}

find core ui app tests -type f \( -name '*.cpp' -o -name CMakeLists.txt \) 2>/dev/null | sort | {
  bad=0
  while IFS= read -r file; do
    case $file in
      */CMakeLists.txt) entry=$(dirname "$file") ;;
      *) entry=$file ;;
    esac
    folder=$(above "$entry")
    if ! lists "$folder" "${entry#"$folder"/}"; then
      echo "$entry: is not in $folder/CMakeLists.txt"
      bad=1
    fi
  done
  exit $bad
}
