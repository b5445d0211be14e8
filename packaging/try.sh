#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# try.sh BUILD OUT: installs, runs and removes what packaging/ made in OUT on bare systems, and writes the table OUT/tried.md.
# Takes root, mmdebstrap, Xvfb and a network; minutes. The packages are for the Debian that they were built on.
set -euo pipefail

build=$(readlink -f "$1")
out=$(readlink -f "$2")
mirror=${MIRROR:-http://deb.debian.org/debian}
here=$(. /etc/os-release && echo "$VERSION_CODENAME")
work=$(mktemp -d)
display=:$((90 + RANDOM % 100))
rows=()

leave() {
  findmnt -rno TARGET | grep "^$work" | sort -r | xargs -r umount 2>/dev/null || true
  kill "$x_server" 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
Xvfb "$display" -screen 0 1600x1000x24 >/dev/null 2>&1 &
x_server=$!
trap leave EXIT

# inside ROOT [NAME=VALUE ...] COMMAND...: in a bare system, without the variables of this one.
inside() {
  local root=$1
  shift
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" env "$@"
}

# tried SYSTEM WHAT COMMAND...: one row of the table; the command's last line is what came of it.
tried() {
  local system=$1 what=$2 start end said rc=0
  shift 2
  start=$(date +%s.%N)
  said=$("$@" 2>"$work/error" | tail -n 1) || rc=$?
  end=$(date +%s.%N)
  ((rc == 0)) || said="FAILED: $(tail -n 1 "$work/error")"
  rows+=("| ${names[$system]} | $what | $(awk "BEGIN { printf \"%.1f\", $end - $start }") s | $said |")
  echo "${rows[-1]}"
}

# The window stays open until it is stopped, and shows what an image of one colour is not.
shows() {
  local root=$1 program=$2 colours rc=0
  inside "$root" DISPLAY="$display" HOME=/nonexistent timeout 15 "$program" /tmp/m.safetensors >/dev/null 2>"$work/error" &
  local window=$!
  sleep 10
  colours=$(xwd -root -display "$display" -silent | convert xwd:- -format %k info:)
  wait "$window" || rc=$?
  ((rc == 124)) || { echo "the window ended by itself with $rc"; return 1; }
  ((colours > 50)) || { echo "the window shows $colours colours" >&2; return 1; }
  echo "open, $colours colours"
}

trains() { inside "$1" "$2" train --preset rot13 --steps 600 --out /tmp/m.safetensors --force >/dev/null && inside "$1" "$2" decode /tmp/m.safetensors there; }

# The systems: the name of each, and where its packages come from. Debian has no keys of Ubuntu.
declare -A names=([bookworm]="Debian 12" [trixie]="Debian 13" [noble]="Ubuntu 24.04")
declare -A sources=([bookworm]="$mirror" [trixie]="$mirror"
  [noble]="deb [trusted=yes] ${UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu} noble main")

bare() {
  mmdebstrap --quiet --variant=apt "$1" "$work/$1" "${sources[$1]}" || return
  cp /etc/resolv.conf "$work/$1/etc/resolv.conf"
  mount --bind /proc "$work/$1/proc"
  mount --rbind /dev "$work/$1/dev"
}

try_archive() {
  local suite=$1 root="$work/$1" name folder
  name=$(basename "$out"/transformarium-*-"$(uname -m)".tar.xz .tar.xz)
  folder="/media/USB stick Übung"
  mkdir -p "$root$folder"
  tried "$suite" "archive: unpack" sh -c "tar xf '$out/$name.tar.xz' -C '$root$folder' && du -sh '$root$folder' | cut -f1"
  mount --bind "$root$folder" "$root$folder"
  mount -o remount,ro,bind "$root$folder"
  tried "$suite" "archive: version, read-only, no home" inside "$root" HOME=/nonexistent "$folder/$name/transformarium" --version
  tried "$suite" "archive: train and answer" trains "$root" "$folder/$name/transformarium-cli"
  tried "$suite" "archive: window on X11, no driver, no fonts" shows "$root" "$folder/$name/transformarium"
  umount "$root$folder"
}

completes() {
  inside "$1" bash -c 'source /usr/share/bash-completion/completions/transformarium-cli
    COMP_WORDS=(transformarium-cli explain /tmp/m.safetensors --number encoder.emb) COMP_CWORD=4
    _transformarium_cli && echo "${COMPREPLY[0]}" && test "${COMPREPLY[0]}" = encoder.embedding.weight'
}

known() {
  local type
  type=$(inside "$1" gio info -a standard::content-type /tmp/m.safetensors | sed -n 's/.*content-type: //p')
  [[ $type == application/x-transformarium ]] || { echo "$type" >&2; return 1; }
  inside "$1" gio mime "$type" | grep -q 'transformarium.*\.desktop' || { echo "no program opens it" >&2; return 1; }
  echo "$type, opened by the window"
}

# older DEB: the same package as of a version before.
older() {
  local tree="$work/older"
  rm -rf "$tree"
  dpkg-deb -R "$1" "$tree"
  sed -i 's/^Version: .*/Version: 0.0.1-1/' "$tree/DEBIAN/control"
  dpkg-deb -b "$tree" "$2" >/dev/null
}

# installs ROOT DEB...: and says which versions there are then.
installs() {
  local root=$1
  shift
  inside "$root" apt-get -q -y --no-install-recommends install "$@" >/dev/null
  inside "$root" dpkg-query -W -f '${Package} ${Version}, ${Installed-Size} kB; ' 'transformarium*'
}

# The whole main job of the window, by the program of the tests, with the installed libraries.
tours() {
  cp "$build/tests/tour/transformarium-tour" "$1/tour"
  inside "$1" DISPLAY="$display" QT_QPA_PLATFORM=xcb HOME=/root XDG_RUNTIME_DIR=/tmp /tour /tmp/pictures >/dev/null
  find "$1/tmp/pictures" -name '*.png' | wc -l | sed 's/$/ pictures/'
}

files_of() { (cd "$1" && find usr etc -type f -o -type l | grep -vE '^etc/ld.so.cache|^usr/share/mime/' | sort); }

try_packages() {
  local suite=$1 root="$work/$1" deb install
  install=(apt-get -q -y --no-install-recommends -o Dpkg::Use-Pty=0)
  mkdir -p "$root/debs"
  for deb in "$out"/transformarium_*.deb "$out"/transformarium-cli_*.deb "$out"/transformarium-doc_*.deb; do
    cp "$deb" "$root/debs/$(basename "$deb" | cut -d_ -f1).deb"
  done
  older "$root/debs/transformarium-cli.deb" "$root/debs/older.deb"
  inside "$root" apt-get -q update >/dev/null
  # What any desktop has.
  inside "$root" "${install[@]}" install shared-mime-info libglib2.0-bin man-db bash-completion desktop-file-utils >/dev/null 2>&1
  files_of "$root" >"$work/before"
  tried "$suite" "package: install a version before" installs "$root" /debs/older.deb
  tried "$suite" "package: upgrade, install the others" installs "$root" /debs/transformarium.deb /debs/transformarium-cli.deb \
    /debs/transformarium-doc.deb
  tried "$suite" "package: version" inside "$root" transformarium --version
  tried "$suite" "package: train and answer" trains "$root" transformarium-cli
  tried "$suite" "package: window on X11" shows "$root" transformarium
  tried "$suite" "package: type and program of a document" known "$root"
  tried "$suite" "package: completion of a tensor's name" completes "$root"
  tried "$suite" "package: man" inside "$root" sh -c 'man -w transformarium transformarium-cli-train | tail -n 1'
  tried "$suite" "package: the tour" tours "$root"
  tried "$suite" "package: remove" sh -c "chroot '$root' apt-get -q -y purge --autoremove 'transformarium*' >/dev/null && echo removed"
  files_of "$root" >"$work/after"
  tried "$suite" "package: files left of the system's" sh -c "comm -13 '$work/before' '$work/after' | grep -c transformarium | sed 's/^0$/none/'"
  tried "$suite" "package: files left of the user's" sh -c "cd '$root' && find root nonexistent -type f -path '*ransformarium*' | tr '\\n' ' '"
}

for suite in bookworm trixie noble; do
  if ! bare "$suite"; then # its packages may be out of reach
    rows+=("| ${names[$suite]} | a bare system | - | not made here |")
    continue
  fi
  try_archive "$suite"
  if [[ $suite == "$here" ]]; then try_packages "$suite"; fi
done

{
  echo "| system | what | time | came of it |"
  echo "|---|---|---|---|"
  printf '%s\n' "${rows[@]}"
} >"$out/tried.md"
! printf '%s\n' "${rows[@]}" | grep -q FAILED
