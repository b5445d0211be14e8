// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/growth_wall.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kMargin = 12.0;
constexpr double kPageWidth = 1100.0;
constexpr double kPageHeight = 800.0;
constexpr double kLeastHeight = 480.0;

void paintWords(QPainter& painter, const GrownCells& cells, const WallWords& words,
                const QRectF& room, const GrowthLook& look) {
  struct Line {
    WallWords::Line line;
    QFont font;
    QColor colour;
    QString text;
  };
  const ParameterCaption caption = cells.caption();
  const Palette& palette = look.palette;
  double top = room.top();
  // A cut number would be another one: without room for the counts the shape stands alone.
  const QString full = wallShapeText(cells);
  const QFont font = wallShapeFont(look.style);
  const bool fits = words.fitted(WallWords::Shape, full, font, room.width()) == full;
  for (const Line& line :
       {Line{WallWords::Name, wallNameFont(look.style), palette.text, caption.name},
        Line{WallWords::Shape, font, palette.muted, fits ? full : cells.shapeText()}}) {
    const QFontMetricsF metrics(line.font);
    painter.setFont(line.font);
    painter.setPen(line.colour);
    painter.drawText(QPointF(room.left(), top + metrics.ascent()),
                     words.fitted(line.line, line.text, line.font, room.width()));
    top += metrics.height();
  }
}

}  // namespace

GrowthWall::GrowthWall(const Style& style, QWidget* parent)
    : QAbstractScrollArea(parent), style_(style), words_(style) {
  installCellAccessibility();
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  viewport()->setMouseTracking(true);
  viewport()->setAutoFillBackground(false);
  connect(&style, &Style::changed, this, [this] {
    words_.forget();
    recolor();
    layOut();
    updateGeometry();
  });
}

void GrowthWall::setMatrices(std::vector<GrownCells> matrices) {
  if (matrices.size() != matrices_.size()) selection_ = -1;
  matrices_ = std::move(matrices);
  // What does not change is not shown as a rule, and must not pale what does.
  std::vector<const GrownCells*> counted;
  for (const GrownCells& cells : matrices_)
    if (cells.changes()) counted.push_back(&cells);
  if (counted.empty())
    for (const GrownCells& cells : matrices_) counted.push_back(&cells);
  limit_ = GrownCells::commonLimit(counted);
  recolor();
  layOut();
}

void GrowthWall::setTitle(const QString& title) {
  title_ = title;
  setAccessibleName(title);
}

void GrowthWall::setShowAll(bool all) {
  if (all == all_) return;
  all_ = all;
  layOut();
}

void GrowthWall::setCellSize(std::optional<double> pixels) {
  cell_size_ = pixels;
  layOut();
}

void GrowthWall::setProgress(double progress) {
  progress = std::clamp(progress, 0.0, 1.0);
  if (progress == progress_) return;
  progress_ = progress;
  picture_ = QPixmap();
  viewport()->update();
}

void GrowthWall::select(int matrix) {
  if (edges_.isHeld() && matrix == selection_) return;
  edges_.letGo();
  selection_ = matrix;
  const QRectF place = matrixRect(matrix);
  if (!place.isEmpty()) {
    const double margin = kMargin * style_.scale();
    QScrollBar* bar = verticalScrollBar();
    if (place.top() < margin)
      bar->setValue(bar->value() + static_cast<int>(place.top() - margin));
    else if (place.bottom() > viewport()->height() - margin)
      bar->setValue(bar->value() +
                    static_cast<int>(std::min(place.bottom() - viewport()->height() + margin,
                                              place.top() - margin)));
  }
  viewport()->update();
}

QRectF GrowthWall::matrixRect(int matrix) const {
  for (const WallItem& item : flow_.items)
    if (item.matrix == matrix) return item.frame.translated(offset());
  return {};
}

void GrowthWall::recolor() {
  table_.emplace(scale(), style_.palette());
  colors_.assign(matrices_.size(), std::nullopt);
  picture_ = QPixmap();
}

const CellColors& GrowthWall::colorsOf(std::size_t matrix) {
  if (!colors_[matrix]) colors_[matrix].emplace(matrices_[matrix], *table_, style_.palette());
  return *colors_[matrix];
}

std::optional<double> GrowthWall::pitchOnScreen() const {
  if (!cell_size_) return std::nullopt;
  return *cell_size_ * style_.scale();
}

void GrowthWall::layOut() {
  const std::vector<int> shown_before = std::exchange(shown_, {});
  for (int i = 0; i < static_cast<int>(matrices_.size()); ++i)
    if (all_ || matrices_[static_cast<std::size_t>(i)].changes()) shown_.push_back(i);
  shown_ = readingOrder(matrices_, std::move(shown_));
  const double margin = kMargin * style_.scale();
  const QSize view = viewport()->size();
  // A low view scrolls; its cells do not become specks.
  const double height = std::max(view.height() - 2 * margin, kLeastHeight * style_.scale());
  const bool held = edges_.isHeld() && selectedItem() != nullptr;
  const QPointF held_at = held ? selectedItem()->origin + offset() : QPointF();
  // While an edge is dragged its pixels must go on meaning the same number of cells.
  const WallFlow before = std::exchange(flow_, {});
  flow_ = WallFlow::of(matrices_, shown_, view.width() - 2 * margin, height, pitchOnScreen(),
                       words_, style_.scale(), held && shown_ == shown_before ? &before : nullptr);
  const int wide = static_cast<int>(std::ceil(flow_.size.width() + 2 * margin));
  const int high = static_cast<int>(std::ceil(flow_.size.height() + 2 * margin));
  horizontalScrollBar()->setRange(0, std::max(0, wide - view.width()));
  horizontalScrollBar()->setPageStep(view.width());
  verticalScrollBar()->setRange(0, std::max(0, high - view.height()));
  verticalScrollBar()->setPageStep(view.height());
  verticalScrollBar()->setSingleStep(style_.px(40));
  if (held && selectedItem() != nullptr) shift_ += held_at - (selectedItem()->origin + offset());
  picture_ = QPixmap();
  viewport()->update();
}

QPointF GrowthWall::offset() const {
  const double margin = kMargin * style_.scale();
  return QPointF(margin - horizontalScrollBar()->value(), margin - verticalScrollBar()->value()) +
         shift_;
}

QSize GrowthWall::sizeHint() const { return {style_.px(720), style_.px(480)}; }

void GrowthWall::paintItems(QPainter& painter, const WallFlow& flow, const ColorsOf& colors_of,
                            const GrowthLook& look, const QRectF& visible) const {
  const double unit = look.unit();
  painter.setRenderHint(QPainter::Antialiasing);
  for (const WallBlock& block : flow.blocks) {
    const QRectF& frame = block.place.frame;
    if (!frame.intersects(visible)) continue;
    painter.setPen(QPen(look.palette.line, 1));
    painter.setBrush(look.palette.panel);
    painter.drawRoundedRect(frame, 8 * unit, 8 * unit);
    const QRectF& words = block.words;
    const QFont font = wallPlaceFont(look.style);
    painter.setFont(font);
    painter.setPen(look.palette.muted);
    painter.drawText(QPointF(words.left(), words.top() + QFontMetricsF(font).ascent()),
                     words_.fitted(WallWords::Place, block.title, font, words.width()));
  }
  for (const WallItem& item : flow.items) {
    if (!item.frame.intersects(visible)) continue;
    const auto at = static_cast<std::size_t>(item.matrix);
    const GrownCells& cells = matrices_[at];
    painter.setRenderHint(QPainter::Antialiasing);
    paintWords(painter, cells, words_, item.words, look);
    const GrowthPlaces places = GrowthPlaces::of(cells, item.origin, flow.pitch, unit, look.moment);
    const CellColors& colors = colors_of(at);
    paintGrowthCells(painter, cells, colors, places, look);
    paintGrowthMarks(painter, cells, colors, places, look);
    paintGhost(painter, cells, places, look);
  }
}

QSizeF GrowthWall::figureSize() const { return figureSizeIn(0.0); }

QSizeF GrowthWall::figureSizeIn(double width) const {
  return pageFlow(width).size.expandedTo({1, 1});
}

WallFlow GrowthWall::pageFlow(double width) const {
  const double unit = style_.scale();
  return WallFlow::of(matrices_, shown_, std::max(width, kPageWidth * unit), kPageHeight * unit,
                      pitchOnScreen(), words_, unit);
}

void GrowthWall::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const WallFlow flow = pageFlow(area.width());
  const ColorTable table(scale(), palette);
  CellColors colors;
  const auto colors_of = [&](std::size_t matrix) -> const CellColors& {
    return colors = CellColors(matrices_[matrix], table, palette);
  };
  painter.save();
  painter.translate(area.topLeft());
  paintItems(painter, flow, colors_of,
             {style_, palette, scale(), GrowthMoment::at(progress_), true},
             QRectF(QPointF(), flow.size));
  painter.restore();
}

void GrowthWall::paintEvent(QPaintEvent*) {
  const Palette& palette = style_.palette();
  const double ratio = viewport()->devicePixelRatioF();
  if (picture_.isNull() || picture_.devicePixelRatio() != ratio) {
    picture_ = QPixmap((QSizeF(viewport()->size()) * ratio).toSize());
    picture_.setDevicePixelRatio(ratio);
    picture_.fill(Qt::transparent);
    QPainter own(&picture_);
    own.translate(offset());
    const auto colors_of = [this](std::size_t matrix) -> const CellColors& {
      return colorsOf(matrix);
    };
    paintItems(own, flow_, colors_of,
               {style_, palette, scale(), GrowthMoment::at(progress_), false},
               QRectF(-offset(), QSizeF(viewport()->size())));
  }
  QPainter painter(viewport());
  painter.drawPixmap(0, 0, picture_);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  const double unit = style_.scale();
  const auto frame = [&](int matrix, const QColor& color, double width) {
    const QRectF place = matrixRect(matrix);
    if (place.isEmpty()) return;
    painter.setPen(QPen(color, width * unit));
    painter.drawRoundedRect(place, 8 * unit, 8 * unit);
  };
  if (hovered_ != selection_) frame(hovered_, palette.muted, 1.2);
  frame(selection_, palette.mark, 2.5);
  if (const auto matrix = standing()) {
    edges_.paint(painter, palette, *matrix);
    painter.setBrush(Qt::NoBrush);
  }
  if (hasFocus() && selection_ < 0 && !flow_.items.empty()) {
    painter.setPen(QPen(palette.accent, 1.5 * unit));
    painter.drawRoundedRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1), 6, 6);
  }
}

DataTable GrowthWall::figureData() const {
  DataTable table;
  table.columns = {QStringLiteral("name"),
                   QStringLiteral("rows_before"),
                   QStringLiteral("columns_before"),
                   QStringLiteral("rows_after"),
                   QStringLiteral("columns_after"),
                   QStringLiteral("parameters_before"),
                   QStringLiteral("parameters_after")};
  for (const int index : shown_) {
    const GrownCells& cells = matrices_[static_cast<std::size_t>(index)];
    const auto number = [](std::int64_t value) { return QString::number(value); };
    const GrownAxis &rows = cells.rowAxis(), &cols = cells.colAxis();
    table.rows.push_back({cells.name(), number(rows.before), number(cols.before),
                          number(rows.after), number(cols.after),
                          number(std::int64_t{rows.before} * cols.before),
                          number(std::int64_t{rows.after} * cols.after)});
  }
  return table;
}

}  // namespace tfm::ui
