// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/score_columns.h"

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

std::vector<ScoreColumn> makeColumns(bool by_position) {
  using Mark = const ElasticMark&;
  return {
      {ScoreText::tr("name"), ScoreText::tr("The granularity, or the widths"), false,
       [](Mark m) { return m.name; }, [](Mark m) { return QVariant(double(m.cost.parameters)); }},
      {ScoreText::tr("kind"), ScoreText::tr("How it was obtained"), false,
       [](Mark m) { return kindWord(m.kind); }, [](Mark m) { return QVariant(int(m.kind)); }},
      {ScoreText::tr("parameters"), ScoreText::tr("Parameters used, including embeddings"), true,
       [](Mark m) { return stepNumber(double(m.cost.parameters)); },
       [](Mark m) { return QVariant(double(m.cost.parameters)); }},
      {accuracyText(by_position),
       by_position ? ScoreText::tr("Share of right tokens; ± standard deviation over the seeds")
                   : ScoreText::tr("Share of right answers; ± standard deviation over the seeds"),
       true, [](Mark m) { return meanText(m.accuracy, m.seeds.size()); },
       [](Mark m) { return QVariant(m.accuracy.mean); }},
      {ScoreText::tr("agreement"), ScoreText::tr("Share of answers equal to the whole model's"),
       true, [](Mark m) { return meanText(m.agreement, m.seeds.size()); },
       [](Mark m) { return QVariant(m.agreement.mean); }},
      {ScoreText::tr("MFLOPs"),
       ScoreText::tr("Millions of operations for one sequence of maximum length"), true,
       [](Mark m) { return shortNumber(double(m.cost.flops) / 1e6); },
       [](Mark m) { return QVariant(double(m.cost.flops)); }},
      {ScoreText::tr("ms"), ScoreText::tr("Milliseconds per example, in batches on all threads"),
       true, [](Mark m) { return shortNumber(m.milliseconds.mean); },
       [](Mark m) { return QVariant(m.milliseconds.mean); }},
      {ScoreText::tr("95 %"), ScoreText::tr("Confidence interval of the accuracy (Wilson)"), true,
       [](Mark m) { return intervalText(m.interval); },
       [](Mark m) { return QVariant(m.interval.low); }},
      {ScoreText::tr("loss"), ScoreText::tr("On the same examples, in nats"), true,
       [](Mark m) { return meanText(m.loss, m.seeds.size()); },
       [](Mark m) { return QVariant(m.loss.mean); }},
      {ScoreText::tr("KL"), ScoreText::tr("Divergence from the whole model's answers, in nats"),
       true, [](Mark m) { return shortNumber(m.divergence.mean); },
       [](Mark m) { return QVariant(m.divergence.mean); }},
      {ScoreText::tr("widths"),
       ScoreText::tr("Feed-forward width of each layer, first layer first"), false,
       [](Mark m) { return widthsText(m.submodel); },
       [](Mark m) { return QVariant(double(m.cost.parameters)); }},
  };
}

/// The kind as written to files, untranslated.
QString kindKey(ElasticKind kind) {
  static constexpr const char* kKeys[] = {"trained", "mixed", "separate"};
  return QLatin1String(kKeys[int(kind)]);
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

const std::vector<ScoreColumn>& scoreColumns(bool by_position) {
  static const std::vector<ScoreColumn> of_answers = makeColumns(false);
  static const std::vector<ScoreColumn> of_positions = makeColumns(true);
  return by_position ? of_positions : of_answers;
}

QString markTitle(const ElasticMark& mark) {
  return QStringLiteral("%1, %2").arg(mark.name, kindText(mark.kind));
}

QString markText(const ElasticMark& mark) {
  QStringList parts{markTitle(mark)};
  for (const ScoreColumn& column : std::span(scoreColumns(mark.by_position)).subspan(2))
    parts << QStringLiteral("%1 %2").arg(column.title, column.text(mark));
  parts << seedsText(mark.seeds);
  return parts.join(QStringLiteral(", "));
}

QStringList markLines(const ElasticMark& mark) {
  const auto facts = std::span(scoreColumns(mark.by_position)).subspan(2);
  qsizetype widest = 0;
  for (const ScoreColumn& fact : facts) widest = std::max(widest, fact.title.size());
  QStringList lines{markTitle(mark)};
  for (const ScoreColumn& fact : facts)
    lines << fact.title.leftJustified(widest + 2) + fact.text(mark);
  return lines << seedsText(mark.seeds);
}

DataTable pointTable(std::span<const ElasticPoint> points) {
  DataTable table;
  const QString accuracy =
      points.empty() ? QStringLiteral("accuracy") : points.front().score.answers.accuracyName();
  table.columns = {"name",
                   "kind",
                   "seed",
                   "widths",
                   "heads",
                   "parameters",
                   "flops",
                   "milliseconds",
                   "examples",
                   "answers",
                   "right",
                   accuracy,
                   accuracy + "_low",
                   accuracy + "_high",
                   "loss",
                   "agreement",
                   "kl_divergence"};
  for (const ElasticPoint& point : points) {
    const train::SubmodelScore& score = point.score;
    const train::Interval interval = train::wilsonInterval(score.answers);
    table.rows.push_back({point.name, kindKey(point.kind), QString::number(point.seed),
                          joined(score.submodel.widths, ','), joined(score.submodel.heads, ','),
                          QString::number(score.cost.parameters), QString::number(score.cost.flops),
                          fullPrecision(score.milliseconds), QString::number(score.examples),
                          QString::number(score.answers.all), QString::number(score.answers.right),
                          fullPrecision(score.accuracy()), fullPrecision(interval.low),
                          fullPrecision(interval.high), fullPrecision(score.loss),
                          fullPrecision(score.agreement), fullPrecision(score.divergence)});
  }
  return table;
}

}  // namespace tfm::ui
