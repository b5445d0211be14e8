// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/what_if_form.h"

#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <initializer_list>

#include "ui/document/model_document.h"
#include "ui/figure/typed_number.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/value_line.h"

namespace tfm::ui {
namespace {

using observe::Intervention;

enum Action { kOff, kSet, kScale, kMean, kPatch };  // off, then the kinds

constexpr double kWidth = 460;               // at scale 1
constexpr std::size_t kMostNeurons = 2'000;  // in the list of names

Action actionOf(const Intervention& what) {
  const bool off = what.kind == Intervention::Kind::Set && what.number == 0.0;
  return off ? kOff : Action(kSet + int(what.kind));
}

}  // namespace

WhatIfForm::WhatIfForm(const Style& style, ModelDocument& document, const Intervention& draft,
                       std::optional<std::size_t> entry, QWidget* parent)
    : QDialog(parent),
      document_(document),
      entry_(entry),
      target_(new QLineEdit),
      action_(new QComboBox),
      number_(new ValueLine([](const QString& text) { return typedReal(text).has_value(); },
                            [this] { return shownNumber(); })),
      text_(new QLineEdit),
      form_(new QFormLayout),
      words_(wrappedLabel("strong")),
      problem_(wrappedLabel("bad")),
      apply_(nullptr) {
  setWindowTitle(tr("What if?"));
  target_->setAccessibleName(tr("Part of the model"));
  target_->setFont(style.numberFont());
  target_->setToolTip(
      tr("Counted from 0, as in names of tensors: a head, neuron, block or layer; "
         "NAME[position, .] for a token, NAME[head, query, key] for a cell of attention, "
         "NAME[row, column] for a number or a weight"));
  auto* completer = new QCompleter(partNames(), this);
  completer->setFilterMode(Qt::MatchContains);
  target_->setCompleter(completer);
  action_->setAccessibleName(tr("What is done to it"));
  action_->addItems({tr("switched off (0)"), tr("set to a number"), tr("multiplied by a number"),
                     tr("its mean over held-out examples"), tr("copied from another text")});
  number_->setAccessibleName(tr("Number"));
  number_->setFont(style.numberFont());
  text_->setAccessibleName(tr("The other text"));
  form_->addRow(tr("What if"), target_);
  form_->addRow(tr("were"), action_);
  form_->addRow(tr("Number"), number_);
  form_->addRow(tr("Text"), text_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  apply_ = buttons->button(QDialogButtonBox::Ok);
  apply_->setText(tr("Apply"));
  auto* note =
      wrappedLabel("muted", tr("Answers, attention and all other pictures of a run follow at once. "
                               "The model is trained, measured and exported without it."));
  addParts(new QVBoxLayout(this), {form_, words_, problem_, note, kStretch, buttons});
  resize(style.px(kWidth), sizeHint().height());

  connect(buttons, &QDialogButtonBox::accepted, this, &WhatIfForm::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &WhatIfForm::reject);
  for (QLineEdit* field : std::initializer_list<QLineEdit*>{target_, number_, text_})
    connect(field, &QLineEdit::textChanged, this, &WhatIfForm::check);
  connect(number_, &ValueLine::done, this,
          [this](const QString& typed) { last_number_ = *typedReal(typed); });
  connect(number_, &ValueLine::refused, this,
          [this](const QString& typed) { say(notANumber(typed)); });
  connect(action_, &QComboBox::currentIndexChanged, this, &WhatIfForm::check);
  begin(draft);
}

void WhatIfForm::begin(const Intervention& draft) {
  target_->setText(QString::fromStdString(draft.target));
  last_number_ = draft.number;
  number_->showValue();
  text_->setText(QString::fromStdString(draft.text));
  action_->setCurrentIndex(actionOf(draft));
  check();
}

QStringList WhatIfForm::partNames() const {
  const ModelConfig& model = document_.moments().model();
  QStringList names;
  const auto add = [&](observe::UnitKind kind) {
    const auto units = observe::unitsOf(model, kind);
    if (kind == observe::UnitKind::Neurons && units.size() > kMostNeurons) return;
    for (const observe::Unit& unit : units) names += QString::fromStdString(unit.target);
  };
  add(observe::UnitKind::Heads);
  add(observe::UnitKind::Layers);
  add(observe::UnitKind::Neurons);
  for (const ParameterInfo& parameter : document_.moments().layout().parameters)
    names += QString::fromStdString(parameter.name) + QStringLiteral("[0, 0]");
  return names;
}

Intervention WhatIfForm::chosen() const {
  Intervention what;
  what.target = target_->text().trimmed().toStdString();
  const auto action = Action(action_->currentIndex());
  if (action == kSet || action == kScale) {
    const auto number = typedNumber();
    if (!number)
      throw Error(notANumber(number_->text()).toStdString(), {}, "Enter a number, such as 0.5");
    what.number = *number;
  }
  if (action == kScale) what.kind = Intervention::Kind::Scale;
  if (action == kMean) what.kind = Intervention::Kind::Mean;
  if (action == kPatch) {
    what.kind = Intervention::Kind::Patch;
    what.text = text_->text().toStdString();
  }
  return what;
}

void WhatIfForm::check() {
  const auto action = Action(action_->currentIndex());
  const bool number = action == kSet || action == kScale;
  form_->setRowVisible(number_, number);
  form_->setRowVisible(text_, action == kPatch);
  QString problem;
  try {
    const Intervention what = chosen();
    document_.interventions().require(what);
    words_->setText(wordsOf(what));
  } catch (const Error& wrong) {
    problem = QString::fromUtf8(wrong.what());
    words_->clear();
  }
  say(problem);
  words_->setVisible(problem.isEmpty());
  apply_->setEnabled(problem.isEmpty());
}

void WhatIfForm::say(const QString& problem) { setOrHide(*problem_, problem); }

QLineEdit& WhatIfForm::number() const { return *number_; }

QString WhatIfForm::shownNumber() const { return QString::number(last_number_, 'g', 7); }

std::optional<double> WhatIfForm::typedNumber() const {
  // The number itself, which may have more digits.
  if (number_->text() == shownNumber()) return last_number_;
  return typedReal(number_->text());
}

void WhatIfForm::accept() {
  try {
    const Intervention what = chosen();
    if (entry_ && *entry_ < document_.interventions().list().size())
      document_.interventions().replace(*entry_, what);
    else
      document_.interventions().add(what);
    QDialog::accept();
  } catch (const Error& wrong) {
    say(QString::fromUtf8(wrong.what()));
  }
}

}  // namespace tfm::ui
