#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# headless.sh SOURCE_DIR BUILD_DIR: the command-line tool configures, builds and works with Qt out of sight (the
# preset forbids looking for it).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
cmake --preset headless -B "$2" --no-warn-unused-cli
cmake --build "$2"
sh "$here/try_cli.sh" "$2/app/transformarium-cli"
