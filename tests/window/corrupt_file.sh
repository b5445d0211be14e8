#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# corrupt_file.sh PROGRAM CLI FOLDER: a file that cannot be opened is no reason for an empty window.
set -eu
program=$1
cli=$2
folder=$3
. "$(dirname "$0")/steps.sh"

start
picture without
xdotool key ctrl+q
ended

mv "$folder/without.png" "$folder.png"
printf 'not a model at all' >"$folder.broken"
start "$folder.broken"
mv "$folder.png" "$folder/without.png"
title_has rot13 || fail "the demonstration is there: '$(title)'"
picture with
differ without with || fail "it is said why the file is not opened"
xdotool key space
until_true "the demonstration lives" title_has '*'
kill $pid
