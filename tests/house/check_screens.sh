#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_screens.sh ROOT: a screen, a class derived from View, declares at most 25 methods: constructors, signals,
# overrides and private ones included. What is more belongs to its parts, or to the value that it shows. Prints each class
# with more, and how many.
set -eu
cd "$1"
most=25

bad=0
for file in $(grep -rlE '^class [A-Za-z]+ : public View\b' ui --include='*.h'); do
  said=$(awk -v most=$most -v file="$file" '
    { sub(/\/\/.*/, "") }
    /^class [A-Za-z]+ : public View( |$)/ { name = $2; inside = 1; depth = 0; count = 0 }
    !inside { next }
    # A declaration begins at the depth of the class and has a parenthesis before any "=" or brace.
    {
      statement = statement " " $0
      opened = gsub(/{/, "{"); closed = gsub(/}/, "}")
      if (depth == 1 && statement ~ /[;{]/ || depth == 1 && statement ~ /:$/) {
        head = statement
        sub(/[={].*/, "", head)
        gsub(/<[^<>]*>/, "", head); gsub(/<[^<>]*>/, "", head)
        if (head ~ /[A-Za-z0-9_~]\(/) ++count
      }
      if (statement ~ /[;{}:]/) statement = ""
      depth += opened - closed
      if (depth == 0 && closed > 0) { inside = 0; if (count > most) print file ": " name " declares " count " methods, more than " most }
    }' "$file")
  [ -z "$said" ] && continue
  echo "$said"
  bad=1
done
exit $bad
