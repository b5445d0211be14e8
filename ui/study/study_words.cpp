// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "core/study/growth_study.h"
#include "ui/figure/number_text.h"

namespace tfm::ui {
namespace {

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
  return (s.by_position ? Text::tr("a loss of %1 and a position accuracy of %2")
                        : Text::tr("a loss of %1 and an accuracy of %2"))
      .arg(spreadText(s.loss_mean, s.loss_deviation, s.runs),
           spreadText(s.accuracy_mean, s.accuracy_deviation, s.runs));
}

QString verdict(const StudySpread& one, const StudySpread& other) {
  if (std::min(one.runs, other.runs) < 2)
    return Text::tr("With a single seed, this may be chance.");
  const double apart = std::abs(one.loss_mean - other.loss_mean);
  if (!(apart > one.loss_deviation + other.loss_deviation))
    return Text::tr("No clear difference: at this cost, seeds vary more than models.");
  const bool paid = one.loss_mean < other.loss_mean;
  if (one.arm == train::kGrown)
    return paid ? Text::tr("Growing paid here: its loss is lower at the same cost.")
                : Text::tr("Growing did not pay here: its loss is higher at the same cost.");
  return Text::tr("The loss of %1 is lower at the same cost.")
      .arg(armText(paid ? one.arm : other.arm));
}

}  // namespace

QString armText(const std::string& arm) {
  if (arm == train::kGrown) return Text::tr("growing");
  return arm == train::kFromScratch ? Text::tr("from scratch") : QString::fromStdString(arm);
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

std::vector<StudySpread> wholeSpreads(const train::StudyCurves& curves, const std::string& arm) {
  std::set<std::uint64_t> begun;
  for (const train::StudyPoint& point : curves.points)
    if (point.arm == arm) begun.insert(point.seed);
  std::vector<StudySpread> whole;
  for (const StudySpread& spread : train::spreadOf(curves))
    if (spread.arm == arm && spread.runs == std::int64_t(begun.size())) whole.push_back(spread);
  return whole;
}

bool countsPositions(const train::StudyCurves& curves) {
  return !curves.points.empty() && curves.points.front().by_position;
}

std::vector<Table::Column> curveColumns() {
  return {{Text::tr("model"), true}, {Text::tr("seeds")},  {Text::tr("steps")},
          {Text::tr("parameters")},  {Text::tr("loss")},   {accuracyText(false)},
          {Text::tr("operations")},  {Text::tr("seconds")}};
}

QList<QStringList> curveRows(const train::StudyCurves& curves) {
  QList<QStringList> rows;
  for (const std::string& arm : train::armsOf(curves)) {
    const std::vector<StudySpread> spreads = wholeSpreads(curves, arm);
    rows << QStringList{armText(arm)};
    if (spreads.empty()) continue;
    const StudySpread& s = spreads.back();
    rows.back() << stepNumber(double(s.runs)) << stepNumber(double(s.step))
                << stepNumber(double(s.parameters))
                << spreadText(s.loss_mean, s.loss_deviation, s.runs)
                << spreadText(s.accuracy_mean, s.accuracy_deviation, s.runs)
                << operationsText(s.flops_mean) << shortNumber(s.seconds_mean);
  }
  return rows;
}

QString outcomeText(const train::StudyCurves& curves) {
  std::vector<std::vector<StudySpread>> arms;
  double work = INFINITY;
  for (const std::string& arm : train::armsOf(curves)) {
    arms.push_back(wholeSpreads(curves, arm));
    if (arms.back().empty()) return {};
    work = std::min(work, arms.back().back().flops_mean);
  }
  if (arms.size() < 2) return {};
  std::vector<StudySpread> reached;
  QStringList texts;
  for (const auto& spreads : arms) {
    const auto there = after(work, spreads);
    if (!there) return {};
    reached.push_back(*there);
    const QString reached_text = texts.isEmpty() ? Text::tr("%1 reached %2") : Text::tr("%1 %2");
    texts << reached_text.arg(armText(there->arm), reachedText(*there));
  }
  QString text = Text::tr("After %1 operations, %2. %3")
                     .arg(operationsText(work), texts.join(QStringLiteral("; ")),
                          verdict(reached[0], reached[1]));
  for (const auto& spreads : arms) {
    const StudySpread& last = spreads.back();
    if (last.flops_mean <= work) continue;
    QString arm = armText(last.arm);
    arm[0] = arm[0].toUpper();
    text += QLatin1Char(' ') +
            Text::tr("%1, %2 steps took %3 operations and ended at a loss of %4.")
                .arg(arm, stepNumber(double(last.step)), operationsText(last.flops_mean),
                     spreadText(last.loss_mean, last.loss_deviation, last.runs));
  }
  return text;
}

}  // namespace tfm::ui
