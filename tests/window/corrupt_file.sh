#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# corrupt_file.sh PROGRAM CLI FOLDER: a file that cannot be opened does not leave the window empty.
set -eu
program=$1
cli=$2
folder=$3
. "$(dirname "$0")/steps.sh"

broken=$folder.broken
printf 'not a model at all' >"$broken"

start
picture usual
mv "$folder/usual.png" "$folder.usual.png"
xdotool key ctrl+q
ended

start
mv "$folder.usual.png" "$folder/usual.png"
! changed_since usual || fail "the control: the usual start always looks the same"
cp "$folder/usual.png" "$folder.usual.png"
xdotool key ctrl+q
ended

start "$broken"
mv "$folder.usual.png" "$folder/usual.png"
title_has rot13 || fail "the demonstration is there: '$(title)'"
changed_since usual || fail "it is said why the file is not opened"
xdotool key space
until_true "the demonstration lives" title_has '*'
kill $pid
