// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot.h"

#include <qcustomplot.h>

#include <QFocusEvent>
#include <QHelpEvent>
#include <QPicture>
#include <QVBoxLayout>

#include "ui/figure/tips.h"
#include "ui/plots/plot_axes.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

class Painting : public QCPAbstractItem {
 public:
  Painting(QCustomPlot* plot, std::function<void(QPainter&)> paint)
      : QCPAbstractItem(plot), paint_(std::move(paint)) {
    setClipToAxisRect(false);
  }

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

 protected:
  void draw(QCPPainter* painter) override {
    // QCustomPlot's antialiasing also shifts by half a pixel.
    painter->setAntialiasing(false);
    painter->setRenderHint(QPainter::Antialiasing);
    paint_(*painter);
  }

 private:
  std::function<void(QPainter&)> paint_;
};

}  // namespace

Plot::Plot(Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      canvas_(new QCustomPlot),
      redraw_(*canvas_, [this] { canvas_->replot(QCustomPlot::rpQueuedRefresh); }),
      look_(std::make_unique<const PlotLook>(style, style.palette())) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(canvas_);
  setFocusPolicy(Qt::StrongFocus);
  canvas_->setMinimumSize(1, 1);  // an empty one could not be painted
  canvas_->setFocusPolicy(Qt::NoFocus);
  canvas_->setAttribute(Qt::WA_OpaquePaintEvent);
  canvas_->setNotAntialiasedElements(QCP::aeAxes | QCP::aeGrid);
  canvas_->setAutoAddPlottableToLegend(false);
  axesAt(*canvas_, 0, 0);
  canvas_->setCurrentLayer(QStringLiteral("overlay"));
  focus_ = new QCPItemRect(canvas_);
  focus_->setClipToAxisRect(false);
  focus_->setVisible(false);
  for (QCPItemPosition* corner : {focus_->topLeft, focus_->bottomRight})
    corner->setType(QCPItemPosition::ptViewportRatio);
  focus_->topLeft->setCoords(0, 0);
  focus_->bottomRight->setCoords(1, 1);
  canvas_->setCurrentLayer(QStringLiteral("main"));
  connect(canvas_, &QCustomPlot::beforeReplot, this,
          [this] { prepareFor(style_.palette(), canvas_->viewport().size()); });
  connect(canvas_, &QCustomPlot::afterLayout, this, [this] { arrange(*look_); });
  connect(canvas_, &QCustomPlot::afterReplot, this, [this] {
    if (canvas_->isVisible()) emit redrawn();
  });
  connect(&style_, &Style::changed, this, [this] {
    updateGeometry();
    redraw();
  });
}

Plot::~Plot() = default;

QWidget& Plot::pointerArea() const { return *canvas_; }

void Plot::setTitle(const QString& title) {
  title_ = title;
  setAccessibleName(title);
}

void Plot::arrange(const PlotLook&) const {}

void Plot::addPainting(const char* layer, std::function<void(QPainter&)> paint) {
  (new Painting(canvas_, std::move(paint)))->setLayer(QLatin1String(layer));
}

void Plot::redrawLayer(const char* layer) const {
  if (canvas_->isVisible()) canvas_->layer(QLatin1String(layer))->replot();
}

QString Plot::toolTipAt(const QPointF&) const { return {}; }

void Plot::prepareFor(const Palette& palette, const QSizeF& size) const {
  look_ = std::make_unique<const PlotLook>(style_, palette);
  canvas_->setBackground(QBrush(palette.panel));
  focus_->setPen(QPen(palette.accent, 2 * look_->unit));
  prepare(*look_, size);
}

void Plot::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const QSize size = area.size().toSize();
  prepareFor(palette, size);
  canvas_->setBackground(Qt::NoBrush);
  QCPLayer& overlay = *canvas_->layer(QStringLiteral("overlay"));
  overlay.setVisible(false);
  // QCustomPlot needs its own painter class: it records into a QPicture, which the given painter
  // replays.
  QPicture record;
  {
    QCPPainter recorder(&record);
    for (const auto mode :
         {QCPPainter::pmVectorized, QCPPainter::pmNoCaching, QCPPainter::pmNonCosmetic})
      recorder.setMode(mode);
    canvas_->toPainter(&recorder, size.width(), size.height());
  }
  overlay.setVisible(true);
  painter.save();
  painter.drawPicture(area.topLeft(), record);
  painter.restore();
  if (canvas_->isVisible()) canvas_->replot(QCustomPlot::rpQueuedRefresh);
}

bool Plot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  showTip(help->globalPos(), toolTipAt(help->pos()), this);
  return true;
}

void Plot::showEvent(QShowEvent*) { canvas_->replot(QCustomPlot::rpQueuedRefresh); }

// The focus frame is for keyboard users; after a click it would only distract.
void Plot::focusInEvent(QFocusEvent* event) {
  showFocus(event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason);
}

void Plot::focusOutEvent(QFocusEvent*) { showFocus(false); }

void Plot::showFocus(bool shown) {
  focus_->setVisible(shown);
  redrawLayer("overlay");
}

}  // namespace tfm::ui
