// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/painted_text.h"

#include <QBrush>
#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

namespace tfm::ui {
namespace {

constexpr double kPiece = 4.0;  // of a line, in pixels

/// Keeps texts and lines, and forgets those that a later rectangle covers.
class TextEngine : public QPaintEngine {
 public:
  TextEngine() : QPaintEngine(AllFeatures) {}

  Painted painted;

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
    for (const PaintedText& known : painted.texts)
      if (known.text == item.text() && (known.ink.center() - ink.center()).manhattanLength() < 3.0)
        return;  // once more for its outline
    const QRectF clip = painter()->deviceTransform().mapRect(painter()->clipBoundingRect());
    const bool clipped =
        painter()->hasClipping() && !clip.adjusted(-1.5, -1.5, 1.5, 1.5).contains(ink);
    painted.texts.push_back({item.text(), ink, clipped});
  }
  void drawRects(const QRectF* rects, int count) override {
    for (int i = 0; i < count; ++i) cover(rects[i]);
  }
  void drawRects(const QRect* rects, int count) override {
    for (int i = 0; i < count; ++i) cover(rects[i]);
  }
  void drawPath(const QPainterPath& path) override {
    cover(path.boundingRect());
    for (const QPolygonF& polygon : path.toSubpathPolygons()) stroke(polygon);
  }
  void drawLines(const QLineF* lines, int count) override {
    for (int i = 0; i < count; ++i) stroke(QPolygonF{lines[i].p1(), lines[i].p2()});
  }
  void drawLines(const QLine* lines, int count) override {
    for (int i = 0; i < count; ++i) stroke(QPolygonF{lines[i].p1(), lines[i].p2()});
  }
  void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
    QPolygonF polygon(QVector<QPointF>(points, points + count));
    if (mode != PolylineMode && count > 0) polygon << points[0];
    stroke(polygon);
  }
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}

 private:
  void cover(const QRectF& area) {
    const QBrush& brush = painter()->brush();
    const bool opaque = brush.style() == Qt::SolidPattern && brush.color().alpha() == 255 &&
                        painter()->opacity() == 1.0;
    if (!opaque) return;
    const QRectF covered = painter()->deviceTransform().mapRect(area);
    std::erase_if(painted.texts,
                  [&](const PaintedText& text) { return covered.contains(text.ink); });
    std::erase_if(painted.pieces, [&](const QPointF& piece) { return covered.contains(piece); });
  }

  void stroke(const QPolygonF& line) {
    const QPen& pen = painter()->pen();
    if (pen.style() == Qt::NoPen || pen.color().alpha() == 0 || painter()->opacity() == 0.0) return;
    const QPolygonF seen = painter()->deviceTransform().map(line);
    const QRectF clip = painter()->hasClipping()
                            ? painter()->deviceTransform().mapRect(painter()->clipBoundingRect())
                            : QRectF(-1e6, -1e6, 2e6, 2e6);
    for (qsizetype i = 1; i < seen.size(); ++i) {
      const QLineF part(seen[i - 1], seen[i]);
      const int count = std::min(int(part.length() / kPiece) + 1, 10'000);
      for (int k = 0; k < count; ++k)
        if (const QPointF piece = part.pointAt((k + 0.5) / count); clip.contains(piece))
          painted.pieces.push_back(piece);
    }
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

Painted paintedOn(const QSize& size, const std::function<void(QPaintDevice& device)>& paint) {
  TextDevice device(size);
  paint(device);
  return std::move(device.engine.painted);
}

}  // namespace tfm::ui
