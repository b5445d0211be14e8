#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# killed.sh PROGRAM CLI FOLDER: unsaved work survives kill -9, SIGTERM and the loss of the display, and is
# offered at the next start; a normal exit leaves nothing.
set -eu
program=$1
cli=$2
folder=$3
. "$(dirname "$0")/steps.sh"

kept=$folder.cache/transformarium/recovery
copies() { find "$kept" -name '*.safetensors' 2>/dev/null; }
has_copy() { [ -n "$(copies)" ]; }
copied_step() { "$cli" info "$(copies)" --json | sed -n 's/.*"state": *{"step": *\([0-9]*\).*/\1/p'; }
copied_after() { [ "$(copied_step)" -gt "$1" ]; }
# ended_with CODE
ended_with() {
  until_true "the program ends" gone
  trap - EXIT
  code=0
  wait $pid || code=$?
  [ $code -eq "$1" ] || fail "exit code $code instead of $1"
}
# Space in the demonstration: it trains without a file.
train() {
  xdotool key space
  until_true "Space trains" title_has '*'
  sleep 1
}
offered() { has_dialog 'Recover a run'; }
# answer KEY...: in the dialog that offers a left run.
answer() {
  until_true "the left run is offered" offered
  xdotool windowfocus --sync "$(dialog 'Recover a run')"
  xdotool key "$@"
}

# Killed while paused: its step is recovered.
start
train
xdotool key space
until_true "a copy is there" has_copy
kill -9 $pid
ended_with 137
step=$(copied_step)
[ "$step" -gt 0 ] || fail "the copy is of step '$step'"

# It is offered, and Return opens it.
start
answer Return
until_true "what was left is opened, not saved" title_has '*'
[ "$(copied_step)" -eq "$step" ] || fail "step $step was left, $(copied_step) is kept"

# Terminated during training: the current step is recovered.
xdotool windowfocus --sync "$window"
xdotool key space
sleep 1
kill -TERM $pid
ended_with 143
copied_after "$step" || fail "step $step before training, $(copied_step) after it"
step=$(copied_step)

# A second window is not offered what the first has taken; closing the terminal also terminates.
start
answer Return
until_true "it is opened again" title_has '*'
first=$pid
start_beside
sleep 1
! offered || fail "another window's run is offered"
xdotool key ctrl+q
ended
pid=$first
kill -HUP $pid
ended_with 129
[ "$(copied_step)" -eq "$step" ] || fail "step $step was opened, $(copied_step) is left"

# Without its display: a second one, which is killed.
if command -v Xvfb >/dev/null; then
  rm -f "$folder.display"
  Xvfb -displayfd 3 -screen 0 1280x800x24 3>"$folder.display" >/dev/null 2>&1 &
  server=$!
  has_display() { [ -s "$folder.display" ]; }
  until_true "a second display is there" has_display
  rm -rf "$kept"
  usual=$DISPLAY
  DISPLAY=:$(cat "$folder.display")
  start
  train
  kill -9 $server
  DISPLAY=$usual
  ended_with 1
  has_copy || fail "nothing is left where the display died"
  copied_after 0 || fail "the copy is of step $(copied_step)"
fi

# The control: saving leaves nothing.
rm -rf "$kept"
start
train
xdotool key space
until_true "a copy is there" has_copy
xdotool key ctrl+s
until_true "a dialog asks for a file" has_dialog 'Save the document'
xdotool windowfocus --sync "$(dialog 'Save the document')"
xdotool type --delay 30 "$folder/saved.safetensors"
xdotool key Return
until_true "the title names the new file" title_has saved.safetensors
xdotool windowfocus --sync "$window"
xdotool key ctrl+q
ended
! has_copy || fail "saved, and still there"
