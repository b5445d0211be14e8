// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <memory>

#include "tests/test_program.h"
#include "ui/style/style.h"

namespace tfm::ui {

/// A Qt Test class of widgets in one style.
class UiTest : public QObject {
 protected:
  Style style_{*qApp};
};

}  // namespace tfm::ui
