// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>

#include "ui/document/elastic_scores.h"

class QLabel;

namespace tfm::ui {

class Style;

/// The numbers of the chosen submodel beside those of the whole model.
class ElasticNumbers : public QWidget {
  Q_OBJECT

 public:
  explicit ElasticNumbers(const Style& style, QWidget* parent = nullptr);

  /// Whether the examples are others than those that were trained on.
  void setHeldOut(bool held_out) { held_out_ = held_out; }
  /// Null where nothing is known yet.
  void showScores(const QString& choice, const TimedScore* score, const TimedScore* whole);
  /// The same of the choice in one line, for where there is no room for more; empty if nothing is
  /// known yet.
  static QString line(const QString& choice, const TimedScore* score);
  /// The text of a number: row as shown, 0 for the choice and 1 for the whole.
  QString text(int row, int column) const;

 private:
  static constexpr int kRows = 8;

  void updateFonts();

  const Style& style_;
  QLabel* name_;
  std::array<std::array<QLabel*, 2>, kRows> numbers_{};
  QLabel* measured_;
  bool held_out_ = true;
};

}  // namespace tfm::ui
