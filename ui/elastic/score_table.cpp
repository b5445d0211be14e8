// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/score_table.h"

#include <QClipboard>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <algorithm>

#include "ui/elastic/figure_caption.h"
#include "ui/elastic/score_columns.h"
#include "ui/elastic/score_table_model.h"
#include "ui/elastic/score_words.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

// Sizes of the printed table at scale 1.
constexpr double kRow = 20, kGap = 18, kCaptionRoom = 26;

constexpr double kAir = 4;      // between columns on screen
constexpr int kParameters = 2;  // the column

QFont faceOf(const ScoreColumn& column, bool title) {
  if (title) return Style::textFace(12, QFont::DemiBold);
  return column.number ? Style::numberFace(11) : Style::textFace(12);
}

/// The width of each column of the printed table.
std::vector<double> widthsOf(const std::vector<QStringList>& rows) {
  std::vector<double> widths(scoreColumns().size(), 0);
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const QFontMetricsF metrics(faceOf(scoreColumns()[i], row == 0));
      widths[i] = std::max(widths[i], metrics.horizontalAdvance(rows[row][qsizetype(i)]) + 2);
    }
  return widths;
}

}  // namespace

ScoreTable::ScoreTable(const Style& style, QWidget* parent)
    : QTableView(parent),
      style_(style),
      model_(new ScoreTableModel(style, this)),
      sorted_(new QSortFilterProxyModel(this)) {
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(ScoreTableModel::kOrder);
  setModel(sorted_);
  setSortingEnabled(true);
  sortByColumn(kParameters, Qt::AscendingOrder);
  setSelectionBehavior(SelectRows);
  setEditTriggers(NoEditTriggers);
  setShowGrid(false);
  setTabKeyNavigation(false);
  setAccessibleName(figureTitle());
  verticalHeader()->hide();
  horizontalHeader()->setHighlightSections(false);
  const auto size = [this] {
    verticalHeader()->setDefaultSectionSize(style_.px(28));
    resizeColumnsToContents();
    for (int column = 0; column < sorted_->columnCount(); ++column)
      setColumnWidth(column, columnWidth(column) + style_.px(kAir));
  };
  connect(&style_, &Style::changed, this, size);
  connect(model_, &QAbstractItemModel::modelReset, this, size);
  connect(this, &QTableView::clicked, this, &ScoreTable::choose);
  size();
}

void ScoreTable::setPoints(std::vector<ElasticPoint> points) {
  points_ = std::move(points);
  model_->setMarks(marksOf(points_));
}

void ScoreTable::setChosen(const std::optional<Submodel>& submodel) { model_->setChosen(submodel); }

void ScoreTable::setExperiment(const QString& task, std::int64_t steps, bool held_out) {
  task_ = task;
  held_out_ = held_out;
  steps_ = steps;
}

void ScoreTable::choose(const QModelIndex& index) {
  emit chosen(model_->marks()[std::size_t(sorted_->mapToSource(index).row())].submodel);
}

std::vector<QStringList> ScoreTable::shownRows() const {
  std::vector<QStringList> rows(1);
  for (const ScoreColumn& column : scoreColumns()) rows[0] << column.title;
  for (int row = 0; row < sorted_->rowCount(); ++row) {
    QStringList texts;
    for (int column = 0; column < sorted_->columnCount(); ++column)
      texts << sorted_->index(row, column).data().toString();
    rows.push_back(texts);
  }
  return rows;
}

void ScoreTable::copy() const {
  const std::vector<QStringList> rows = shownRows();
  const bool all = !selectionModel()->hasSelection();
  QString text = rows[0].join(QLatin1Char('\t'));
  for (int row = 0; row < sorted_->rowCount(); ++row)
    if (all || selectionModel()->isRowSelected(row))
      text += QLatin1Char('\n') + rows[std::size_t(row) + 1].join(QLatin1Char('\t'));
  QGuiApplication::clipboard()->setText(text);
}

void ScoreTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copy();
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && currentIndex().isValid()) return choose(currentIndex());
  QTableView::keyPressEvent(event);
}

void ScoreTable::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (model_->rowCount() > 0) return;
  QPainter painter(viewport());
  painter.setFont(style_.textFont(12));
  painter.setPen(style_.palette().muted);
  painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap, nothingMeasuredText());
}

QString ScoreTable::figureTitle() const { return tr("Measured submodels"); }

QSizeF ScoreTable::figureSize() const {
  const std::vector<QStringList> rows = shownRows();
  double width = -kGap;
  for (const double column : widthsOf(rows)) width += column + kGap;
  return {width, kRow * double(rows.size()) + kCaptionRoom + 8};
}

void ScoreTable::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const QRectF body =
      paintCaption(painter, area, captionOf(model_->marks(), task_, steps_, held_out_),
                   Style::textFace(12), palette);
  const std::vector<QStringList> rows = shownRows();
  const std::vector<double> widths = widthsOf(rows);
  const auto rule = [&](double y, double thick) {
    painter.setPen(QPen(palette.text, thick));
    painter.drawLine(QPointF(body.left(), y), QPointF(body.right(), y));
  };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    double x = body.left();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const ScoreColumn& column = scoreColumns()[i];
      painter.setFont(faceOf(column, row == 0));
      painter.setPen(palette.text);
      painter.drawText(QRectF(x, body.top() + 2 + kRow * double(row), widths[i], kRow),
                       Qt::AlignVCenter | (column.number ? Qt::AlignRight : Qt::AlignLeft),
                       rows[row][qsizetype(i)]);
      x += widths[i] + kGap;
    }
  }
  rule(body.top() + 1, 1.4);
  rule(body.top() + kRow + 2, 0.8);
  rule(body.top() + kRow * double(rows.size()) + 3, 1.4);
}

DataTable ScoreTable::figureData() const { return pointTable(points_); }

}  // namespace tfm::ui
