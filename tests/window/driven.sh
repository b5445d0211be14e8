#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# driven.sh PROGRAM CLI FOLDER: a document is opened, trained, looked at, asked, saved and left by keyboard
# and mouse alone.
set -eu
program=$1
cli=$2
folder=$3
. "$(dirname "$0")/steps.sh"

steps_of() {
  "$cli" info "$1" --json | sed -n 's/.*"state": *{"step": *\([0-9]*\).*/\1/p'
}

document="$folder.safetensors"
rm -f "$document"
# Interrupted, so that much of its training is left.
timeout -s INT 3 "$cli" train --preset rot13 --task rot13 --steps 1000000 --out "$document" \
  >/dev/null 2>&1 || true
[ -f "$document" ] || fail "an interrupted training leaves a document"
before=$(steps_of "$document")
start "$document"
title_has "$(basename "$document")" || fail "the title says '$(title)'"
! title_has '*' || fail "an opened document counts as edited"

xdotool key space
until_true "Space trains" title_has '*'
xdotool key 1
sleep 1
picture early
until_true "the curves grow" changed_since early
xdotool key space
sleep 1

picture train
xdotool key 2
until_true "2 shows another screen" changed_since train
sleep 1
picture attention
eval "$(xdotool getwindowgeometry --shell "$window" | grep -E 'WIDTH|HEIGHT')"
xdotool mousemove --window "$window" $((WIDTH / 2)) $((HEIGHT / 2)) click 1
until_true "a click on a cell is seen" changed_since attention
xdotool key Escape alt+s
sleep 1
picture unlocked
xdotool type --delay 30 hey
until_true "what is typed is seen" changed_since unlocked

xdotool key ctrl+shift+s
until_true "a dialog asks for a file" has_dialog 'Save the document'
sleep 1
xdotool windowfocus --sync "$(dialog 'Save the document')"
xdotool type --delay 30 "$folder/saved.safetensors"
xdotool key Return
until_true "the title names the new file" title_has saved.safetensors
xdotool windowfocus --sync "$window"  # the dialog had the keyboard
xdotool key ctrl+q
ended

after=$(steps_of "$folder/saved.safetensors")
[ "$after" -gt "$before" ] || fail "step $before before training, '$after' in the saved document"

# A first start offers ways to begin, once; Esc takes none.
first_start=yes
start
until_true "a first start offers ways to begin" has_dialog Welcome
xdotool windowfocus --sync "$(dialog Welcome)"
xdotool key Escape
until_true "Esc closes them" lacks_dialog Welcome
xdotool windowfocus --sync "$window"
xdotool key ctrl+q
ended
grep -q '^welcomed=true' "$folder/config/Transformarium/transformarium.ini" || fail "they are offered again"
