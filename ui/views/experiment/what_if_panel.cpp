// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/what_if_panel.h"

#include <QCheckBox>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

#include "core/backend/registry.h"
#include "ui/document/model_document.h"
#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/views/experiment/what_if_form.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/token_line.h"

namespace tfm::ui {
namespace {

constexpr std::int64_t kMostTokens = 24;
constexpr std::int64_t kMostExamples = 100;
constexpr std::int64_t kMostMeasured = 1'000'000;  // parameters: measuring more takes seconds

std::vector<ShadedToken> shaded(const train::AnsweredQuestion& answer) {
  std::vector<ShadedToken> tokens;
  for (const train::AnswerToken& token : answer.tokens)
    tokens.push_back({QString::fromStdString(token.text), double(token.probability)});
  return tokens;
}

}  // namespace

WhatIfPanel::WhatIfPanel(const Style& style, ModelDocument& document, QWidget* parent)
    : View(document.observing(), parent),
      style_(style),
      document_(document),
      list_(columnOf(style, 2, {})),
      add_(pushButton(tr("Add..."), tr("Switch off, scale or set a head, a neuron, a token, any "
                                       "number or weight"))),
      clear_(pushButton(tr("Clear"), tr("Remove all changes"))),
      answers_(new QWidget),
      title_without_(wrappedLabel("muted", tr("Without the changes:"))),
      without_(new TokenLine(style)),
      title_with_(wrappedLabel("mark", tr("With the active changes:"))),
      with_(new TokenLine(style)),
      numbers_(wrappedLabel("")),
      problem_(wrappedLabel("bad")) {
  without_->setTitle(tr("Answer without the changes"));
  with_->setTitle(tr("Answer with the active changes"));
  numbers_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  answers_->setLayout(columnOf(style, 4, {title_without_, without_, title_with_, with_, numbers_}));
  setLayout(columnOf(style, 8, {list_, answers_, problem_, rowOf({{add_, 1}, clear_})}));

  connect(add_, &QPushButton::clicked, this, &WhatIfPanel::propose);
  connect(clear_, &QPushButton::clicked, this, [this] { document_.interventions().clear(); });
  connect(&document_.interventions(), &Interventions::changed, this, &WhatIfPanel::showList);
  connect(&document_, &ModelDocument::replaced, this, &WhatIfPanel::showList);
  connect(&document_.observing(), &Observing::snapshotChanged, this, &WhatIfPanel::ask);
  connect(&document_.observing(), &Observing::questionChanged, this, &WhatIfPanel::ask);
  connect(&document_.training(), &Training::runningChanged, this, &WhatIfPanel::ask);
  showList();
}

WhatIfPanel::Row WhatIfPanel::makeRow(std::size_t entry) {
  Row row{new QWidget,
          new QCheckBox,
          wrappedLabel(""),
          iconButton(style_, "write", tr("Edit this change"), "small"),
          iconButton(style_, "close", tr("Remove this change"), "small"),
          wrappedLabel("bad")};
  row.on->setFocusPolicy(Qt::TabFocus);
  row.on->setToolTip(tr("Whether it is active"));
  row.all->setLayout(
      columnOf(style_, 0, {rowOf({row.on, {row.words, 1}, row.edit, row.remove}), row.problem}));
  connect(row.on, &QCheckBox::clicked, this,
          [this, entry](bool on) { document_.interventions().setOn(entry, on); });
  connect(row.edit, &QToolButton::clicked, this, [this, entry] { edit(entry); });
  connect(row.remove, &QToolButton::clicked, this,
          [this, entry] { document_.interventions().remove(entry); });
  list_->addWidget(row.all);
  return row;
}

void WhatIfPanel::showList() {
  setEnabled(document_.isOpen());
  const Interventions& interventions = document_.interventions();
  const std::size_t count = interventions.list().size();
  while (rows_.size() < count) rows_.push_back(makeRow(rows_.size()));
  while (rows_.size() > count) {
    rows_.back().all->hide();
    rows_.back().all->deleteLater();  // one of its buttons may be at work
    rows_.pop_back();
  }
  for (std::size_t i = 0; i < count; ++i) {
    const train::ListedIntervention& entry = interventions.list()[i];
    const auto& problem = interventions.problem(i);
    const QString words = wordsOf(entry.what);
    Row& row = rows_[i];
    const QSignalBlocker quiet(row.on);
    row.on->setAccessibleName(words);
    row.on->setChecked(entry.on);
    row.words->setText(words);
    row.words->setToolTip(QString::fromStdString(observe::textOf(entry.what)));
    row.edit->setAccessibleName(tr("Edit %1").arg(words));
    row.remove->setAccessibleName(tr("Remove %1").arg(words));
    setOrHide(*row.problem,
              problem ? tr("Not active: %1").arg(QString::fromUtf8(problem->what())) : QString());
  }
  clear_->setVisible(count > 0);
  updateNeed();
  ask();
}

void WhatIfPanel::propose() {
  const auto heads = observe::unitsOf(document_.moments().model(), observe::UnitKind::Heads);
  document_.interventions().propose(changeOf(heads.empty() ? "" : heads.front().target));
}

void WhatIfPanel::edit(std::size_t entry) {
  auto* form = new WhatIfForm(style_, document_, document_.interventions().list()[entry].what,
                              entry, window());
  form->setAttribute(Qt::WA_DeleteOnClose);
  form->open();
}

Need WhatIfPanel::need() const {
  return {.parameters = document_.isOpen() && !document_.interventions().inForce().empty()};
}

void WhatIfPanel::ask() {
  const auto& snapshot = document_.isOpen() ? document_.observing().snapshot() : nullptr;
  const auto& changes = document_.interventions().inForce();
  // Those of another model, or moment, are not kept.
  if (changes.empty() || !isVisible() || !snapshot || snapshot->is_difference) {
    job_.forget();
    answers_->hide();
    problem_->hide();
    return;
  }
  if (!snapshot->state) return;
  const bool measures =
      !document_.training().isRunning() && document_.moments().layout().total <= kMostMeasured;
  const auto work = [state = snapshot->state, codec = document_.sharedCodec(),
                     task = document_.sharedTask(), changes, measures,
                     question = document_.observing().question().toStdString()] {
    Made made;
    made.problem = problemOf([&] {
      const std::int64_t most = codec->form() == data::TaskForm::Text
                                    ? kMostTokens
                                    : std::max<std::int64_t>(1, state->config.target_length);
      made.answers =
          train::whatIfAnswers(state, *codec, task, question, changes, std::min(most, kMostTokens),
                               measures ? kMostExamples : 0, *makeBackend<float>());
    });
    return made;
  };
  // Why the pictures do not follow, as for a position that this text does not have.
  const QString unseen = QString::fromStdString(snapshot->problem);
  job_.start(work, [this, unseen](const Made& made) { take(made, unseen); });
}

void WhatIfPanel::take(const Made& made, const QString& unseen) {
  const QString problem = made.problem ? QString::fromUtf8(made.problem->what()) : unseen;
  answers_->setVisible(made.answers.has_value());
  setOrHide(*problem_, problem);
  if (!made.answers) return;
  const train::WhatIfAnswers& both = *made.answers;
  without_->setTokens(shaded(both.without.answer));
  with_->setTokens(shaded(both.with.answer));
  QStringList numbers;
  if (!std::isnan(both.without.loss))
    numbers += (both.read == train::ReadAnswer::Right ? tr("loss of the right answer %1 → %2")
                                                      : tr("loss of its own answer %1 → %2"))
                   .arg(shortNumber(both.without.loss), shortNumber(both.with.loss));
  if (both.examples > 0)
    numbers += tr("accuracy on %1 held-out examples %2 → %3")
                   .arg(both.examples)
                   .arg(percentText(both.without.accuracy, 0), percentText(both.with.accuracy, 0));
  numbers_->setText(numbers.join('\n'));
}

}  // namespace tfm::ui
