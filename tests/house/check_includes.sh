#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_includes.sh ROOT: who may include whom (docs/architecture.md). One line for every include that breaks the
# order; silent and 0 when there is none.
set -eu
cd "$1"
folders=
for folder in core ui app; do
  [ -d "$folder" ] && folders="$folders $folder"
done

# shellcheck disable=SC2086  # a list of plain words
find $folders -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' \) \
  -exec grep -EHn '^[[:space:]]*#[[:space:]]*include' {} + | LC_ALL=C awk '
  BEGIN {
    # core: only from the own room or from one with a larger number, that is: further right.
    split("report=0 lesson=1 reproduce=1 study=2 live=2 document=3 ask=4 train=5 expand=6 matformer=6 observe=6 data=6 model=7 program=8 " \
          "backend=9 io=9 tensor=10 base=11", rooms, " ")
    for (i in rooms) { split(rooms[i], pair, "="); order[pair[1]] = pair[2] }
  }
  function reject(why) { print $0 ": " why; bad = 1 }
  function first(path) { split(path, part, "/"); return part[1] }
  function second(path) { split(path, part, "/"); return part[2] }
  # A screen is a folder of ui/views; what stands beside these folders is for all of them.
  function screen(path) {
    split(path, part, "/")
    sub(/\.[a-z]+$/, "", part[3])
    return part[3]
  }
  {
    match($0, /^[^:]*:[0-9]+:/)
    file = $0; sub(/:.*/, "", file)
    target = substr($0, RLENGTH + 1)
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", target)
    quoted = target ~ /^"/
    target = substr(target, 2); sub(/[">].*/, "", target)
    house = first(file); room = second(file)
    noWindow = house == "core" || file ~ /^app\/(cli\/|main_cli)/

    if (noWindow && target ~ /^(Q[A-Z]|Qt|vtk|GL\/|GLES|EGL\/|qcustomplot)/) reject("no Qt, VTK or GL here")
    if (noWindow && !quoted && target ~ /^(ui|app)\//) reject("not below core")
    if (!quoted || target ~ /\.moc$/) next

    if (target !~ /^(core|ui|app)\/[a-z0-9_\/.]+$/) { reject("write the path from the root of the repository"); next }
    to = first(target); toRoom = second(target)
    if (house == "core" && to != "core") reject("core stands below " to)
    if (house == "ui" && to == "app") reject("ui stands below app")
    if (file ~ /^app\/(cli\/|main_cli)/ && to == "ui") reject("the command-line tool links core only")
    if (house == "core" && to == "core" && room != toRoom) {
      if (!(toRoom in order)) reject("core has no room " toRoom)
      else if (!(room in order)) reject("core has no room " room)
      else if (order[toRoom] <= order[room]) reject(room " stands below " toRoom)
    }
    if (house == "ui" && to == "ui") {
      if (room == "feed" && toRoom ~ /^(document|views)$/) reject("feed stands below " toRoom)
      if (room == "document" && toRoom == "views") reject("document stands below views")
      if (room == "views" && toRoom == "views" && screen(file) != screen(target) && split(target, part, "/") > 3)
        reject("a view never uses another view")
    }
  }
  END { exit bad }'
