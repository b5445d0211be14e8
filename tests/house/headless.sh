#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# headless.sh SOURCE_DIR BUILD_DIR FULL_BUILD_DIR [CMAKE_OPTION...]: the command-line tool configures with Qt out of
# sight (the preset forbids looking for it), and each of its sources is compiled there by the same command as in
# FULL_BUILD_DIR. What is the same need not be compiled again; `./dev headless` does.
set -eu
source=$1 build=$2 full=$3
shift 3
cd "$source"
cmake --preset headless -B "$build" --no-warn-unused-cli "$@"

# commands FOLDER: the compiler's commands there, without the folder's name.
commands() {
  sed -n 's/^ *"command": //p' "$1/compile_commands.json" | sed "s#$1#BUILD#g" | sort
}
commands "$build" >"$build/commands"
commands "$full" >"$full/commands"
[ -s "$build/commands" ]
if comm -23 "$build/commands" "$full/commands" | grep .; then
  echo "These commands differ from those of the full build"
  exit 1
fi
