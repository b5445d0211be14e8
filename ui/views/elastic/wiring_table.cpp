// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/wiring_table.h"

#include <QHeaderView>
#include <algorithm>
#include <array>
#include <vector>

#include "core/train/spread.h"
#include "ui/figure/number_text.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

using train::WiringPoint;

/// A column of shares.
struct Column {
  const char* title;
  const char* meaning;
  double WiringPoint::*share;
};

constexpr std::array kColumns{
    Column{QT_TRANSLATE_NOOP("WiringTable", "shuffled"),
           QT_TRANSLATE_NOOP("WiringTable", "Right answers, with texts in random order"),
           &WiringPoint::shuffled},
    Column{QT_TRANSLATE_NOOP("WiringTable", "by label"),
           QT_TRANSLATE_NOOP("WiringTable",
                             "Right answers, with texts sorted by class, as in the notebook"),
           &WiringPoint::by_label},
    Column{QT_TRANSLATE_NOOP("WiringTable", "alone"),
           QT_TRANSLATE_NOOP("WiringTable", "Right answers, with each text in a batch of its own"),
           &WiringPoint::alone},
    Column{QT_TRANSLATE_NOOP("WiringTable", "reopened"),
           QT_TRANSLATE_NOOP("WiringTable",
                             "Right answers after saving and reopening, shuffled: what is not in "
                             "the file is reinitialised"),
           &WiringPoint::reloaded},
    Column{
        QT_TRANSLATE_NOOP("WiringTable", "changed"),
        QT_TRANSLATE_NOOP("WiringTable", "Answers that change when the texts are shuffled again"),
        &WiringPoint::changed},
};

/// The points of one row: one per seed.
using Seeds = std::vector<WiringPoint>;

std::vector<Seeds> rowsOf(const train::WiringStudyResult& result) {
  std::vector<Seeds> rows;
  for (const WiringPoint& point : result.points) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const Seeds& seeds) {
      return seeds.front().notebook == point.notebook && seeds.front().name == point.name;
    });
    (row == rows.end() ? rows.emplace_back() : *row).push_back(point);
  }
  std::stable_partition(rows.begin(), rows.end(),
                        [](const Seeds& seeds) { return seeds.front().notebook; });
  return rows;
}

train::Spread spreadOf(const Seeds& seeds, double WiringPoint::*share) {
  std::vector<double> values;
  for (const WiringPoint& point : seeds) values.push_back(100.0 * (point.*share));
  return train::spreadOf(values);
}

QString percentText(const Seeds& seeds, double WiringPoint::*share) {
  const train::Spread spread = spreadOf(seeds, share);
  const QString mean = fixedNumber(spread.mean, 1);
  if (seeds.size() < 2) return mean + QStringLiteral(" %");
  return QStringLiteral("%1 ± %2 %").arg(mean, fixedNumber(spread.deviation, 1));
}

Qt::Alignment alignmentOf(int column) {
  return (column < 2 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

}  // namespace

WiringTable::WiringTable(const Style& style, QWidget* parent)
    : QTableWidget(parent), style_(style) {
  QStringList titles{tr("wiring"), tr("size"), tr("width")};
  for (const Column& column : kColumns) titles << tr(column.title);
  setColumnCount(int(titles.size()));
  setHorizontalHeaderLabels(titles);
  for (int column = 0; column < titles.size(); ++column)
    horizontalHeaderItem(column)->setTextAlignment(alignmentOf(column));
  for (int i = 0; i < int(kColumns.size()); ++i)
    horizontalHeaderItem(3 + i)->setToolTip(tr(kColumns[std::size_t(i)].meaning));
  setAccessibleName(tr("Results of both wirings"));
  verticalHeader()->hide();
  horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  setShowGrid(false);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setTabKeyNavigation(false);
}

void WiringTable::setResult(const train::WiringStudyResult& result) {
  const std::vector<Seeds> rows = rowsOf(result);
  setRowCount(int(rows.size()));
  for (int row = 0; row < rowCount(); ++row) {
    const Seeds& seeds = rows[std::size_t(row)];
    const WiringPoint& point = seeds.front();
    QStringList texts{point.notebook ? tr("notebook") : tr("published"),
                      QString::fromStdString(point.name), stepNumber(double(point.width))};
    for (const Column& column : kColumns) texts << percentText(seeds, column.share);
    for (int column = 0; column < texts.size(); ++column) {
      auto* item = new QTableWidgetItem(texts[column]);
      item->setTextAlignment(alignmentOf(column));
      setItem(row, column, item);
    }
    setRowHeight(row, style_.px(30));
  }
}

QString outcomeText(const train::WiringStudyResult& result) {
  const std::vector<Seeds> rows = rowsOf(result);
  const auto largest = [&](bool notebook) -> const Seeds* {
    const Seeds* found = nullptr;
    for (const Seeds& seeds : rows)
      if (seeds.front().notebook == notebook) found = &seeds;
    return found;
  };
  const Seeds* notebook = largest(true);
  const Seeds* published = largest(false);
  if (!notebook || !published) return {};
  const auto percent = [](const Seeds& seeds, double WiringPoint::*share) {
    return fixedNumber(spreadOf(seeds, share).mean, 1);
  };
  const auto sentence = [&](const Seeds& seeds, const QString& words) {
    return words.arg(QString::fromStdString(seeds.front().name),
                     percent(seeds, &WiringPoint::shuffled), percent(seeds, &WiringPoint::changed),
                     percent(seeds, &WiringPoint::reloaded));
  };
  return sentence(*notebook,
                  WiringTable::tr(
                      "The notebook's %1 answers %2 % correctly; in another order, %3 % of its "
                      "answers change, and after saving and reopening, %4 % are right.")) +
         ' ' +
         sentence(*published,
                  WiringTable::tr("The published %1 answers %2 % correctly; %3 % change with the "
                                  "order, and reopened, %4 % are right."));
}

}  // namespace tfm::ui
