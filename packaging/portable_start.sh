#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Starts the program of this script's name from the folder it lies in, wherever that is, also read-only.
here=$(dirname "$(readlink -f "$0")")

# The newer C++ library serves ours and the system's drivers.
newest() { for file in "$@"; do [ -e "$file" ] && readlink -f "$file" | sed 's/.*so\.//'; done | sort -V | tail -n 1; }
ours=$(cat "$here/lib/cxx/version")
systems=$(newest /usr/lib/*-linux-gnu/libstdc++.so.6 /usr/lib64/libstdc++.so.6 /usr/lib/libstdc++.so.6)
if [ -z "$systems" ] || [ "$(printf '%s\n%s\n' "$ours" "$systems" | sort -V | tail -n 1)" != "$systems" ]; then
  export LD_LIBRARY_PATH="$here/lib/cxx${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi

# Without a driver of OpenGL, the processor draws.
set_default() { eval "[ -n \"\${$1:-}\" ]" || export "$1=$2"; }
if [ -z "$(ls /usr/share/glvnd/egl_vendor.d/*.json /etc/glvnd/egl_vendor.d/*.json 2>/dev/null)" ]; then
  set_default __EGL_VENDOR_LIBRARY_FILENAMES "$here/etc/egl_mesa.json"
  set_default LIBGL_DRIVERS_PATH "$here/lib/gl/dri"
fi
set_default FONTCONFIG_FILE "$here/etc/fonts.conf"
[ -d /usr/share/X11/xkb ] || set_default XKB_CONFIG_ROOT "$here/share/xkb"
[ -d /usr/share/X11/locale ] || set_default XLOCALEDIR "$here/share/x11-locale"

exec "$here/bin/$(basename "$0")" "$@"
