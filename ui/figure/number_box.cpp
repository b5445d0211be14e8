// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/number_box.h"

#include <QDialogButtonBox>
#include <QKeyEvent>
#include <QLabel>
#include <QRegularExpression>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>

#include "ui/figure/typed_number.h"

namespace tfm::ui {
namespace {

/// The state of `text`, which reads as `number`. Without one, only its beginning can become one.
template <class Number>
QValidator::State stateOf(const QString& text, const std::optional<Number>& number, double least,
                          double most) {
  static const QRegularExpression begun(QStringLiteral("^[-+]?[.,]?$"));
  if (least >= 0 && text.startsWith(u'-')) return QValidator::Invalid;
  if (!number) return begun.match(text).hasMatch() ? QValidator::Intermediate : QValidator::Invalid;
  const double value = double(*number);
  if (value >= least && value <= most) return QValidator::Acceptable;
  // More digits lead further away from 0.
  return (value >= 0 && value > most) || (value < 0 && value < least) ? QValidator::Invalid
                                                                      : QValidator::Intermediate;
}

/// After a key. In a dialog, Return presses a button, but not with another number than was typed.
void keepReturn(QKeyEvent& event, bool finished) {
  const bool ends = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
  if (ends && !finished) event.accept();
}

}  // namespace

QString NumberBox::textFromValue(int value) const { return QString::number(value); }

int NumberBox::valueFromText(const QString& text) const {
  if (!specialValueText().isEmpty() && text == specialValueText()) return minimum();
  return int(typedWhole(text).value_or(value()));
}

QValidator::State NumberBox::validate(QString& text, int&) const {
  if (!specialValueText().isEmpty() && text == specialValueText()) return QValidator::Acceptable;
  return stateOf(text.trimmed(), typedWhole(text), minimum(), maximum());
}

void NumberBox::keyPressEvent(QKeyEvent* event) {
  const bool finished = hasAcceptableInput();
  QSpinBox::keyPressEvent(event);
  keepReturn(*event, finished);
}

QString RealBox::textFromValue(double value) const {
  return QString::number(value, 'f', decimals());
}

double RealBox::valueFromText(const QString& text) const {
  return typedReal(text).value_or(value());
}

QValidator::State RealBox::validate(QString& text, int&) const {
  const QString typed = text.trimmed();
  static const QRegularExpression exponent(QStringLiteral("[eE]"));
  const qsizetype mark = std::max(typed.indexOf(u'.'), typed.indexOf(systemDecimalMark()));
  const bool fine = mark >= 0 && typed.size() - mark - 1 > decimals();
  if (fine || exponent.match(typed).hasMatch()) return QValidator::Invalid;
  return stateOf(typed, typedReal(typed), minimum(), maximum());
}

void RealBox::keyPressEvent(QKeyEvent* event) {
  const bool finished = hasAcceptableInput();
  QDoubleSpinBox::keyPressEvent(event);
  keepReturn(*event, finished);
}

NumberDialog::NumberDialog(const QString& title, const QString& question, QWidget* parent)
    : QDialog(parent), box_(new NumberBox) {
  setWindowTitle(title);
  auto* label = new QLabel(question);
  label->setBuddy(box_);
  box_->setAccessibleName(question);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  for (QWidget* part : std::initializer_list<QWidget*>{label, box_, buttons})
    layout->addWidget(part);
  box_->selectAll();
}

}  // namespace tfm::ui
