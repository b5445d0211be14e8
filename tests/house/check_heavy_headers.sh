#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_heavy_headers.sh ROOT: qcustomplot.h, json.hpp and VTK cost seconds in every file that sees them, so only .cpp files
# include them. A header that cannot do without stands in tests/house/heavy_headers.txt, one a line with the reason behind
# it, and then only the .cpp files of its own folder include it. Prints what breaks this; silent and 0 when nothing does.
set -eu
cd "$1"
allowed=tests/house/heavy_headers.txt
{
  [ ! -f "$allowed" ] || sed 's/^/allow /' "$allowed"
  find . -path ./build -prune -o -path ./.git -prune -o -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' \) \
    -exec grep -EH '^[[:space:]]*#[[:space:]]*include' {} + | sed 's|^\./||'
} | LC_ALL=C awk '
  function folder(path) { sub(/[^\/]*$/, "", path); return path }
  function reject(file, why) { print file ": " why; bad = 1 }
  $1 == "allow" { if ($2 != "" && $2 !~ /^#/) { reason[$2] = NF - 2 } next }
  {
    file = $0; sub(/:.*/, "", file)
    target = substr($0, length(file) + 2)
    gsub(/^[ \t]*#[ \t]*include[ \t]*[<"]|[>"].*$/, "", target)
    if (file ~ /\.h$/ && target ~ /^(qcustomplot\.h|nlohmann\/json\.hpp|vtk[A-Za-z0-9_\/]*\.h)$/) {
      heavy[file] = 1
      if (!(file in reason)) reject(file, target " belongs into .cpp files")
    }
    if (target in reason && (file ~ /\.h$/ || folder(file) != folder(target)))
      reject(file, target " is only for the .cpp files beside it")
  }
  END {
    for (file in reason) {
      if (!reason[file]) reject(file, "heavy without a reason")
      if (!(file in heavy)) reject(file, "allowed to be heavy, but is not")
    }
    exit bad
  }'
