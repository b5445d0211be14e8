// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/score_columns.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/elastic/score_words.h"
#include "ui/figure/number_text.h"

namespace tfm::ui {
namespace {

struct ColumnText {
  Q_DECLARE_TR_FUNCTIONS(ScoreColumn)
};

std::vector<ScoreColumn> makeColumns() {
  using Mark = const ElasticMark&;
  return {
      {ColumnText::tr("name"), ColumnText::tr("The granularity, or the widths"), false,
       [](Mark m) { return m.name; }, [](Mark m) { return QVariant(double(m.cost.parameters)); }},
      {ColumnText::tr("kind"), ColumnText::tr("How it was obtained"), false,
       [](Mark m) { return kindWord(m.kind); }, [](Mark m) { return QVariant(int(m.kind)); }},
      {ColumnText::tr("parameters"), ColumnText::tr("Parameters used, including embeddings"), true,
       [](Mark m) { return stepNumber(double(m.cost.parameters)); },
       [](Mark m) { return QVariant(double(m.cost.parameters)); }},
      {ColumnText::tr("accuracy"),
       ColumnText::tr(
           "Share of right answers (for texts: of right characters); ± standard deviation "
           "over the seeds"),
       true, [](Mark m) { return meanText(m.accuracy, m.seeds.size()); },
       [](Mark m) { return QVariant(m.accuracy.mean); }},
      {ColumnText::tr("agreement"), ColumnText::tr("Share of answers equal to the whole model's"),
       true, [](Mark m) { return meanText(m.agreement, m.seeds.size()); },
       [](Mark m) { return QVariant(m.agreement.mean); }},
      {ColumnText::tr("MFLOPs"),
       ColumnText::tr("Millions of operations for one sequence of maximum length"), true,
       [](Mark m) { return shortNumber(double(m.cost.flops) / 1e6); },
       [](Mark m) { return QVariant(double(m.cost.flops)); }},
      {ColumnText::tr("ms"), ColumnText::tr("Milliseconds per example, in batches on all threads"),
       true, [](Mark m) { return shortNumber(m.milliseconds.mean); },
       [](Mark m) { return QVariant(m.milliseconds.mean); }},
      {ColumnText::tr("95 %"), ColumnText::tr("Confidence interval of the accuracy (Wilson)"), true,
       [](Mark m) { return intervalText(m.interval); },
       [](Mark m) { return QVariant(m.interval.low); }},
      {ColumnText::tr("loss"), ColumnText::tr("On the same examples, in nats"), true,
       [](Mark m) { return meanText(m.loss, m.seeds.size()); },
       [](Mark m) { return QVariant(m.loss.mean); }},
      {ColumnText::tr("KL"), ColumnText::tr("Divergence from the whole model's answers, in nats"),
       true, [](Mark m) { return shortNumber(m.divergence.mean); },
       [](Mark m) { return QVariant(m.divergence.mean); }},
      {ColumnText::tr("widths"),
       ColumnText::tr("Feed-forward width of each layer, first layer first"), false,
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

const std::vector<ScoreColumn>& scoreColumns() {
  static const std::vector<ScoreColumn> columns = makeColumns();
  return columns;
}

QString markTitle(const ElasticMark& mark) {
  return QStringLiteral("%1, %2").arg(mark.name, kindText(mark.kind));
}

QString markText(const ElasticMark& mark) {
  QStringList parts{markTitle(mark)};
  for (const ScoreColumn& column : std::span(scoreColumns()).subspan(2))
    parts << QStringLiteral("%1 %2").arg(column.title, column.text(mark));
  parts << seedsText(mark.seeds);
  return parts.join(QStringLiteral(", "));
}

QStringList markLines(const ElasticMark& mark) {
  const auto facts = std::span(scoreColumns()).subspan(2);
  qsizetype widest = 0;
  for (const ScoreColumn& fact : facts) widest = std::max(widest, fact.title.size());
  QStringList lines{markTitle(mark)};
  for (const ScoreColumn& fact : facts)
    lines << fact.title.leftJustified(widest + 2) + fact.text(mark);
  return lines << seedsText(mark.seeds);
}

DataTable pointTable(std::span<const ElasticPoint> points) {
  DataTable table;
  table.columns = {"name",       "kind",         "seed",         "widths",        "heads",
                   "parameters", "flops",        "milliseconds", "examples",      "answers",
                   "right",      "accuracy",     "accuracy_low", "accuracy_high", "loss",
                   "agreement",  "kl_divergence"};
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
