// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "core/matformer/nesting.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// A form for which submodels are trained, and how. Values are used when the button is pressed.
class NestingForm : public QWidget {
  Q_OBJECT

 public:
  explicit NestingForm(const Style& style, QWidget* parent = nullptr);

  /// Shows the nesting that the model is or could be trained with. `why_not`: why nothing can be
  /// nested; empty if it can.
  void showNesting(const matformer::Nesting& nesting, bool nested, const QString& why_not);
  /// Discards what was typed: the next showNesting() is for another model.
  void forget() { shown_.reset(); }
  /// The typed nesting. Throws Error naming what is wrong.
  matformer::Nesting nesting() const;
  /// Sets the message below the fields; empty for none.
  void setProblem(const QString& problem);

  QPushButton* applyButton() const { return apply_; }
  QPushButton* stopButton() const { return stop_; }
  QLineEdit& widths();
  QLineEdit& weights();
  QLineEdit& heads();
  Segmented& training() { return *training_; }

 signals:
  void applyRequested();
  void stopRequested();

 private:
  template <class Number>
  ValueLine* addField(std::vector<Number>& numbers, const QString& name, const QString& hint,
                      QLabel*& label);
  void showMethod();
  void updateApply();

  const Style& style_;
  std::optional<matformer::Nesting> shown_;
  matformer::Nesting typed_;  ///< its lists: what the lines held before they were edited
  QString why_not_;
  Segmented* training_;
  QLabel* method_;
  QLabel *widths_label_, *weights_label_, *heads_label_;
  ValueLine *widths_, *weights_, *heads_;
  QLabel* problem_;
  QPushButton* apply_;
  QPushButton* stop_;
};

}  // namespace tfm::ui
