// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "core/matformer/nesting.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace tfm::ui {

class Segmented;
class Style;

/// Which submodels a model is trained to contain, and how. What is typed counts when the button is
/// pressed.
class NestingForm : public QWidget {
  Q_OBJECT

 public:
  explicit NestingForm(const Style& style, QWidget* parent = nullptr);

  /// Shows what the model is trained with, or what it could be. `why_not`: why nothing can be
  /// nested, empty where it can.
  void showNesting(const matformer::Nesting& nesting, bool nested, const QString& why_not);
  /// Forgets what is typed: the next showNesting() is of another model.
  void forget() { shown_.reset(); }
  /// What is typed. Throws Error naming what is wrong.
  matformer::Nesting nesting() const;
  /// Says below the fields what is wrong; empty: nothing.
  void setProblem(const QString& problem);

  QPushButton* applyButton() const { return apply_; }
  QPushButton* stopButton() const { return stop_; }
  QLineEdit& widths() { return *widths_; }
  QLineEdit& weights() { return *weights_; }
  QLineEdit& heads() { return *heads_; }
  Segmented& training() { return *training_; }

 signals:
  void applyWanted();
  void stopWanted();

 private:
  QLineEdit* addField(const QString& name, const QString& hint, QLabel*& label);
  void showMethod();

  const Style& style_;
  std::optional<matformer::Nesting> shown_;
  Segmented* training_;
  QLabel* method_;
  QLabel *widths_label_, *weights_label_, *heads_label_;
  QLineEdit *widths_, *weights_, *heads_;
  QLabel* problem_;
  QPushButton* apply_;
  QPushButton* stop_;
};

}  // namespace tfm::ui
