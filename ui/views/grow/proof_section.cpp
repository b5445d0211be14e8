// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/proof_section.h"

#include <QLabel>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/figure/token_text.h"
#include "ui/plots/logit_overlay.h"
#include "ui/style/style.h"
#include "ui/views/grow/growth_words.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

constexpr int kShownAnswers = 1;
constexpr int kLongestText = 12;  // characters shown of a question or an answer
constexpr double kLogitsHeight = 96.0;

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
    const QString other = same ? GrowthWords::tr("= the same")
                               : QStringLiteral("≠ ") + answerText(proof.answers_after[i].answer);
    parts << QStringLiteral("%1 → %2 <span style='color:%3'>%4</span>")
                 .arg(questionText(proof.answers_before[i].question),
                      answerText(proof.answers_before[i].answer), tone, other);
  }
  return parts.join(QStringLiteral("<br>"));
}

}  // namespace

ProofSection::ProofSection(Style& style, QWidget* parent)
    : Section(style, tr("Proof"), {}, parent),
      style_(style),
      float_(new NamedNumber(style, tr("difference, float"), Qt::Horizontal)),
      double_(new NamedNumber(style, tr("difference, double"), Qt::Horizontal)),
      tolerance_(new NamedNumber(style, tr("tolerance, double"), Qt::Horizontal)),
      same_(new NamedNumber(style, tr("same answers"), Qt::Horizontal)),
      loss_(new NamedNumber(style, tr("loss before → after"), Qt::Horizontal)),
      logits_(new LogitOverlay(style)),
      answers_(wrappedLabel("muted")) {
  answers_->setTextFormat(Qt::RichText);
  logits_->setTitle(tr("Logits before and after"));
  for (QWidget* part : std::initializer_list<QWidget*>{float_, double_, tolerance_, same_, loss_,
                                                       logits_, answers_})
    add(part);
  setFigure(logits_);
  style.follow(this, [this] { logits_->setFixedHeight(style_.px(kLogitsHeight)); });
  hide();
}

void ProofSection::showProof(const train::GrowthProof* proof) {
  setVisible(proof != nullptr);
  if (proof == nullptr) return;
  const expand::Verdict& v = proof->verdict;
  float_->setText(GrowthWords::difference(v.max_difference));
  double_->setText(GrowthWords::difference(v.max_difference_double));
  double_->setTone(v.exact ? "good" : "bad");
  tolerance_->setText(QStringLiteral("≤ ") + GrowthWords::difference(v.tolerance));
  const std::int64_t same = proof->sameAnswers(), all = std::int64_t(proof->answers_before.size());
  same_->setText(tr("%1 of %2").arg(same).arg(all));
  same_->setTone(same == all ? "good" : "bad");
  loss_->setText(
      QStringLiteral("%1 → %2").arg(v.loss_before, 0, 'g', 4).arg(v.loss_after, 0, 'g', 4));
  answers_->setText(answersText(*proof, style_.palette()));
  logits_->setLogits(pairsOf(*proof), 2e-5 * std::max(1.0, v.largest_output));
}

}  // namespace tfm::ui
