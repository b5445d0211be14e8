#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# negative_controls.sh: each house check accepts a tiny clean tree and rejects the same tree with one thing broken, naming the
# file at fault. A check that cannot fail proves nothing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/"a tree"
failures=0
cases=0

# put FILE LINE...: a file of the tree; the licence line comes by itself.
put() {
  file=$tree/$1
  shift
  mkdir -p "$(dirname "$file")"
  case $file in *.h | *.cpp) mark='//' ;; *) mark='#' ;; esac
  printf '%s\n' "$mark SPDX-License-Identifier: GPL-3.0-or-later" "$@" >"$file"
}

clean_tree() {
  rm -rf "$tree"
  put CMakeLists.txt 'add_subdirectory(core)' 'add_subdirectory(ui)' 'add_subdirectory(app)'
  put core/CMakeLists.txt 'add_subdirectory(base)' 'add_subdirectory(data)' 'add_subdirectory(model)'
  put core/base/CMakeLists.txt 'tfm_layer(base SOURCES error.cpp)'
  put core/base/error.h '#include <string>'
  put core/base/error.cpp '#include "core/base/error.h"' '#include <nlohmann/json.hpp>'
  put core/model/CMakeLists.txt 'tfm_layer(model' '  SOURCES blocks/norm.cpp)'
  put core/model/batch.h '#include "core/base/error.h"'
  put core/model/blocks/norm.cpp '#include "core/model/batch.h"'
  put core/data/CMakeLists.txt 'tfm_layer(data SOURCES task.cpp)'
  put core/data/task.cpp '#include "core/model/batch.h"' '#include <vector>'
  put ui/CMakeLists.txt 'add_subdirectory(feed)' 'add_subdirectory(views)'
  put ui/feed/CMakeLists.txt
  put ui/feed/feed.h '#include <QObject>' '#include <nlohmann/json_fwd.hpp>'
  put ui/views/CMakeLists.txt 'tfm_layer(views SOURCES train_view.cpp)'
  put ui/views/train_view.h '#include "ui/feed/feed.h"'
  put ui/views/train_view.cpp '#include "ui/views/train_view.h"' '#include <qcustomplot.h>' '#include <vtkCamera.h>' \
    '#include "train_view.moc"'
  put ui/views/attention_view.h '#include "ui/feed/feed.h"'
  put app/CMakeLists.txt 'add_executable(transformarium-cli main_cli.cpp)'
  put app/main_cli.cpp '#include "core/base/error.h"'
  put README.md '[pages](docs/page.md#a-heading) `app/main_cli.cpp` ![picture](docs/picture.png)'
  put docs/page.md '## A heading' '[back](../README.md), [here](#a-heading), [elsewhere](https://example.org/x)'
  : >"$tree/docs/picture.png"
}

# accepts CHECK: the check is content with the tree.
accepts() {
  cases=$((cases + 1))
  if ! said=$(sh "$here/$1.sh" "$tree" 2>&1) || [ -n "$said" ]; then
    echo "$1 rejected a clean tree: $said"
    failures=$((failures + 1))
  fi
}

# rejects CHECK FILE: the check fails, says one line, and that line begins with FILE. The tree is then made clean again.
rejects() {
  cases=$((cases + 1))
  if said=$(sh "$here/$1.sh" "$tree" 2>&1); then
    echo "$1 accepted a broken $2"
    failures=$((failures + 1))
  elif [ "$(echo "$said" | wc -l)" -ne 1 ] || case ${said#./} in "$2":*) false ;; esac then
    echo "$1 should have named $2, but said: $said"
    failures=$((failures + 1))
  fi
  clean_tree
}

clean_tree
for check in check_includes check_spdx check_heavy_headers check_listed check_one_way check_screens check_docs; do
  accepts $check
done

put core/base/error.h '#include "core/model/batch.h"'
rejects check_includes core/base/error.h
put core/model/batch.h '#include "core/data/task.h"'
rejects check_includes core/model/batch.h
put core/data/task.cpp '#include "core/observe/catalog.h"' # a neighbour, not further right
rejects check_includes core/data/task.cpp
put core/data/task.cpp '#include "core/attic/old.h"'
rejects check_includes core/data/task.cpp
put core/data/task.cpp '#include "../base/error.h"'
rejects check_includes core/data/task.cpp
put core/data/task.cpp '#include "task.h"'
rejects check_includes core/data/task.cpp
for header in '<QString>' '<QtCore/QObject>' '<vtkCamera.h>' '<GL/gl.h>' '<EGL/egl.h>' '<qcustomplot.h>'; do
  put core/data/task.cpp "  #  include $header"
  rejects check_includes core/data/task.cpp
  put app/main_cli.cpp "#include $header"
  rejects check_includes app/main_cli.cpp
done
put core/data/task.cpp '#include "ui/feed/feed.h"'
rejects check_includes core/data/task.cpp
put core/data/task.cpp '#include "app/cli/verbs.h"'
rejects check_includes core/data/task.cpp
put app/cli/verbs.cpp '#include "ui/feed/feed.h"'
rejects check_includes app/cli/verbs.cpp
put ui/feed/feed.h '#include "app/main_window.h"'
rejects check_includes ui/feed/feed.h
put ui/feed/feed.h '#include "ui/views/train_view.h"'
rejects check_includes ui/feed/feed.h
put ui/document/document.h '#include "ui/views/train_view.h"'
rejects check_includes ui/document/document.h
put ui/views/attention/attention_view.h '#include "ui/views/train/train_view.h"'
rejects check_includes ui/views/attention/attention_view.h

printf '%s\n' '#pragma once' >"$tree/core/base/error.h"
rejects check_spdx core/base/error.h
printf '%s\n' '' '// SPDX-License-Identifier: GPL-3.0-or-later' >"$tree/core/base/error.cpp"
rejects check_spdx core/base/error.cpp
printf '%s\n' '// SPDX-License-Identifier: MIT' >"$tree/core/base/error.cpp"
rejects check_spdx core/base/error.cpp
: >"$tree/core/base/CMakeLists.txt"
rejects check_spdx core/base/CMakeLists.txt
printf '%s\n' '#!/bin/sh' 'true' >"$tree/run.sh"
rejects check_spdx run.sh

for header in '<qcustomplot.h>' '"qcustomplot.h"' '<nlohmann/json.hpp>' '<vtkSmartPointer.h>'; do
  put ui/feed/feed.h "#include $header"
  rejects check_heavy_headers ui/feed/feed.h
done
excepted() {
  put tests/house/heavy_headers.txt 'ui/scene/window.h derives from a VTK class'
  put ui/scene/window.h '#include <vtkRenderWindow.h>'
  put ui/scene/pane.cpp '#include "ui/scene/window.h"'
}
excepted
accepts check_heavy_headers
put ui/scene/pane.h '#include "ui/scene/window.h"'
rejects check_heavy_headers ui/scene/pane.h
excepted
put ui/views/train_view.cpp '#include "ui/scene/window.h"'
rejects check_heavy_headers ui/views/train_view.cpp
excepted
put tests/house/heavy_headers.txt 'ui/scene/window.h'
rejects check_heavy_headers ui/scene/window.h
excepted
put ui/scene/window.h
rejects check_heavy_headers ui/scene/window.h

put core/base/lost.cpp
rejects check_listed core/base/lost.cpp
put core/base/CMakeLists.txt '# tfm_layer(base SOURCES error.cpp)'
rejects check_listed core/base/error.cpp
put core/base/CMakeLists.txt 'tfm_layer(base SOURCES io_error.cpp)'
rejects check_listed core/base/error.cpp
put core/model/blocks/attention.cpp
rejects check_listed core/model/blocks/attention.cpp
loop() {
  # shellcheck disable=SC2016  # the braces are for CMake
  put core/base/CMakeLists.txt 'foreach(name IN ITEMS error check)' '  tfm_layer(${name} SOURCES ${name}.cpp)'
}
loop
accepts check_listed
loop
put core/base/lost.cpp
rejects check_listed core/base/lost.cpp
put core/io/CMakeLists.txt
rejects check_listed core/io

for way in 'QLocale().toString(1)' 'tr("%L1").arg(1)' 'line->text().trimmed().toDouble(&read)' 'new QSpinBox' \
  'QInputDialog::getInt(this)' 'QToolTip::showText(at, name)' 'label.setTextFormat(Qt::AutoText)'; do
  put ui/views/train_view.cpp "$way"
  rejects check_one_way ui/views/train_view.cpp
done

# screen COUNT: a screen with so many methods, of all kinds, and what is none.
screen() {
  # shellcheck disable=SC2046  # lines without spaces
  put ui/views/train_view.h 'class TrainView : public View {' ' public:' '  TrainView();' '  int step() const { return step_; }' \
    ' signals:' '  void failed(const Error& problem);  // more(' ' private:' '  struct Made { int a = f(); };' \
    '  void wraps(int a,' '    int b);' $(seq -f 'void*f%.0f();' 5 "$1") '  int step_ = int(0);' '  std::function<int(int)> of_;' '};'
}
screen 25
accepts check_screens
screen 26
rejects check_screens ui/views/train_view.h

for text in '[x](docs/lost.md)' '[x](docs/page.md#another-heading)' '![x](docs/lost.png)' '`core/base/lost.h`'; do
  put README.md "$text"
  rejects check_docs README.md
done
put docs/page.md '## A heading' '[x](README.md)' # seen from its own folder
rejects check_docs docs/page.md
put docs/page.md '## Another heading'
rejects check_docs README.md
# shellcheck disable=SC2046  # 150 words
put README.md $(seq 150)
rejects check_docs README.md

echo "$cases cases, $failures failures"
[ $failures -eq 0 ]
