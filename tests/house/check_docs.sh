#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_docs.sh ROOT: README.md has at most 150 lines, and in README, CONTRIBUTING, CHANGELOG and docs/ every link leads to
# a file or a heading, every picture is there, and every path in `backticks` exists. Prints what is wrong.
set -eu
cd "$1"

# mentions FILE: a line "link TARGET" or "path PATH" for each of them outside code.
mentions() {
  awk '
    /^    / { next }
    {
      line = $0
      while (match(line, /\]\([^)]*\)/)) {
        print "link " substr(line, RSTART + 2, RLENGTH - 3)
        line = substr(line, RSTART + RLENGTH)
      }
      line = $0
      while (match(line, /`[^`]*`/)) {
        path = substr(line, RSTART + 1, RLENGTH - 2)
        line = substr(line, RSTART + RLENGTH)
        if (path ~ /^(app|core|ui|tests|docs|resources)\/[A-Za-z0-9_.\/-]*$/ && path !~ /NAME/) print "path " path
      }
    }' "$1"
}

# headings FILE: the anchors of its headings, one on each line.
headings() {
  sed -n 's/^##* //p' "$1" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

found=$(mktemp)
trap 'rm -f "$found"' EXIT
bad=0
wrong() {
  echo "$1"
  bad=1
}

for file in README.md CONTRIBUTING.md CHANGELOG.md docs/*.md; do
  [ -f "$file" ] || continue
  folder=$(dirname "$file")
  mentions "$file" >"$found"
  while read -r kind target; do
    case $kind:$target in
      link:http*://*) continue ;;
      path:*) [ -e "$target" ] || wrong "$file: there is no $target" ;;
      link:*)
        page=${target%%#*}
        page=${page:+$folder/$page}
        page=${page:-$file}
        if [ ! -e "$page" ]; then
          wrong "$file: a link leads nowhere: $target"
        elif [ "$target" != "${target#*#}" ] && ! headings "$page" | grep -qxF -- "${target#*#}"; then
          wrong "$file: no heading is called as the link says: $target"
        fi
        ;;
    esac
  done <"$found"
done
if [ -f README.md ] && [ "$(wc -l <README.md)" -gt 150 ]; then wrong "README.md: more than 150 lines"; fi
exit $bad
