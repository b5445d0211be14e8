// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>

#include "ui/document/elastic_scores.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// The numbers of the chosen submodel beside those of the whole model.
class ElasticNumbers : public QWidget {
  Q_OBJECT

 public:
  explicit ElasticNumbers(const Style& style, QWidget* parent = nullptr);

  /// Whether the examples were not trained on.
  void setHeldOut(bool held_out) { held_out_ = held_out; }
  /// Null if nothing has been measured yet.
  void showScores(const QString& choice, const TimedScore* score, const TimedScore* whole);
  /// The choice's numbers in one line, for lack of room; empty if nothing has been measured yet.
  static QString line(const QString& choice, const TimedScore* score);
  /// The text of a number; column 0 is the choice, 1 the whole model.
  QString text(int row, int column) const;

 private:
  static constexpr std::size_t kRows = 8;

  void showNames(bool by_position);

  const Style& style_;
  QLabel* name_;
  std::array<QLabel*, kRows> names_{};
  std::array<std::array<QLabel*, 2>, kRows> numbers_{};
  QLabel* measured_;
  bool held_out_ = true;
};

}  // namespace tfm::ui
