// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QTest>
#include <vector>

#include "ui/figure/figure.h"

namespace tfm::ui {

/// Replaces the text of a field and confirms it.
inline void type(QWidget& field, const QString& text) {
  auto* line = qobject_cast<QLineEdit*>(&field);
  QVERIFY(line != nullptr);
  line->selectAll();
  QTest::keyClick(line, Qt::Key_Delete);
  QTest::keyClicks(line, text);
  QTest::keyClick(line, Qt::Key_Return);
}

/// A column of a figure's table as whole numbers.
inline std::vector<qint64> column(const Figure& figure, int number) {
  std::vector<qint64> values;
  for (const QStringList& row : figure.figureData().rows)
    values.push_back(row[number].toLongLong());
  return values;
}

inline constexpr int kTraining = 1, kHeldOut = 3;  // columns of a side's counts

}  // namespace tfm::ui
