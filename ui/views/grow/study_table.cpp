// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/study_table.h"

#include <QHeaderView>

#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/views/grow/study_words.h"

namespace tfm::ui {
namespace {

/// Names are left-aligned, numbers right-aligned.
Qt::Alignment alignmentOf(int column) {
  return (column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

}  // namespace

StudyTable::StudyTable(const Style& style, QWidget* parent) : QTableWidget(parent) {
  const QStringList titles{tr("way"),  tr("seeds"),    tr("steps"),      tr("parameters"),
                           tr("loss"), tr("accuracy"), tr("operations"), tr("seconds")};
  setRowCount(2);
  setColumnCount(int(titles.size()));
  setHorizontalHeaderLabels(titles);
  for (int column = 0; column < titles.size(); ++column)
    horizontalHeaderItem(column)->setTextAlignment(alignmentOf(column));
  setAccessibleName(tr("Results of both ways"));
  verticalHeader()->hide();
  horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  setShowGrid(false);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setTabKeyNavigation(false);
  for (int row = 0; row < 2; ++row) setRowHeight(row, style.px(30));
  setFixedHeight(style.px(2 * 30 + 36));
  setResult(nullptr);
}

void StudyTable::setResult(const train::StudyResult* result) {
  const auto put = [this](int row, int column, const QString& text) {
    auto* item = new QTableWidgetItem(text);
    item->setTextAlignment(alignmentOf(column));
    setItem(row, column, item);
  };
  for (const train::StudyArm arm : {train::StudyArm::Grown, train::StudyArm::FromScratch}) {
    put(int(arm), 0, armText(arm));
    for (int column = 1; column < columnCount(); ++column)
      put(int(arm), column, QStringLiteral("–"));
  }
  if (!result) return;
  for (const StudyEnd& end : endsOf(*result)) {
    const train::StudySpread& s = end.spread;
    const QStringList texts{armText(s.arm),
                            stepNumber(double(s.runs)),
                            stepNumber(double(s.step)),
                            stepNumber(double(end.parameters)),
                            spreadText(s.loss_mean, s.loss_deviation, s.runs),
                            spreadText(s.accuracy_mean, s.accuracy_deviation, s.runs),
                            operationsText(s.flops_mean),
                            shortNumber(s.seconds_mean)};
    for (int column = 0; column < texts.size(); ++column) put(int(s.arm), column, texts[column]);
  }
}

}  // namespace tfm::ui
