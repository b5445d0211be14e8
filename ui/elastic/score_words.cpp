// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/score_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "ui/figure/number_text.h"

namespace tfm::ui {
namespace {

struct ScoreText {
  Q_DECLARE_TR_FUNCTIONS(ScoreWords)
};

constexpr int kDecimals = 3;          // of shares: 2,000 examples give no more precision
constexpr std::size_t kFewSeeds = 6;  // more seeds are counted, not listed

/// "16 · 32 · 64", or "64 × 3" if all are equal.
QString listText(const std::vector<std::int64_t>& sizes) {
  const bool alike =
      std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end();
  if (alike && sizes.size() > 1)
    return QStringLiteral("%1 × %2").arg(stepNumber(double(sizes[0]))).arg(sizes.size());
  QStringList texts;
  for (const std::int64_t size : sizes) texts << stepNumber(double(size));
  return texts.join(QStringLiteral(" · "));
}

}  // namespace

QString kindText(ElasticKind kind) {
  const QString texts[] = {ScoreText::tr("trained granularity"), ScoreText::tr("Mix'n'Match"),
                           ScoreText::tr("trained separately")};
  return texts[int(kind)];
}

QString kindWord(ElasticKind kind) {
  const QString words[] = {ScoreText::tr("trained"), ScoreText::tr("Mix'n'Match"),
                           ScoreText::tr("separate")};
  return words[int(kind)];
}

QString widthsText(const Submodel& submodel) {
  const QString widths = listText(submodel.widths);
  if (submodel.heads.empty()) return widths;
  return ScoreText::tr("%1, heads %2").arg(widths, listText(submodel.heads));
}

QString meanText(const train::Spread& value, std::size_t seeds) {
  const QString mean = fixedNumber(value.mean, kDecimals);
  if (seeds < 2) return mean;
  return QStringLiteral("%1 ± %2").arg(mean, fixedNumber(value.deviation, kDecimals));
}

QString intervalText(const train::Interval& interval) {
  return QStringLiteral("%1–%2").arg(fixedNumber(interval.low, kDecimals),
                                     fixedNumber(interval.high, kDecimals));
}

QString seedsText(const std::vector<std::uint64_t>& seeds) {
  if (seeds.size() > kFewSeeds) return ScoreText::tr("%1 seeds").arg(seeds.size());
  QStringList texts;
  for (const std::uint64_t seed : seeds) texts << QString::number(seed);
  return (seeds.size() == 1 ? ScoreText::tr("seed %1") : ScoreText::tr("seeds %1"))
      .arg(texts.join(QStringLiteral(", ")));
}

CostUnit costUnit(CostAxis axis, double largest) {
  if (axis == CostAxis::Milliseconds) return {1, ScoreText::tr("milliseconds per example")};
  struct Unit {
    double size;
    const char* prefix;
    const char* word;
  };
  static constexpr Unit kUnits[] = {
      {1e9, "G", QT_TRANSLATE_NOOP("ScoreWords", "billions of parameters")},
      {1e6, "M", QT_TRANSLATE_NOOP("ScoreWords", "millions of parameters")},
      {1e3, "k", QT_TRANSLATE_NOOP("ScoreWords", "thousands of parameters")},
      {1, "", QT_TRANSLATE_NOOP("ScoreWords", "parameters")}};
  const Unit& unit = *std::find_if(std::begin(kUnits), std::end(kUnits) - 1,
                                   [&](const Unit& one) { return largest >= one.size; });
  return {unit.size,
          axis == CostAxis::Parameters
              ? ScoreText::tr(unit.word)
              : ScoreText::tr("%1FLOPs of one forward pass").arg(QLatin1String(unit.prefix))};
}

QString nothingMeasuredText() {
  return ScoreText::tr(
      "No submodel has been measured yet.\nTrain a nested model, then measure some: uniform, "
      "random, or the whole front.");
}

}  // namespace tfm::ui
