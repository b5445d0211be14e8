// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/study_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/figure/number_text.h"

namespace tfm::ui {
namespace {

using train::StudyArm;
using train::StudySpread;

struct Text {
  Q_DECLARE_TR_FUNCTIONS(StudyDialog)
};

/// The means after a number of operations, interpolated; none outside the measurements.
std::optional<StudySpread> after(double operations, const std::vector<StudySpread>& spreads) {
  const auto next = std::find_if(spreads.begin(), spreads.end(),
                                 [&](const StudySpread& s) { return s.flops_mean >= operations; });
  if (next == spreads.end()) return std::nullopt;
  if (next->flops_mean == operations) return *next;
  if (next == spreads.begin()) return std::nullopt;
  const StudySpread& last = *std::prev(next);
  const double share = (operations - last.flops_mean) / (next->flops_mean - last.flops_mean);
  StudySpread s = last;
  for (double StudySpread::*number :
       {&StudySpread::loss_mean, &StudySpread::loss_deviation, &StudySpread::accuracy_mean,
        &StudySpread::accuracy_deviation, &StudySpread::flops_mean})
    s.*number = std::lerp(last.*number, (*next).*number, share);
  return s;
}

QString reachedText(const StudySpread& s) {
  return Text::tr("a loss of %1 and an accuracy of %2")
      .arg(spreadText(s.loss_mean, s.loss_deviation, s.runs),
           spreadText(s.accuracy_mean, s.accuracy_deviation, s.runs));
}

QString verdict(const StudySpread& grown, const StudySpread& scratch) {
  if (std::min(grown.runs, scratch.runs) < 2)
    return Text::tr("One seed cannot tell whether that is more than chance.");
  const double apart = std::abs(grown.loss_mean - scratch.loss_mean);
  if (!(apart > grown.loss_deviation + scratch.loss_deviation))
    return Text::tr("A draw: the seeds differ more than the losses at this cost.");
  return grown.loss_mean < scratch.loss_mean
             ? Text::tr("Growing paid here: its loss is lower at the same cost.")
             : Text::tr("Growing did not pay here: its loss is higher at the same cost.");
}

}  // namespace

QString armText(StudyArm arm) {
  return arm == StudyArm::Grown ? Text::tr("growing") : Text::tr("from scratch");
}

QString powerOfTenText(int power) {
  static constexpr char16_t kRaised[] = u"⁰¹²³⁴⁵⁶⁷⁸⁹";
  QString text = QStringLiteral("10");
  for (const QChar digit : QString::number(power)) text += QChar(kRaised[digit.digitValue()]);
  return text;
}

QString operationsText(double operations) {
  if (!(operations >= 1e6)) return stepNumber(operations);
  int power = int(std::floor(std::log10(operations)));
  if (operations / std::pow(10.0, power) >= 9.995) ++power;
  return QStringLiteral("%1 × %2").arg(fixedNumber(operations / std::pow(10.0, power), 2),
                                       powerOfTenText(power));
}

QString spreadText(double mean, double deviation, std::int64_t runs) {
  if (runs < 2) return shortNumber(mean);
  return QStringLiteral("%1 ± %2").arg(shortNumber(mean), tickNumber(deviation));
}

std::vector<StudySpread> wholeSpreads(const train::StudyResult& result, StudyArm arm) {
  const auto begun = std::count_if(result.runs.begin(), result.runs.end(), [&](const auto& run) {
    return run.arm == arm && !run.points.empty();
  });
  std::vector<StudySpread> whole;
  for (const StudySpread& spread : train::spreadOf(result))
    if (spread.arm == arm && spread.runs == begun) whole.push_back(spread);
  return whole;
}

std::vector<StudyEnd> endsOf(const train::StudyResult& result) {
  std::vector<StudyEnd> ends;
  for (const StudyArm arm : {StudyArm::Grown, StudyArm::FromScratch}) {
    const std::vector<StudySpread> spreads = wholeSpreads(result, arm);
    if (spreads.empty()) continue;
    StudyEnd end{spreads.back()};
    for (const train::StudyRun& run : result.runs)
      for (const train::StudyPoint& point : run.points)
        if (run.arm == arm && point.step == end.spread.step) end.parameters = point.parameters;
    ends.push_back(end);
  }
  return ends;
}

QString outcomeText(const train::StudyResult& result) {
  const auto grown = wholeSpreads(result, StudyArm::Grown);
  const auto scratch = wholeSpreads(result, StudyArm::FromScratch);
  if (grown.empty() || scratch.empty()) return {};
  const double work = std::min(grown.back().flops_mean, scratch.back().flops_mean);
  const auto one = after(work, grown), other = after(work, scratch);
  if (!one || !other) return {};
  QString text =
      Text::tr("After %1 operations, growing reached %2; from scratch %3. %4")
          .arg(operationsText(work), reachedText(*one), reachedText(*other), verdict(*one, *other));
  if (scratch.back().flops_mean > work)
    text +=
        QLatin1Char(' ') + Text::tr(
                               "From scratch, %1 steps took %2 operations and ended "
                               "at a loss of %3.")
                               .arg(stepNumber(double(scratch.back().step)),
                                    operationsText(scratch.back().flops_mean),
                                    spreadText(scratch.back().loss_mean,
                                               scratch.back().loss_deviation, scratch.back().runs));
  return text;
}

}  // namespace tfm::ui
