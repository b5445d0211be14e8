// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/accuracy_scatter.h"

#include <QCheckBox>
#include <QStackedWidget>
#include <algorithm>

#include "ui/elastic/figure_caption.h"
#include "ui/elastic/scatter_plot.h"
#include "ui/elastic/score_columns.h"
#include "ui/elastic/score_table.h"
#include "ui/style/style.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

constexpr double kScatterCaptionRoom = 26;  // of the usual line below
constexpr int kTable = 3;                   // the choice after the axes

}  // namespace

AccuracyScatter::AccuracyScatter(Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      choice_(new Segmented(style, {tr("Parameters"), tr("FLOPs"), tr("Time"), tr("Table")})),
      from_zero_(new QCheckBox(tr("From 0"))),
      shown_(new QStackedWidget),
      plot_(new ScatterPlot(style)),
      table_(new ScoreTable(style)) {
  choice_->setAccessibleName(tr("Cost axis"));
  choice_->setChoiceToolTip(kTable, tr("All measurements in numbers"));
  from_zero_->setToolTip(
      tr("Start the accuracy axis at 0, so that differences look as small as they are"));
  plot_->setTitle(figureTitle());
  shown_->addWidget(plot_);
  shown_->addWidget(table_);
  setLayout(columnOf({rowOf({choice_, kStretch, from_zero_}), {shown_, 1}}));

  connect(choice_, &Segmented::currentChanged, this, &AccuracyScatter::present);
  connect(table_, &ScoreTable::chosen, this, &AccuracyScatter::chosen);
  connect(from_zero_, &QCheckBox::toggled, plot_, &ScatterPlot::setFromZero);
  connect(plot_, &ScatterPlot::locked, this,
          [this](int mark) { emit chosen(plot_->marks()[std::size_t(mark)].submodel); });
}

void AccuracyScatter::setPoints(std::vector<ElasticPoint> points) {
  points_ = std::move(points);
  plot_->setMarks(marksOf(points_));
  if (!showsTable()) plot_->setTitle(figureTitle());
  table_->setPoints(points_);
}

void AccuracyScatter::setChosen(const std::optional<Submodel>& submodel) {
  plot_->setChosen(submodel);
  table_->setChosen(submodel);
}

void AccuracyScatter::setExperiment(const QString& task, std::int64_t steps, bool held_out) {
  task_ = task;
  steps_ = steps;
  plot_->setHeldOut(held_out);
}

void AccuracyScatter::present(int choice) {
  from_zero_->setVisible(!showsTable());
  shown_->setCurrentIndex(showsTable() ? 1 : 0);
  if (showsTable()) return;
  plot_->setCostAxis(CostAxis(choice));
  plot_->setTitle(figureTitle());
}

bool AccuracyScatter::showsTable() const { return choice_->current() == kTable; }

void AccuracyScatter::showTable() { choice_->setCurrent(kTable); }

void AccuracyScatter::setCostAxis(CostAxis axis) { choice_->setCurrent(int(axis)); }

CostAxis AccuracyScatter::costAxis() const { return plot_->costAxis(); }

void AccuracyScatter::setFromZero(bool from_zero) { from_zero_->setChecked(from_zero); }

bool AccuracyScatter::fromZero() const { return from_zero_->isChecked(); }

QString AccuracyScatter::figureTitle() const {
  if (showsTable()) return table_->figureTitle();
  const QString costs[] = {tr("parameters"), tr("operations"), tr("time")};
  const QString& cost = costs[int(costAxis())];
  return (plot_->countsPositions() ? tr("Position accuracy against %1") : tr("Accuracy against %1"))
      .arg(cost);
}

QSizeF AccuracyScatter::figureSize() const {
  const QSizeF caption(0, showsTable() ? kScatterCaptionRoom : style_.px(kScatterCaptionRoom));
  return (showsTable() ? table_->figureSize() : plot_->figureSize()) + caption;
}

void AccuracyScatter::paintFigure(QPainter& painter, const QRectF& area,
                                  const Palette& palette) const {
  const FigureCaption caption = captionOf(plot_->marks(), task_, steps_, plot_->heldOut());
  const QFont font = showsTable() ? Style::textFace(12) : style_.textFont(12);
  const QRectF body = paintCaption(painter, area, caption, font, palette);
  if (showsTable()) return table_->paintFigure(painter, body, palette);
  plot_->paintFigure(painter, body, palette);
}

DataTable AccuracyScatter::figureData() const {
  if (showsTable()) return table_->figureData();
  DataTable table = pointTable(points_);
  table.columns << QStringLiteral("on_pareto_line");
  for (std::size_t row = 0; row < points_.size(); ++row) {
    const bool on_line = std::ranges::any_of(plot_->front(), [&](std::size_t place) {
      const ElasticMark& mark = plot_->marks()[place];
      return mark.kind == points_[row].kind && mark.submodel == points_[row].score.submodel;
    });
    table.rows[row] << QString::number(int(on_line));
  }
  return table;
}

}  // namespace tfm::ui
