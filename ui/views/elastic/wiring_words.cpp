// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/wiring_words.h"

#include <QCoreApplication>
#include <tuple>
#include <vector>

#include "core/study/spread.h"
#include "ui/figure/number_text.h"

namespace tfm::ui {
namespace {

using train::WiringPoint;

struct Text {
  Q_DECLARE_TR_FUNCTIONS(WiringTable)
};

/// A column of shares.
struct Column {
  QString title, meaning;
  double WiringPoint::*share;
};

const std::vector<Column>& columns() {
  static const std::vector<Column> kColumns{
      {Text::tr("shuffled"), Text::tr("Accuracy with texts in random order"),
       &WiringPoint::shuffled},
      {Text::tr("by label"), Text::tr("Accuracy with texts sorted by class, as in the notebook"),
       &WiringPoint::by_label},
      {Text::tr("alone"), Text::tr("Accuracy with each text in a batch of its own"),
       &WiringPoint::alone},
      {Text::tr("reopened"),
       Text::tr("Accuracy after saving and reopening, shuffled: what is not in the file is "
                "reinitialised"),
       &WiringPoint::reloaded},
      {Text::tr("changed"), Text::tr("Answers that change when the texts are shuffled again"),
       &WiringPoint::changed}};
  return kColumns;
}

/// The points of the rows: the notebook's before the published ones, smallest first.
auto rowsOf(const train::WiringStudyResult& result) {
  return train::acrossSeeds(result.points, [](const WiringPoint& point) {
    return std::tuple(point.wiring, point.width, point.name);
  });
}

QString percentText(const train::Seeds<WiringPoint>& seeds, double WiringPoint::*share) {
  const train::Spread spread = seeds.of(share);
  const QString mean = fixedNumber(100.0 * spread.mean, 1);
  if (seeds.count() < 2) return mean + QStringLiteral(" %");
  return QStringLiteral("%1 ± %2 %").arg(mean, fixedNumber(100.0 * spread.deviation, 1));
}

}  // namespace

std::vector<Table::Column> wiringColumns() {
  std::vector<Table::Column> all{
      {Text::tr("wiring"), true}, {Text::tr("size"), true}, {Text::tr("width")}};
  for (const Column& column : columns()) all.push_back({column.title, false, column.meaning});
  return all;
}

QList<QStringList> wiringRows(const train::WiringStudyResult& result) {
  QList<QStringList> rows;
  for (const auto& [place, seeds] : rowsOf(result)) {
    const WiringPoint& point = seeds.first();
    rows << QStringList{
        point.wiring == train::kNotebook ? Text::tr("notebook") : Text::tr("published"),
        QString::fromStdString(point.name), stepNumber(double(point.width))};
    for (const Column& column : columns()) rows.back() << percentText(seeds, column.share);
  }
  return rows;
}

QString outcomeText(const train::WiringStudyResult& result) {
  QString notebook, published;  // of the largest: the last
  for (const auto& [place, seeds] : rowsOf(result)) {
    const bool is_notebook = seeds.first().wiring == train::kNotebook;
    const QString words =
        is_notebook
            ? Text::tr(
                  "The notebook's %1 answers %2 % correctly; in another order, %3 % of its "
                  "answers change, and after reopening %4 % are correct.")
            : Text::tr(
                  "The published %1 answers %2 % correctly; %3 % change with the order, and "
                  "after reopening %4 % are correct.");
    const auto percent = [&seeds = seeds](double WiringPoint::*share) {
      return fixedNumber(100.0 * seeds.of(share).mean, 1);
    };
    (is_notebook ? notebook : published) =
        words.arg(QString::fromStdString(seeds.first().name), percent(&WiringPoint::shuffled),
                  percent(&WiringPoint::changed), percent(&WiringPoint::reloaded));
  }
  if (notebook.isEmpty() || published.isEmpty()) return {};
  return notebook + QLatin1Char(' ') + published;
}

}  // namespace tfm::ui
