#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# try_install.sh BUILD: what is installed runs from a path with spaces and umlauts, is complete, and a document is
# known by its header.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
to="$work/ein Präfix"

fail() {
  echo "$1"
  exit 1
}

cmake --install "$build" --prefix "$to" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
cmake --install "$build" --prefix "$work/tool" --component tool >"$work/log" 2>&1 || fail "$(cat "$work/log")"
if find "$work/tool" -type f -perm -u+x -exec ldd {} \; 2>/dev/null | grep -q libQt; then fail "the tool brings Qt"; fi
[ -x "$work/tool/bin/transformarium-cli" ] || fail "the component tool lacks the tool"
"$work/tool/bin/transformarium-cli" lesson check "$work/tool/share/transformarium/lessons/1-attention.lesson.md" >/dev/null ||
  fail "an installed lesson has mistakes"
[ ! -e "$work/tool/bin/transformarium" ] || fail "the component tool has the window"

id=org.transformarium.Transformarium
for file in bin/transformarium-cli share/man/man1/transformarium-cli.1 share/man/man1/transformarium-cli-train.1 \
  share/bash-completion/completions/transformarium-cli share/zsh/vendor-completions/_transformarium-cli \
  share/fish/vendor_completions.d/transformarium-cli.fish share/doc/transformarium/LICENSE \
  bin/transformarium share/man/man1/transformarium.1 share/applications/$id.desktop share/metainfo/$id.metainfo.xml \
  share/mime/packages/transformarium.xml share/icons/hicolor/16x16/apps/$id.png share/icons/hicolor/256x256/apps/$id.png \
  share/icons/hicolor/scalable/apps/$id.svg; do
  [ -s "$to/$file" ] || fail "$file is not installed"
done
for folder in lib/transformarium/plugins share/transformarium/lessons share/transformarium/translations; do
  [ -d "$to/$folder" ] || fail "$folder is not installed"
done

"$to/bin/transformarium-cli" train --preset rot13 --steps 3 --out "$work/a model.safetensors" 2>/dev/null >/dev/null ||
  fail "the installed tool does not train"
"$to/bin/transformarium" --version | grep -q '^commit ' || fail "the installed window does not tell its commit"
grep -q "<release version=\"$("$to/bin/transformarium-cli" --version | sed -n '1s/.* //p')\"" \
  "$to/share/metainfo/$id.metainfo.xml" || fail "the metadata tell another version than the program"

"$to/bin/transformarium" --thumbnail "$work/picture.png" --size 128 "$work/a model.safetensors" 2>"$work/log" ||
  fail "no thumbnail: $(cat "$work/log")"
[ "$(dd if="$work/picture.png" bs=1 skip=1 count=3 2>/dev/null)" = PNG ] || fail "the thumbnail is no PNG"
if "$to/bin/transformarium" --thumbnail "$work/no.png" "$to/bin/transformarium" 2>"$work/log"; then
  fail "a thumbnail of a file that is no document"
fi

# The tables of types begin our documents as our documents begin.
magic=$(sed -n 's/.*value="\(.*\)"\/>/\1/p' "$to/share/mime/packages/transformarium.xml" | sed 's/&quot;/"/g')
begins() { dd if="$1" bs=1 skip=8 count="${#magic}" 2>/dev/null; }
[ "$(begins "$work/a model.safetensors")" = "$magic" ] || fail "a new document begins with $(begins "$work/a model.safetensors")"
printf '01234567{"__metadata__":{"format":"pt"}}' >"$work/weights.safetensors"
[ "$(begins "$work/weights.safetensors")" != "$magic" ] || fail "other weights are taken for a document"

if command -v desktop-file-validate >/dev/null; then desktop-file-validate "$to/share/applications/$id.desktop"; fi
# AppStream 1.0 asks for a homepage, and there is none; 0.16 does not know that it could.
valid() { appstreamcli validate --no-net "$@" "$to/share/metainfo/$id.metainfo.xml"; }
if command -v appstreamcli >/dev/null; then valid || valid --override url-homepage-missing=info; fi
echo "what is installed runs and is complete"
