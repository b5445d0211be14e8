// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/painted_item.h"

#include <qcustomplot.h>

namespace tfm::ui {
namespace {

class PaintedItem : public QCPAbstractItem {
 public:
  PaintedItem(QCustomPlot* plot, std::function<void(QPainter&)> paint)
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

void addPaintedItem(QCustomPlot& plot, const char* layer, std::function<void(QPainter&)> paint) {
  (new PaintedItem(&plot, std::move(paint)))->setLayer(QLatin1String(layer));
}

}  // namespace tfm::ui
