// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "ui/style/forward.h"
#include "ui/widgets/forward.h"
#include "ui/widgets/section.h"

namespace tfm::ui {

/// A number that can be tried with other values: while its slider is dragged, the probabilities of
/// the answers follow. Releasing the slider keeps the value, Esc drops it; moved by keys, it is
/// kept by Return or a button. Nothing is changed unless kept() is emitted.
class FlowOtherwise : public Section {
  Q_OBJECT

 public:
  explicit FlowOtherwise(const Style& style, QWidget* parent = nullptr);

  /// Offers to change a number from `value` within a range; nothing while another value is tried.
  void offer(double value, double least, double most);
  /// Drops what is tried, and offers nothing.
  void withdraw();
  bool isTrying() const { return tried_.has_value(); }
  /// The value that is tried.
  std::optional<double> tried() const { return tried_; }

  /// How the answers change: their probabilities, before and now.
  void showAnswers(const QString& heading, std::vector<BarRow> rows);
  void showProblem(const QString& problem);

  QSlider& slider() { return *slider_; }
  BarList& answers() { return *bars_; }
  void keep();
  void drop();

 signals:
  void tryRequested(double value);
  void kept(double value);
  void dropped();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void moved(int position);
  void endTrial();
  double valueOf(int position) const;
  void refresh();

  double value_ = 0.0, least_ = -1.0, most_ = 1.0;
  std::optional<double> tried_;
  bool ignores_ = false;  ///< a drag that Esc has ended, until the button is released
  QSlider* slider_;
  NumberLabel* number_;
  QLabel* hint_;
  QWidget* buttons_;
  QPushButton* keep_;
  QPushButton* drop_;
  BarList* bars_;
};

}  // namespace tfm::ui
