// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/proof_panel.h"

#include <QKeySequence>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <initializer_list>

#include "ui/style/style.h"
#include "ui/views/grow/growth_words.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

constexpr int kMaxLines = 3;  // of text: the matrices need the height
constexpr int kMaxDetailLines = 4;

}  // namespace

ProofPanel::ProofPanel(Style& style, QWidget* parent)
    : QFrame(parent),
      style_(style),
      lamp_(new QLabel),
      what_(new ElidedLabel("strong", kMaxLines)),
      details_(new ElidedLabel("muted", kMaxDetailLines)),
      prove_(
          pushButton(tr("Prove"), tr("Run the model before and after on held-out examples (without "
                                     "a task, on random ones), in float and double"))),
      apply_(pushButton(tr("Apply"), tr("Grow the model; can be undone"), "primary")),
      later_(pushButton(tr("Later…"), tr("Let training apply it after a given step"))),
      break_(new QToolButton),
      cancel_(pushButton(tr("Cancel"), tr("Cancel (Esc)"))) {
  setRole(*this, "card");
  break_->setText(tr("Break it"));
  break_->setToolTip(tr("Violate one rule to see what it is for"));
  break_->setPopupMode(QToolButton::InstantPopup);
  break_->setMenu(new QMenu(break_));
  cancel_->hide();
  auto* foot = rowOf(style, 8, {{lamp_, 0, Qt::AlignTop}, {columnOf({what_, details_}), 1}});
  // Longer texts extend the panel upwards, so that the buttons stay under the pointer.
  for (QWidget* button : std::initializer_list<QWidget*>{cancel_, break_, prove_, later_, apply_})
    foot->addWidget(button, 0, Qt::AlignBottom);
  setLayout(foot);

  connect(prove_, &QPushButton::clicked, this, &ProofPanel::proveRequested);
  connect(apply_, &QPushButton::clicked, this, &ProofPanel::applyRequested);
  connect(cancel_, &QPushButton::clicked, this, &ProofPanel::cancelRequested);
  connect(later_, &QPushButton::clicked, this, &ProofPanel::scheduleRequested);
  break_->setEnabled(false);
  style.follow(this, [this] {
    const int gap = style_.px(8);
    layout()->setContentsMargins(2 * gap, gap, 2 * gap, gap);
    lamp_->setFixedSize(style_.px(28), style_.px(28));
  });
}

void ProofPanel::setBreaks(const std::vector<expand::Break>& possible, expand::Break broken) {
  // An open menu must not be rebuilt at every preview.
  if (possible == possible_ && broken == broken_) return;
  possible_ = possible;
  broken_ = broken;
  QMenu* menu = break_->menu();
  menu->clear();
  const auto add = [&](expand::Break b, const QString& text) {
    QAction* action = menu->addAction(text, this, [this, b] { emit breakRequested(b); });
    action->setCheckable(true);
    action->setChecked(b == broken);
  };
  add(expand::Break::None, tr("Keep every rule"));
  menu->addSeparator();
  for (const expand::Break b : possible) add(b, GrowthWords::broken(b));
  break_->setEnabled(!possible.empty());
  const bool any = broken != expand::Break::None;
  break_->setText(any ? tr("⚑ Broken") : tr("Break it"));
  setRole(*break_, any ? "danger" : "");
}

void ProofPanel::setGrown(std::shared_ptr<const GrowthPreview> grown,
                          std::shared_ptr<const train::GrowthProof> proof) {
  grown_ = std::move(grown);
  grown_proof_ = std::move(proof);
}

void ProofPanel::setProblem(const QString& problem) { problem_ = problem; }

void ProofPanel::showState(const GrowthPlanner& planner) {
  const bool planned = problem_.isEmpty() && planner.isCurrent() &&
                       !planner.preview()->changes().empty() && !planner.problem();
  const bool free = planned && !planner.isApplying();
  prove_->setEnabled(free && !planner.isProving());
  apply_->setEnabled(free);
  later_->setEnabled(free);
  cancel_->setVisible(planner.isSlow());
  showWords(planner);
}

void ProofPanel::say(const char* icon, const QColor& colour, const QString& what,
                     const QString& details) {
  lamp_->setPixmap(style_.icon(QLatin1String(icon), colour).pixmap(style_.iconSize()));
  what_->setText(what);
  details_->setText(details);
  details_->setVisible(!details.isEmpty());
}

void ProofPanel::showGrown() {
  const Palette& palette = style_.palette();
  const QString what = GrowthWords::grown(grown_->changes());
  const QString next =
      tr("Play continues training the larger model; Undo (%1) reverts the growth.")
          .arg(QKeySequence(QKeySequence::Undo).toString(QKeySequence::NativeText));
  const bool exact = std::ranges::all_of(grown_->changes(), &expand::Change::exact) &&
                     (!grown_proof_ || grown_proof_->verdict.exact);
  if (exact) return say("check", palette.good, what, next);
  const QString moved =
      grown_proof_ ? tr("The outputs changed by up to %1 in float, %2 in double.")
                         .arg(GrowthWords::difference(grown_proof_->verdict.max_difference),
                              GrowthWords::difference(grown_proof_->verdict.max_difference_double))
                   : tr("The growth was not proved, so the change of the outputs is unknown.");
  say("warning", palette.bad, what, moved + QLatin1Char(' ') + next);
}

void ProofPanel::showWords(const GrowthPlanner& planner) {
  const Palette& palette = style_.palette();
  if (!problem_.isEmpty())
    return say("warning", palette.bad, problem_,
               tr("The plan keeps the last valid value. Correct the field to prove or apply it."));
  // No percentage for a short wait, where it would only flicker.
  const QString share =
      planner.isSlow() ? tr(" %1 %").arg(int(100.0 * planner.progress())) : QString();
  if (planner.isApplying())
    return say("step", palette.muted, tr("Growing …") + share,
               tr("Until then, the model is unchanged."));
  if (planner.isProving())
    return say("step", palette.muted, tr("Comparing …"),
               tr("Both models answer the same examples."));
  if (!planner.showsNow())
    return say(
        "help", palette.muted, tr("Another moment is shown"),
        tr("Growth applies to the present: choose a card, Back to now, or Continue from here."));
  if (!planner.plan().empty() && !planner.isCurrent())
    return say("step", palette.muted, tr("Computing …") + share,
               tr("The matrices still show the previous plan."));
  if (planner.problem())
    return say("warning", palette.bad, QString::fromStdString(planner.problem()->problem()),
               QString::fromStdString(planner.problem()->hint()));
  if (planner.plan().empty() && grown_) return showGrown();
  if (planner.plan().empty())
    return say("help", palette.muted, tr("Choose what to enlarge"),
               tr("Each card previews the new entries on the model's own matrices."));
  if (!planner.proof())
    return say("help", palette.muted, tr("Not proved yet"),
               tr("Prove compares the model before and after; Apply grows it."));
  const expand::Verdict& v = planner.proof()->verdict;
  const train::GrowthProof& proof = *planner.proof();
  const QString compared =
      tr("Mean %1 in float, %2 in double; the most likely token is the same at %3 of %4 "
         "positions of %5 examples")
          .arg(GrowthWords::difference(v.mean_difference),
               GrowthWords::difference(v.mean_difference_double))
          .arg(proof.same_positions)
          .arg(proof.positions)
          .arg(proof.examples) +
      (proof.held_out ? QString() : tr(", which are random: the model has no task"));
  if (v.exact) return say("check", palette.good, tr("Nothing changed"), compared);
  return say("warning", palette.bad, tr("The outputs change"), compared);
}

}  // namespace tfm::ui
