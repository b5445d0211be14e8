// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/ui_test.h"

namespace tfm::ui {

/// A Qt Test class of plots: what all of them stand on.
class PlotTest : public QObject {
 protected:
  Style style_{*qobject_cast<QApplication*>(qApp)};
};

}  // namespace tfm::ui
