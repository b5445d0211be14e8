#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run_docs.sh PROGRAM ROOT: runs the command lines of README, CONTRIBUTING and docs/ on small data and few steps, the
# pages one after the other, each in a folder of its own. A block of other commands, or one that takes a GPU or a cluster, follows the line
# "<!-- not run: REASON -->". Prints what fails.
set -eu
cli=$1
root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# commands FILE: "LINE COMMAND" for each command to run; "LINE ! COMMAND" for one that is neither run nor marked.
commands() {
  awk '
    /^## Reference$/ { exit }
    /^<!-- not run: .+ -->$/ { marked = 1; next }
    /^$/ { next }
    !/^    / { marked = 0; next }
    !/^ +(transformarium-cli |\.\/dev |ninja |sh |tests\/[a-z]|build\/[a-z])/ && !more { next }
    marked { next }
    {
      text = $0
      sub(/^ +/, "", text)
      if (!more) start = NR
      line = more ? line " " text : text
      more = sub(/ *\\$/, "", line)
      if (!more) print start, (line ~ /^transformarium-cli / ? "" : "! ") line
    }' "$1"
}

# The program as the pages run it: few steps, one seed, few examples.
mkdir "$work/bin"
cat >"$work/bin/transformarium-cli" <<SHORT
#!/bin/sh
verb=\$1
shift
steps= growths=0 n=\$#
while [ \$n -gt 0 ]; do
  n=\$((n - 1)) word=\$1
  shift
  case \$word in
    --steps | --epochs | --until-accuracy)
      [ "\$1" = 0 ] && steps=0 || steps=6
      shift
      n=\$((n - 1))
      ;;
    --seeds | --examples | --grow)
      case \$word in
        --seeds) value=1 ;;
        --examples) value=20 ;;
        --grow) growths=\$((growths + 2)) value=\$growths:\${1#*:} ;;
      esac
      shift
      n=\$((n - 1))
      set -- "\$@" "\$word" "\$value"
      ;;
    --full) ;;
    --encoder) set -- "\$@" --max-length 64 --encoder ;; # the longest text of the small BERT
    *) set -- "\$@" "\$word" ;;
  esac
done
case \$verb in
  train | study | nesting-study) set -- "\$@" --steps "\${steps:-6}" ;;
  bench) set -- "\$@" --steps 1 ;;
esac
exec "$cli" "\$verb" "\$@"
SHORT
chmod +x "$work/bin/transformarium-cli"
PATH=$work/bin:$PATH

# prepare FOLDER: the files that the pages name.
prepare() {
  mkdir "$1"
  cd "$1"
  ln -s "$root/docs" docs
  ln -s "$root/tests/goldens/bert" bert-mini
  mkdir gpt2
  ln -s "$root"/tests/goldens/families/gpt2/* gpt2
  printf '{"T": 0, "h": 1, "e": 2, "Ġ": 3, "p": 4, "i": 5, "c": 6, "t": 7, "u": 8, "r": 9, "s": 10, "o": 11, "w": 12,
    "th": 13}' >gpt2/vocab.json
  printf '#version: 0.2\nt h\n' >gpt2/merges.txt
  ln -s "$root/tests/goldens/tiny.gguf" smollm2.gguf
  ln -s "$root/tests/goldens/funnel" funnel-small
  ln -s "$root/tests/goldens/torch_encoder" encoder
  awk 'BEGIN {
    split("good fine great warm clever", good); split("bad dull slow cold stupid", bad)
    split("film story music plot acting", what); split("chat chien pain vin livre", nom); split("cat dog bread wine book", noun)
    for (i = 0; i < 200; i++) {
      adjective = i % 2 ? good[i % 5 + 1] : bad[i % 5 + 1]
      text = "the " what[int(i / 5) % 5 + 1] " was " adjective " and the " what[int(i / 25) % 5 + 1] " too " i
      print text "\t" i % 2 > "reviews.tsv"
      print text "." > "reviews.txt"
      print substr("emmaoliviaavamiazoeliamnoah", i % 20 + 1, i % 5 + 3) > "names.txt"
      print "Once there was a " noun[i % 5 + 1] ", and the " text "." > "book.txt"
      print "I see the " noun[i % 5 + 1] " " i ".\tJe vois le " nom[i % 5 + 1] " " i "." > "eng-fra.tsv"
    }
  }'
  # The lesson that docs/lessons.md shows.
  awk '/^    ---$/ { inside = 1 } inside && /^[^ ]/ { exit } inside { sub(/^    /, ""); print }' docs/lessons.md >first.lesson.md
  for copy in train_5000 test_2000 400; do cp reviews.tsv $copy.tsv; done
  cp eng-fra.tsv eng-fra-20k.tsv
}

failures=0
count=0
for page in "$root"/README.md "$root"/CONTRIBUTING.md "$root"/docs/*.md; do
  name=$(basename "$page" .md)
  commands "$page" >"$work/$name.list"
  [ -s "$work/$name.list" ] || continue
  prepare "$work/$name"
  while read -r line command; do
    count=$((count + 1))
    case $command in
      "! "*) echo "$page:$line: neither run nor marked as not run: ${command#! }" ;;
      *)
        if sh -c "$command" >"$work/out" 2>&1 </dev/null; then continue; fi
        echo "$page:$line: $command"
        sed 's/^/  /' "$work/out" | tail -n 5
        ;;
    esac
    failures=$((failures + 1))
  done <"$work/$name.list"
done
echo "$count commands, $failures failures"
[ "$count" -gt 0 ] && [ $failures -eq 0 ]
