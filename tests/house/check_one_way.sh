#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_one_way.sh ROOT: what has one way in the window goes that way. Typed numbers are read by
# ui/figure/typed_number.h, numbers are shown with a decimal point, and what is not ours, such as a file's name, is
# shown letter for letter. Prints each line that goes another way, and the way.
set -eu
cd "$1"

# only PATTERN ALLOWED WAY: in ui and app, PATTERN stands in files whose path matches ALLOWED alone.
bad=0
only() {
  found=$(grep -rnE "$1" ui app --include='*.cpp' --include='*.h' 2>/dev/null | grep -vE "^($2):" || true)
  [ -z "$found" ] && return
  echo "$found" | while IFS= read -r line; do echo "$line: $3"; done
  bad=1
}

only 'QLocale\(|QLocale::(c|system|setDefault)|%L[0-9]|text\(\)(\.trimmed\(\))?\.to(Double|Float|U?Int|U?LongLong)\(' \
  'ui/style/decimal_point.cpp|ui/figure/typed_number.cpp' \
  'show numbers by QString::number(), read them by ui/figure/typed_number.h'
only 'new Q(Double)?SpinBox|QInputDialog|Q(Int|Double)Validator' '-' 'use ui/figure/number_box.h'
only 'QToolTip::showText' 'ui/figure/(tips\.h|tips\.cpp|glossary\.cpp)|ui/widgets/elided_label\.cpp' 'use ui/figure/tips.h'
only 'Qt::AutoText|mightBeRichText' 'ui/style/plain_labels.cpp|ui/figure/tips.cpp' \
  'text is plain, or the label says Qt::RichText'
exit $bad
