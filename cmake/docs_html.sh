#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# docs_html.sh DOCS OUT: the pages of docs/ as HTML, each heading with the anchor that its links name.
set -eu
docs=$1 out=$2
mkdir -p "$out"
cp -r "$docs"/pictures "$out"
find "$docs" -name '*.md' | LC_ALL=C sort | while read -r page; do
  name=${page#"$docs"/} target=$out/${page#"$docs"/}
  target=${target%.md}.html
  up=$(echo "$name" | sed 's|[^/]*/|../|g; s|[^/]*$||')
  mkdir -p "$(dirname "$target")"
  {
    printf '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\n'
    printf '<title>%s</title>\n' "$(sed -n 's/^# //p' "$page" | head -n 1)"
    printf '<style>body{max-width:50em;margin:2em auto;padding:0 1em;font:16px/1.5 sans-serif;color:#1a2333}'
    printf 'pre,code{background:#f3f5f9}pre{padding:.6em;overflow:auto}img{max-width:100%%}'
    printf 'table{border-collapse:collapse}td,th{border:1px solid #dbe2ec;padding:.3em .6em;vertical-align:top}</style>'
    printf '</head>\n<body>\n<p><a href="%sindex.html">Transformarium</a></p>\n' "$up"
    cmark-gfm -e table -e strikethrough --unsafe "$page" | awk '
      match($0, /^<h[1-6]>/) {
        text = $0
        gsub(/<[^>]*>|&[a-z]*;/, "", text)
        text = tolower(text)
        gsub(/[^a-z0-9 _-]/, "", text)
        gsub(/ /, "-", text)
        sub(/^<h[1-6]/, substr($0, 1, 3) " id=\"" text "\"")
      }
      { gsub(/\.md"/, ".html\""); gsub(/\.md#/, ".html#"); print }'
    printf '</body></html>\n'
  } >"$target"
done
{
  printf '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Transformarium</title></head><body><h1>Transformarium</h1><ul>\n'
  (cd "$docs" && LC_ALL=C ls ./*.md) | while read -r page; do
    printf '<li><a href="%s.html">%s</a></li>\n' "$(basename "$page" .md)" "$(sed -n 's/^# //p' "$docs/$page" | head -n 1)"
  done
  printf '</ul></body></html>\n'
} >"$out/index.html"
