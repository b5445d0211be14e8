// SPDX-License-Identifier: GPL-3.0-or-later
// The texts for the selected growth: its rule, its cost and what learns first.
#include <QLabel>
#include <QLocale>
#include <algorithm>

#include "ui/growth/difference_words.h"
#include "ui/style/style.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/grow/growth_words.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/panel.h"

namespace tfm::ui {
namespace {

QString change(std::int64_t before, std::int64_t after) {
  const QLocale locale;
  if (before == after) return locale.toString(qlonglong(before));
  // On two lines: large numbers would be cut in the side panel.
  return QStringLiteral("%1\n→ %2  (+%3 %)")
      .arg(locale.toString(qlonglong(before)), locale.toString(qlonglong(after)))
      .arg(100.0 * double(after - before) / double(std::max<std::int64_t>(1, before)), 0, 'f', 1);
}

bool isBroken(const expand::Change& change) { return change.growth.broken != expand::Break::None; }

/// A note that the rule above is broken, and how.
QString brokenText(const expand::Change& change) {
  QString text = QString::fromStdString(change.inexact);
  text.replace(0, 1, text.left(1).toUpper());
  return QStringLiteral("<b>%1.</b>").arg(text.toHtmlEscaped());
}

}  // namespace

void GrowView::showRule() {
  const expand::Change* change = selectedChange();
  const auto& preview = planner_->preview();
  if (preview) {
    parameters_->setText(ui::change(preview->before->layout.total, preview->after().layout.total));
    flops_->setText(ui::change(preview->flops_before, preview->flops_after));
  }
  source_->setVisible(change != nullptr);
  notes_->setVisible(change != nullptr && (!change->notes.empty() || isBroken(*change)));
  if (change == nullptr) {
    const QString why = whyNoRule();
    formula_->setText(why);
    learns_->setText(selected_ < 0 ? tr("Choose an expansion to see what learns first.") : why);
    if (growing_) return;  // keep the title during the animation
    panel_->setTitle(tr("Grow"));
    panel_->setSentence(momentSentence());
    return;
  }
  const bool adaptive = document_.training().config().optimizer.kind != train::OptimizerKind::Sgd;
  learns_->setText(GrowthWords::learnsFirst(*change) +
                   (adaptive ? QStringLiteral(" ") + GrowthWords::firstSteps() : QString()));
  panel_->setTitle(GrowthWords::name(change->growth.kind) + QStringLiteral("  ") +
                   GrowthWords::sizes(change->growth.kind, change->before, change->after));
  panel_->setSentence(GrowthWords::reason(*change));
  formula_->setFont(style_.textFont(14));
  formula_->setText(GrowthWords::formula(*change));
  source_->setText(GrowthWords::source(*change));
  QStringList notes;
  if (isBroken(*change)) notes << brokenText(*change);
  for (const std::string& note : change->notes) notes << QString::fromStdString(note) + '.';
  notes_->setText(notes.join(' '));
}

QString GrowView::whyNoRule() const {
  if (!planner_->showsNow()) return tr("Shown for the present model only: choose Back to now.");
  if (planner_->isCurrent() && planner_->problem())
    return tr("None: this is not possible, as explained below the matrices.");
  return tr("Computing …");
}

QString GrowView::momentSentence() const {
  if (planner_->showsNow()) return tr("The model's own matrices. Choose what to enlarge.");
  const auto& seen = document_.observing().snapshot();
  if (seen && seen->is_difference)
    return differenceSentence(seen->step, seen->minus_step, seen->unmatchedParameters());
  return tr("The model's matrices at step %1.")
      .arg(QLocale().toString(document_.moments().shownStep()));
}

}  // namespace tfm::ui
