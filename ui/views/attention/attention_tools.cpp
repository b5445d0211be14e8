// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/attention_tools.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "ui/style/style.h"
#include "ui/views/attention/attention_words.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

using Form = AttentionShown::Form;

constexpr int kStages = 4;

QString withKey(const QString& text, const QString& key) {
  return AttentionTools::tr("%1 (%2)").arg(text, key);
}

}  // namespace

AttentionTools::AttentionTools(const Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      stages_(new Segmented(
          style, {tr("Score"), AttentionWords::scaling(0), tr("Masked"), tr("Softmax")})),
      forms_(new Segmented(style, {tr("Map"), tr("Lines"), tr("Batch")})),
      rollout_(new QPushButton(tr("Rollout"))),
      difference_(new QPushButton(tr("Difference"))),
      reasons_(new ElidedLabel("muted", 1)),
      right_(new QWidget),
      row_(rowOf({stages_, kStretch, {right_, 0, Qt::AlignLeft}})),
      right_row_(rowOf({forms_, rollout_, difference_})) {
  for (QPushButton* button : {rollout_, difference_}) {
    setRole(*button, "pill");
    button->setCheckable(true);
  }
  stages_->setAccessibleName(tr("Stage of the attention"));
  forms_->setAccessibleName(tr("Form"));
  forms_->setChoiceToolTip(0, withKey(tr("A cell for every pair"), "L"));
  forms_->setChoiceToolTip(1, withKey(tr("A line for every pair"), "L"));
  forms_->setChoiceToolTip(2, withKey(tr("The texts as ids, with pads and masks"), "B"));

  right_->setLayout(right_row_);
  // The empty line keeps its place, so that maps do not jump.
  reasons_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  setLayout(columnOf({row_, reasons_}));

  connect(stages_, &Segmented::currentChanged, this, [this](int stage) {
    choose([&](AttentionShown& now) { now.stage = AttentionStage(stage); });
  });
  connect(forms_, &Segmented::currentChanged, this,
          [this](int form) { choose([&](AttentionShown& now) { now.form = Form(form); }); });
  connect(rollout_, &QPushButton::clicked, this,
          [this](bool on) { choose([&](AttentionShown& now) { now.rollout = on; }); });
  connect(difference_, &QPushButton::clicked, this,
          [this](bool on) { choose([&](AttentionShown& now) { now.difference = on; }); });
  connect(&style_, &Style::changed, this, &AttentionTools::updateSizes);
  setNoRollout({});
  setPinned(std::nullopt);
  setShown({});
  addKeys();
  updateSizes();
}

void AttentionTools::setShown(const AttentionShown& shown) {
  shown_ = shown;
  const QSignalBlocker stages_quiet(stages_), forms_quiet(forms_);
  stages_->setCurrent(int(shown_.stage));
  forms_->setCurrent(int(shown_.form));
  rollout_->setChecked(rollout());
  difference_->setChecked(difference());
  updateStages();
}

void AttentionTools::choose(const std::function<void(AttentionShown&)>& change) {
  AttentionShown now = shown_;
  change(now);
  emit chosen(now);
}

void AttentionTools::addKeys() {
  const auto key = [this](const char* keys, const QString& what, const std::function<void()>& act) {
    auto* shortcut = new QShortcut(QKeySequence(keys), this);
    shortcut->setWhatsThis(what);
    connect(shortcut, &QShortcut::activated, this, act);
  };
  const auto stage = [this](int choice) {
    return [this, choice] {
      if (!rollout()) stages_->setCurrent(choice);
    };
  };
  key("S", tr("Scores"), stage(0));
  key("K", tr("Scores divided by the root of the key size"), stage(1));
  key("M", tr("Masked scores"), stage(2));
  key("X", tr("Softmax"), stage(3));
  const auto form = [this](Form wanted) {
    return
        [this, wanted] { forms_->setCurrent(int(shown_.form == wanted ? Form::Cells : wanted)); };
  };
  key("L", tr("Map or lines"), form(Form::Lines));
  key("B", tr("The batch that is read"), form(Form::Batch));
  key("R", tr("Rollout"), [this] { rollout_->click(); });
  key("D", tr("Difference from the pinned step"), [this] { difference_->click(); });
  key("P", tr("Pin what is shown as A"), [this] { emit pinRequested(); });
}

void AttentionTools::setKeySize(int key_size) {
  stages_->setChoiceText(1, AttentionWords::scaling(key_size));
}

void AttentionTools::setNoRollout(const QString& reason) {
  no_rollout_ = reason;
  rollout_->setEnabled(reason.isEmpty());
  rollout_->setChecked(rollout());
  rollout_->setToolTip(
      reason.isEmpty() ? withKey(tr("The product of all layers in this stack"), "R") : reason);
  updateStages();
  updateReasons();
}

void AttentionTools::setNoDifference(const QString& reason) {
  no_difference_ = reason;
  difference_->setChecked(difference());
  updateDifference();
  updateReasons();
}

void AttentionTools::updateReasons() {
  QStringList reasons{no_rollout_, compares_pins_ ? QString() : no_difference_};
  reasons.removeAll(QString());
  reasons_->setText(reasons.join(QStringLiteral(" · ")));
  reasons_->setToolTip(reasons.join(QLatin1Char('\n')));
}

void AttentionTools::setBrief(bool brief) { reasons_->setVisible(!brief); }

void AttentionTools::setPinned(std::optional<std::int64_t> step) {
  setNoDifference(step ? QString() : tr("Pin a step first (P)"));
}

void AttentionTools::setComparesPins(bool compares) {
  compares_pins_ = compares;
  updateDifference();
  updateReasons();
}

void AttentionTools::updateDifference() {
  difference_->setEnabled(no_difference_.isEmpty() && !compares_pins_);
  difference_->setToolTip(compares_pins_ ? tr("A and B are already being compared")
                          : no_difference_.isEmpty()
                              ? withKey(tr("What has changed between A and what is shown"), "D")
                              : no_difference_);
}

void AttentionTools::updateStages() {
  const bool off = rollout();
  const QString reason = tr("A rollout uses softmax maps");
  const QString texts[kStages] = {
      withKey(tr("query · key"), "S"), withKey(tr("Divided by the root of the key size"), "K"),
      withKey(tr("What goes into the softmax"), "M"), withKey(tr("Shares that sum to 1"), "X")};
  for (int i = 0; i < kStages; ++i) stages_->setChoiceToolTip(i, off ? reason : texts[i]);
  stages_->setEnabled(!off);
}

QSize AttentionTools::minimumSizeHint() const {
  const QSize left = stages_->minimumSizeHint();
  const QSize right = right_->minimumSizeHint();
  return {std::max(left.width(), right.width()), QWidget::minimumSizeHint().height()};
}

void AttentionTools::resizeEvent(QResizeEvent*) { arrange(); }

bool AttentionTools::event(QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) arrange();  // a button's text became longer
  return QWidget::event(event);
}

void AttentionTools::arrange() {
  const int one_row =
      stages_->sizeHint().width() + right_->sizeHint().width() + 2 * row_->spacing();
  row_->setDirection(width() < one_row ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void AttentionTools::updateSizes() {
  row_->setSpacing(style_.px(8));
  right_row_->setSpacing(style_.px(8));
}

}  // namespace tfm::ui
