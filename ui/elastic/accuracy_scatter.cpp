// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/accuracy_scatter.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/elastic/figure_caption.h"
#include "ui/elastic/scatter_picture.h"
#include "ui/elastic/score_columns.h"
#include "ui/style/style.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

constexpr double kCaptionRoom = 26;  // of the usual line under the picture

}  // namespace

AccuracyScatter::AccuracyScatter(const Style& style, QWidget* parent)
    : QWidget(parent),
      axis_(new Segmented(style, {tr("Parameters"), tr("FLOPs"), tr("Milliseconds")})),
      from_zero_(new QCheckBox(tr("From 0"))),
      picture_(new ScatterPicture(style)) {
  axis_->setAccessibleName(tr("What the accuracy is set against"));
  from_zero_->setToolTip(
      tr("Lets the accuracy axis start at 0: differences look as small as they "
         "are"));
  picture_->setTitle(figureTitle());
  auto* tools = new QHBoxLayout;
  tools->addWidget(axis_);
  tools->addStretch();
  tools->addWidget(from_zero_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addLayout(tools);
  column->addWidget(picture_, 1);

  connect(axis_, &Segmented::currentChanged, this, [this](int axis) {
    picture_->setCostAxis(CostAxis(axis));
    picture_->setTitle(figureTitle());
  });
  connect(from_zero_, &QCheckBox::toggled, picture_, &ScatterPicture::setFromZero);
  connect(picture_, &FigureWidget::clicked, this,
          [this](int mark) { emit chosen(picture_->scene().marks[std::size_t(mark)].submodel); });
}

void AccuracyScatter::setPoints(std::vector<ElasticPoint> points) {
  points_ = std::move(points);
  picture_->setMarks(marksOf(points_));
}

void AccuracyScatter::setChosen(const std::optional<Submodel>& submodel) {
  picture_->setChosen(submodel);
}

void AccuracyScatter::setExperiment(const QString& task, std::int64_t steps) {
  task_ = task;
  steps_ = steps;
}

void AccuracyScatter::setCostAxis(CostAxis axis) { axis_->setCurrent(int(axis)); }

CostAxis AccuracyScatter::costAxis() const { return CostAxis(axis_->current()); }

void AccuracyScatter::setFromZero(bool from_zero) { from_zero_->setChecked(from_zero); }

QString AccuracyScatter::figureTitle() const {
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
  return picture_->figureSize() + QSizeF(0, kCaptionRoom);
}

void AccuracyScatter::paintFigure(QPainter& painter, const QRectF& area,
                                  const Palette& palette) const {
  const FigureCaption caption = captionOf(picture_->scene().marks, task_, steps_);
  picture_->paintFigure(painter, paintCaption(painter, area, caption, Style::textFace(12), palette),
                        palette);
}

DataTable AccuracyScatter::figureData() const {
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
