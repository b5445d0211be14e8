// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/proof_panel.h"

#include <QGridLayout>
#include <QKeySequence>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <numeric>
#include <utility>

#include "ui/figure/corner_menu.h"
#include "ui/figure/token_text.h"
#include "ui/plots/logit_overlay.h"
#include "ui/style/style.h"
#include "ui/views/grow/growth_words.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

constexpr int kShownAnswers = 3;
constexpr int kLongestText = 24;  // characters shown of a question or an answer
constexpr int kMaxLines = 3;      // of text: the matrices need the height
constexpr int kMaxDetailLines = 4;
constexpr int kNumbersBesideLogits = 2;  // in a row

QString difference(double value) { return QString::number(value, 'g', 2); }

/// The row of logits with the most prominent change, which shows a broken rule best.
std::int64_t mostChangedRow(const expand::Verdict& v) {
  std::int64_t best = 0;
  double largest = -1.0;
  for (std::int64_t r = 0; r < v.rows; ++r)
    for (std::int64_t c = 0; c < v.cols; ++c) {
      const std::size_t at = std::size_t(r * v.cols + c);
      const double d = std::abs(double(v.outputs_after[at]) - double(v.outputs_before[at]));
      if (d > largest) {
        largest = d;
        best = r;
      }
    }
  return best;
}

std::vector<LogitPair> pairsOf(const train::GrowthProof& proof) {
  const expand::Verdict& v = proof.verdict;
  std::vector<LogitPair> pairs;
  const std::int64_t row = mostChangedRow(v);
  for (std::int64_t c = 0; c < v.cols && v.rows > 0; ++c) {
    const std::size_t at = std::size_t(row * v.cols + c);
    const QString name = std::size_t(c) < proof.outputs.size()
                             ? QString::fromStdString(proof.outputs[std::size_t(c)])
                             : QString::number(c);
    pairs.push_back({name, double(v.outputs_before[at]), double(v.outputs_after[at])});
  }
  return pairs;
}

/// The end of a question, before its answer, as one line of markup.
QString questionText(const std::string& question) {
  const QString text = QString::fromStdString(question);
  // With a word joiner, so that no line breaks between the two.
  const QString cut = text.size() > kLongestText ? QStringLiteral("…\u2060") : QString();
  return cut + visibleToken(text.right(kLongestText)).toHtmlEscaped();
}

/// The beginning of an answer as one line of markup.
QString answerText(const std::string& answer) {
  const QString text = QString::fromStdString(answer);
  const QString cut = text.size() > kLongestText ? QStringLiteral("…") : QString();
  return visibleToken(text.left(kLongestText)).toHtmlEscaped() + cut;
}

/// A few answers as markup; those that differ come first.
QString answersText(const train::GrowthProof& proof, const Palette& palette) {
  std::vector<std::size_t> order(proof.answers_before.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t i) { return !proof.sameAnswer(i); });
  order.resize(std::min<std::size_t>(kShownAnswers, order.size()));
  QStringList parts;
  for (const std::size_t i : order) {
    const bool same = proof.sameAnswer(i);
    const QString tone = (same ? palette.good : palette.bad).name();
    parts << QStringLiteral("%1 → %2 <span style='color:%3'>%4 %5</span>")
                 .arg(questionText(proof.answers_before[i].question),
                      answerText(proof.answers_before[i].answer), tone,
                      same ? QStringLiteral("=") : QStringLiteral("≠"),
                      answerText(proof.answers_after[i].answer));
  }
  return parts.join(QStringLiteral(" &nbsp; · &nbsp; "));
}

}  // namespace

ProofPanel::ProofPanel(Style& style, QWidget* parent)
    : QFrame(parent),
      style_(style),
      lamp_(new QLabel),
      what_(new ElidedLabel("strong", kMaxLines)),
      details_(new ElidedLabel("muted", kMaxDetailLines)),
      answers_(wrappedLabel("muted")),
      float_(new NamedNumber(style, tr("difference, float"))),
      double_(new NamedNumber(style, tr("difference, double"))),
      tolerance_(new NamedNumber(style, tr("tolerance, double"))),
      same_(new NamedNumber(style, tr("same answers"))),
      loss_(new NamedNumber(style, tr("loss before → after"))),
      prove_(
          pushButton(tr("Prove"), tr("Run the model before and after on held-out examples (without "
                                     "a task, on random ones), in float and double"))),
      apply_(pushButton(tr("Apply"), tr("Grow the model; can be undone"), "primary")),
      later_(pushButton(tr("Later…"), tr("Let training apply it after a given step"))),
      break_(new QToolButton),
      picture_(pushButton({},
                          tr("Show the logits and answers of both models, or leave more room for "
                             "the matrices"),
                          "pill")),
      cancel_(pushButton(tr("Cancel"), tr("Cancel (Esc)"))),
      numbers_(new QWidget),
      logits_(new LogitOverlay(style)) {
  setRole(*this, "card");
  answers_->setTextFormat(Qt::RichText);
  break_->setText(tr("Break it"));
  break_->setToolTip(tr("Violate one rule to see what it is for"));
  break_->setPopupMode(QToolButton::InstantPopup);
  break_->setMenu(new QMenu(break_));
  auto* grid = bareLayout<QGridLayout>(numbers_);
  cancel_->hide();
  menu_ = new CornerMenu(style, *this);
  menu_->setFigure(logits_);
  auto* picture =
      rowOf(style, 16, {{numbers_, 2, Qt::AlignTop}, {logits_, 3}, {menu_, 0, Qt::AlignTop}});
  auto* foot = rowOf(style, 8, {{lamp_, 0, Qt::AlignTop}, {columnOf({what_, details_}), 1}});
  // Longer texts extend the panel upwards, so that the buttons stay under the pointer.
  for (QWidget* button :
       std::initializer_list<QWidget*>{picture_, cancel_, break_, prove_, later_, apply_})
    foot->addWidget(button, 0, Qt::AlignBottom);
  setLayout(columnOf(style, 8, {picture, answers_, foot}));
  logits_->setTitle(tr("Logits before and after"));

  connect(picture_, &QPushButton::clicked, this, [this] {
    chosen_ = !chosen_.value_or(roomy_);
    arrange();
  });
  connect(prove_, &QPushButton::clicked, this, &ProofPanel::proveRequested);
  connect(apply_, &QPushButton::clicked, this, &ProofPanel::applyRequested);
  connect(cancel_, &QPushButton::clicked, this, &ProofPanel::cancelRequested);
  connect(later_, &QPushButton::clicked, this, &ProofPanel::scheduleRequested);
  break_->setEnabled(false);
  style.follow(this, [this, grid] {
    const int gap = style_.px(8);
    layout()->setContentsMargins(2 * gap, gap, 2 * gap, gap);
    grid->setHorizontalSpacing(2 * gap);
    grid->setVerticalSpacing(gap / 2);
    lamp_->setFixedSize(style_.px(28), style_.px(28));
    // On a projector height is scarce: the picture is hidden first.
    logits_->setMinimumHeight(style_.px(124));
    logits_->setMaximumHeight(style_.px(146));
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
  const bool proved = problem_.isEmpty() && planner.proof() != nullptr;
  numbers_->setVisible(proved);
  cancel_->setVisible(planner.isSlow());
  picture_->setVisible(proved && !planner.isSlow());
  proved_ = proved;
  arrange();
  showWords(planner);
  if (proved) showProof(*planner.proof());
}

void ProofPanel::setRoomy(bool roomy) {
  roomy_ = roomy;
  arrange();
}

void ProofPanel::arrange() {
  const bool picture = chosen_.value_or(roomy_);
  picture_->setText(picture ? tr("Hide logits") : tr("Logits"));
  for (QWidget* part : std::initializer_list<QWidget*>{answers_, logits_, menu_})
    part->setVisible(proved_ && picture);
  const std::array numbers{float_, double_, tolerance_, same_, loss_};
  const int in_a_row = picture ? kNumbersBesideLogits : int(numbers.size());
  if (std::exchange(numbers_in_a_row_, in_a_row) == in_a_row) return;
  auto* grid = static_cast<QGridLayout*>(numbers_->layout());
  for (int i = 0; i < int(numbers.size()); ++i)
    grid->addWidget(numbers[std::size_t(i)], i / in_a_row, i % in_a_row);
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
                         .arg(difference(grown_proof_->verdict.max_difference),
                              difference(grown_proof_->verdict.max_difference_double))
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
          .arg(difference(v.mean_difference), difference(v.mean_difference_double))
          .arg(proof.same_positions)
          .arg(proof.positions)
          .arg(proof.examples) +
      (proof.held_out ? QString() : tr(", which are random: the model has no task"));
  if (v.exact) return say("check", palette.good, tr("Nothing changed"), compared);
  return say("warning", palette.bad, tr("The outputs change"), compared);
}

void ProofPanel::showProof(const train::GrowthProof& proof) {
  const expand::Verdict& v = proof.verdict;
  const char* tone = v.exact ? "good" : "bad";
  float_->setText(difference(v.max_difference));
  double_->setText(difference(v.max_difference_double));
  double_->setTone(tone);
  tolerance_->setText(QStringLiteral("≤ ") + difference(v.tolerance));
  const std::int64_t same = proof.sameAnswers(), all = std::int64_t(proof.answers_before.size());
  same_->setText(tr("%1 of %2").arg(same).arg(all));
  same_->setTone(same == all ? "good" : "bad");
  loss_->setText(
      QStringLiteral("%1 → %2").arg(v.loss_before, 0, 'g', 4).arg(v.loss_after, 0, 'g', 4));
  answers_->setText(answersText(proof, style_.palette()));
  logits_->setLogits(pairsOf(proof), 2e-5 * std::max(1.0, v.largest_output));
}

}  // namespace tfm::ui
