// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/nesting_form.h"

#include <QRegularExpression>
#include <type_traits>
#include <utility>

#include "core/base/error.h"
#include "ui/figure/number_text.h"
#include "ui/figure/typed_number.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/value_line.h"

namespace tfm::ui {
namespace {

QStringList words(const QString& text) {
  static const QRegularExpression between(QStringLiteral("[\\s,;]+"));
  return text.split(between, Qt::SkipEmptyParts);
}

template <class Number>
std::optional<Number> numberIn(const QString& word) {
  if constexpr (std::is_same_v<Number, double>)
    return listedReal(word);
  else
    return typedWhole(word);
}

/// nullopt if one of the words is not a number.
template <class Number>
std::optional<std::vector<Number>> numbersIn(const QString& text) {
  std::vector<Number> numbers;
  for (const QString& word : words(text)) {
    const auto number = numberIn<Number>(word);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// The first word of a list that is not a number.
template <class Number>
QString wrongWord(const QString& text) {
  for (const QString& word : words(text))
    if (!numberIn<Number>(word)) return word;
  return {};
}

}  // namespace

NestingForm::NestingForm(const Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      training_(new Segmented(style, {tr("Sampled"), tr("Joint")})),
      method_(wrappedLabel("muted")),
      problem_(wrappedLabel("bad")),
      apply_(new QPushButton),
      stop_(pushButton(tr("Train as a whole again"),
                       tr("Continue without submodels, which gradually unlearn"))) {
  setLayout(columnOf(style, 6, {training_, method_}));
  training_->setAccessibleName(tr("How submodels are trained"));
  training_->setChoiceToolTip(0, tr("Each step draws one width"));
  training_->setChoiceToolTip(1, tr("Each step adds up the losses of all widths"));
  widths_ = addField(
      typed_.widths, tr("Widths, smallest first"),
      tr("Units of each feed-forward that a submodel keeps. The whole model is always included."),
      widths_label_);
  weights_ =
      addField(typed_.weights, {},
               tr("One number per size, smallest first: 2 1 1 trains the smallest twice as often "
                  "as the others. The last number is repeated for missing ones. Empty: all equal."),
               weights_label_);
  weights_->setPlaceholderText(tr("all equal"));
  heads_ = addField(typed_.heads, tr("Heads for each width"),
                    tr("Heads of each attention that a submodel keeps. Empty: all."), heads_label_);
  heads_->setPlaceholderText(tr("all heads"));
  problem_->hide();
  for (QWidget* part : std::initializer_list<QWidget*>{problem_, apply_, stop_})
    layout()->addWidget(part);
  connect(training_, &Segmented::currentChanged, this, &NestingForm::showMethod);
  connect(apply_, &QPushButton::clicked, this, &NestingForm::applyRequested);
  connect(stop_, &QPushButton::clicked, this, &NestingForm::stopRequested);
  for (ValueLine* field : {widths_, weights_, heads_}) {
    connect(field, &QLineEdit::returnPressed, apply_, &QPushButton::click);
    connect(field, &QLineEdit::textChanged, this, &NestingForm::updateApply);
  }
  showMethod();
}

template <class Number>
ValueLine* NestingForm::addField(std::vector<Number>& numbers, const QString& name,
                                 const QString& hint, QLabel*& label) {
  label = wrappedLabel("", name);
  auto* field =
      new ValueLine([](const QString& text) { return numbersIn<Number>(text).has_value(); },
                    [&numbers] { return joined(numbers, ' '); });
  connect(field, &ValueLine::done, this,
          [&numbers](const QString& text) { numbers = *numbersIn<Number>(text); });
  connect(field, &ValueLine::refused, this, [this](const QString& text) {
    setProblem(tr("%1. Separate numbers by spaces.").arg(notANumber(wrongWord<Number>(text))));
  });
  label->setBuddy(field);
  field->setAccessibleName(name);
  field->setToolTip(hint);
  style_.follow(field, [this, field] { field->setFont(style_.numberFont(12)); });
  layout()->addWidget(label);
  layout()->addWidget(field);
  return field;
}

void NestingForm::showMethod() {
  const bool sampled = training_->current() == 0;
  method_->setText(sampled ? tr("Each step trains one randomly drawn width: MatFormer as published "
                                "(Devvrit et al., NeurIPS 2024).")
                           : tr("Each step adds up the losses of all widths on one batch: "
                                "MatFormer's first version (arXiv 2310.07707v1), like DynaBERT."));
  const QString name =
      sampled ? tr("How often each size is trained") : tr("Weight of each size's loss");
  weights_label_->setText(name);
  weights_->setAccessibleName(name);
}

void NestingForm::showNesting(const matformer::Nesting& nesting, bool nested,
                              const QString& why_not) {
  apply_->setText(nested ? tr("Apply") : tr("Train as MatFormer"));
  setRole(*apply_, nested ? "" : "primary");
  why_not_ = why_not;
  apply_->setToolTip(why_not.isEmpty() ? tr("From the next step on") : why_not);
  stop_->setVisible(nested);
  setProblem(why_not);
  updateApply();
  // Text being edited stays, whatever else of the training changes.
  if (nesting == shown_) return;
  shown_ = nesting;
  typed_ = nesting;
  for (ValueLine* field : {widths_, weights_, heads_}) field->showValue();
  training_->setCurrent(nesting.training == matformer::Training::Joint ? 1 : 0);
}

matformer::Nesting NestingForm::nesting() const {
  matformer::Nesting nesting;
  nesting.training =
      training_->current() == 0 ? matformer::Training::Sampled : matformer::Training::Joint;
  nesting.widths = numbersIn<std::int64_t>(widths_->text()).value_or(typed_.widths);
  nesting.weights = numbersIn<double>(weights_->text()).value_or(typed_.weights);
  nesting.heads = numbersIn<std::int64_t>(heads_->text()).value_or(typed_.heads);
  if (nesting.widths.empty())
    throw Error(tr("no widths given").toStdString(), widths_label_->text().toStdString(),
                tr("Enter at least one, such as 8 16 32").toStdString());
  validate(nesting);
  return nesting;
}

void NestingForm::updateApply() {
  const bool readable = numbersIn<std::int64_t>(widths_->text()) &&
                        numbersIn<double>(weights_->text()) &&
                        numbersIn<std::int64_t>(heads_->text());
  apply_->setEnabled(why_not_.isEmpty() && readable);
}

QLineEdit& NestingForm::widths() { return *widths_; }

QLineEdit& NestingForm::weights() { return *weights_; }

QLineEdit& NestingForm::heads() { return *heads_; }

void NestingForm::setProblem(const QString& problem) { setOrHide(*problem_, problem); }

}  // namespace tfm::ui
