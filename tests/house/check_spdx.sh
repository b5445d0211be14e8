#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_spdx.sh ROOT: every source file names its licence in its first line (after #! where there is one).
# Prints the files that do not; silent and 0 when there is none.
set -eu
cd "$1"
find . -path ./build -prune -o -path ./.git -prune -o -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' \
  -o -name '*.sh' -o -name '*.py' -o -name '*.cmake' -o -name CMakeLists.txt -o -path ./dev \
  -o -path ./.ci/run \) -print | sort | {
  bad=0
  while IFS= read -r file; do
    case $file in *.h | *.cpp | *.cu) mark='//' ;; *) mark='#' ;; esac
    if ! awk -v want="$mark SPDX-License-Identifier: GPL-3.0-or-later" '
      NR == 1 && /^#!/ { next } { found = $0 == want; exit } END { exit !found }' "$file"; then
      echo "$file: the first line must be: $mark SPDX-License-Identifier: GPL-3.0-or-later"
      bad=1
    fi
  done
  exit $bad
}
