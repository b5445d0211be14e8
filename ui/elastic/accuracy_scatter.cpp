// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/accuracy_scatter.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/elastic/figure_caption.h"
#include "ui/elastic/scatter_picture.h"
#include "ui/elastic/score_columns.h"
#include "ui/elastic/score_table.h"
#include "ui/style/style.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

constexpr double kCaptionRoom = 26;  // of a one-line caption
constexpr int kTable = 3;            // the choice after the axes

}  // namespace

AccuracyScatter::AccuracyScatter(const Style& style, QWidget* parent)
    : QWidget(parent),
      choice_(new Segmented(style, {tr("Parameters"), tr("FLOPs"), tr("Time"), tr("Table")})),
      from_zero_(new QCheckBox(tr("From 0"))),
      shown_(new QStackedWidget),
      picture_(new ScatterPicture(style)),
      table_(new ScoreTable(style)) {
  choice_->setAccessibleName(tr("Cost axis"));
  choice_->setChoiceToolTip(kTable, tr("All measurements in numbers"));
  from_zero_->setToolTip(
      tr("Start the accuracy axis at 0, so that differences look as small as they are"));
  picture_->setTitle(figureTitle());
  auto* tools = new QHBoxLayout;
  tools->addWidget(choice_);
  tools->addStretch();
  tools->addWidget(from_zero_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addLayout(tools);
  shown_->addWidget(picture_);
  shown_->addWidget(table_);
  column->addWidget(shown_, 1);

  connect(choice_, &Segmented::currentChanged, this, &AccuracyScatter::present);
  connect(table_, &ScoreTable::chosen, this, &AccuracyScatter::chosen);
  connect(from_zero_, &QCheckBox::toggled, picture_, &ScatterPicture::setFromZero);
  connect(picture_, &FigureWidget::clicked, this,
          [this](int mark) { emit chosen(picture_->scene().marks[std::size_t(mark)].submodel); });
}

void AccuracyScatter::setPoints(std::vector<ElasticPoint> points) {
  points_ = std::move(points);
  picture_->setMarks(marksOf(points_));
  table_->setPoints(points_);
}

void AccuracyScatter::setChosen(const std::optional<Submodel>& submodel) {
  picture_->setChosen(submodel);
  table_->setChosen(submodel);
}

void AccuracyScatter::setExperiment(const QString& task, std::int64_t steps, bool held_out) {
  task_ = task;
  steps_ = steps;
  picture_->setHeldOut(held_out);
  table_->setExperiment(task, steps, held_out);
}

void AccuracyScatter::present(int choice) {
  from_zero_->setVisible(!showsTable());
  shown_->setCurrentIndex(showsTable() ? 1 : 0);
  if (showsTable()) return;
  picture_->setCostAxis(CostAxis(choice));
  picture_->setTitle(figureTitle());
}

bool AccuracyScatter::showsTable() const { return choice_->current() == kTable; }

void AccuracyScatter::showTable() { choice_->setCurrent(kTable); }

void AccuracyScatter::setCostAxis(CostAxis axis) { choice_->setCurrent(int(axis)); }

CostAxis AccuracyScatter::costAxis() const { return picture_->scene().axis; }

void AccuracyScatter::setFromZero(bool from_zero) { from_zero_->setChecked(from_zero); }

QString AccuracyScatter::figureTitle() const {
  if (showsTable()) return table_->figureTitle();
  switch (costAxis()) {
    case CostAxis::Parameters:
      return tr("Accuracy against parameters");
    case CostAxis::Operations:
      return tr("Accuracy against operations");
    case CostAxis::Milliseconds:
      return tr("Accuracy against time");
  }
  return {};
}

QSizeF AccuracyScatter::figureSize() const {
  if (showsTable()) return table_->figureSize();
  return picture_->figureSize() + QSizeF(0, kCaptionRoom);
}

void AccuracyScatter::paintFigure(QPainter& painter, const QRectF& area,
                                  const Palette& palette) const {
  if (showsTable()) return table_->paintFigure(painter, area, palette);
  const FigureCaption caption =
      captionOf(picture_->scene().marks, task_, steps_, picture_->scene().held_out);
  picture_->paintFigure(painter, paintCaption(painter, area, caption, Style::textFace(12), palette),
                        palette);
}

DataTable AccuracyScatter::figureData() const {
  if (showsTable()) return table_->figureData();
  DataTable table = pointTable(points_);
  table.columns << QStringLiteral("on_pareto_line");
  const ScatterScene& scene = picture_->scene();
  for (std::size_t row = 0; row < points_.size(); ++row) {
    const bool on_line =
        std::any_of(scene.front.begin(), scene.front.end(), [&](std::size_t place) {
          return scene.marks[place].kind == points_[row].kind &&
                 scene.marks[place].submodel == points_[row].score.submodel;
        });
    table.rows[row] << QString::number(int(on_line));
  }
  return table;
}

}  // namespace tfm::ui
