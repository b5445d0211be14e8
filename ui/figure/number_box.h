// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QDoubleSpinBox>
#include <QSpinBox>
#include <optional>

namespace tfm::ui {

/// A spin box whose text is read as typed_number.h says. What cannot become a number within its
/// range cannot be typed; what is unfinished when editing ends gives way to the value that holds.
class NumberBox : public QSpinBox {
  Q_OBJECT

 public:
  explicit NumberBox(QWidget* parent = nullptr) : QSpinBox(parent) {}

 protected:
  QString textFromValue(int value) const override;
  int valueFromText(const QString& text) const override;
  QValidator::State validate(QString& text, int& at) const override;
  void keyPressEvent(QKeyEvent* event) override;
};

/// The same for numbers with decimals.
class RealBox : public QDoubleSpinBox {
  Q_OBJECT

 public:
  explicit RealBox(QWidget* parent = nullptr) : QDoubleSpinBox(parent) {}

 protected:
  QString textFromValue(double value) const override;
  double valueFromText(const QString& text) const override;
  QValidator::State validate(QString& text, int& at) const override;
  void keyPressEvent(QKeyEvent* event) override;
};

/// Asks for a whole number.
class NumberDialog : public QDialog {
  Q_OBJECT

 public:
  NumberDialog(const QString& title, const QString& question, QWidget* parent = nullptr);

  QSpinBox& box() const { return *box_; }

 private:
  NumberBox* box_;
};

}  // namespace tfm::ui
