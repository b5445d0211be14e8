// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/painted_text.h"

#include <QBrush>
#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <cmath>

namespace tfm::ui {
namespace {

/// Keeps the texts, and forgets those that a later rectangle covers.
class TextEngine : public QPaintEngine {
 public:
  TextEngine() : QPaintEngine(AllFeatures) {}

  std::vector<PaintedText> texts;

  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  void updateState(const QPaintEngineState&) override {}
  Type type() const override { return User; }

  void drawTextItem(const QPointF& at, const QTextItem& item) override {
    if (item.text().trimmed().isEmpty() || painter()->opacity() == 0.0) return;
    QRectF tight = QFontMetricsF(item.font()).tightBoundingRect(item.text());
    tight.setLeft(0.0);
    tight.setWidth(item.width());
    const QRectF ink = painter()->deviceTransform().mapRect(tight.translated(at));
    for (const PaintedText& known : texts)
      if (known.text == item.text() && (known.ink.center() - ink.center()).manhattanLength() < 3.0)
        return;  // once more for its outline
    const QRectF clip = painter()->deviceTransform().mapRect(painter()->clipBoundingRect());
    const bool clipped =
        painter()->hasClipping() && !clip.adjusted(-1.5, -1.5, 1.5, 1.5).contains(ink);
    texts.push_back({item.text(), ink, clipped});
  }
  void drawRects(const QRectF* rects, int count) override {
    for (int i = 0; i < count; ++i) cover(rects[i]);
  }
  void drawRects(const QRect* rects, int count) override {
    for (int i = 0; i < count; ++i) cover(rects[i]);
  }
  void drawPath(const QPainterPath& path) override { cover(path.boundingRect()); }
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}

 private:
  void cover(const QRectF& area) {
    const QBrush& brush = painter()->brush();
    const bool opaque = brush.style() == Qt::SolidPattern && brush.color().alpha() == 255 &&
                        painter()->opacity() == 1.0;
    if (!opaque) return;
    const QRectF covered = painter()->deviceTransform().mapRect(area);
    std::erase_if(texts, [&](const PaintedText& text) { return covered.contains(text.ink); });
  }
};

class TextDevice : public QPaintDevice {
 public:
  explicit TextDevice(const QSize& size) : size_(size) {}

  mutable TextEngine engine;

  QPaintEngine* paintEngine() const override { return &engine; }

 protected:
  int metric(PaintDeviceMetric metric) const override {
    switch (metric) {
      case PdmWidth:
        return size_.width();
      case PdmHeight:
        return size_.height();
      case PdmWidthMM:
        return int(std::lround(size_.width() * 25.4 / 96));
      case PdmHeightMM:
        return int(std::lround(size_.height() * 25.4 / 96));
      case PdmNumColors:
        return 1 << 24;
      case PdmDepth:
        return 32;
      case PdmDevicePixelRatio:
        return 1;
      case PdmDevicePixelRatioScaled:
        return int(devicePixelRatioFScale());
      default:
        return 96;
    }
  }

 private:
  QSize size_;
};

}  // namespace

std::vector<PaintedText> paintedTexts(const QSize& size,
                                      const std::function<void(QPaintDevice& device)>& paint) {
  TextDevice device(size);
  paint(device);
  return std::move(device.engine.texts);
}

}  // namespace tfm::ui
