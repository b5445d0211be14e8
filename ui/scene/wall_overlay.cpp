// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/wall_overlay.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "ui/growth/growth_painter.h"
#include "ui/scene/scale_bar.h"
#include "ui/scene/wall_framing.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kChipOpacity = 0.82;
constexpr double kNamedRow = 8.5;   // pixels a row needs to have its name beside it
constexpr double kNumberCell = 40;  // pixels a cell needs to show its number

/// "35×8"; "64×128÷4" in four blocks
QString shapeText(const MatrixSlab& slab) {
  const QString full = QStringLiteral("%1×%2").arg(slab.rows).arg(slab.fullCols());
  return slab.groups == 1 ? full : QStringLiteral("%1÷%2").arg(full).arg(slab.groups);
}

/// "35 head × key"
QString sizedAxis(int size, const QString& axis) {
  return QStringLiteral("%1 %2").arg(size).arg(axis).trimmed();
}

/// Keeps labels apart: first come, first served.
class LabelPlacer {
 public:
  explicit LabelPlacer(const QRectF& view) : view_(view) {}

  /// Takes `box` if it is inside the view and overlaps nothing taken before.
  bool place(const QRectF& box) {
    const auto meets = [&](const QRectF& other) { return other.intersects(box); };
    if (!view_.contains(box) || std::ranges::any_of(taken_, meets)) return false;
    take(box);
    return true;
  }
  /// Takes `box` unconditionally.
  void take(const QRectF& box) { taken_.push_back(box); }

 private:
  QRectF view_;
  std::vector<QRectF> taken_;
};

class Overlay {
 public:
  Overlay(QPainter& painter, const WallPicture& picture)
      : p_(picture), painter_(painter), placer_(QRectF(QPointF(), picture.size)) {
    for (const SlabPlace& at : p_.layout.slabs)
      outlines_.push_back(outline(at, 0, 0, float(at.rows), float(at.fullCols())));
  }

  void paint() {
    painter_.setRenderHint(QPainter::Antialiasing);
    const int margin = p_.style.px(16);
    for (const GroupPlace& box : p_.layout.groups) paintBox(box);
    paintArrows();
    placer_.take(paintScaleBar(painter_, {p_.size.width() - margin, p_.size.height() - margin},
                               p_.scale, p_.inside_share, p_.palette, p_.style));
    paintLegend(margin);
    paintHeadBorders();
    paintGhosts(painter_, p_.ghosts, p_.camera, p_.size, p_.palette, p_.style);
    const auto outline_of = [this](const FreshBlock& b) {
      return outline(place(b.slab), float(b.row), float(b.col), float(b.rows), float(b.cols));
    };
    paintFresh(painter_, p_.fresh, outline_of, p_.palette, p_.style);
    for (const SlabFrame& frame : p_.frames) paintFrame(frame);
    for (int i = 0; i < int(p_.slabs.size()); ++i)
      if (const double width = paintRowNames(i); width > 0.0) named_rows_[i] = width;
    if (p_.focused) {
      paintNumbers(*p_.focused);
      paintFocus(*p_.focused);
    }
    if (p_.hovered) paintCell(*p_.hovered, p_.palette.text, 1.5);
    if (p_.picked) paintCell(*p_.picked, p_.palette.mark, 3);
    paintNames();
  }

 private:
  const SlabPlace& place(int slab) const { return p_.layout.slabs[std::size_t(slab)]; }
  const MatrixSlab& slab(int index) const { return p_.slabs[std::size_t(index)]; }
  /// Nothing if the point is behind the eye.
  std::optional<QPointF> seen(const QVector3D& point) const {
    return p_.camera.project(point, p_.size);
  }
  /// The outline of a block of cells; empty if it is partly behind the eye.
  QPolygonF outline(const SlabPlace& at, float row, float col, float rows, float cols) const {
    QPolygonF result;
    for (const QVector3D& point : {at.point(row, col), at.point(row, col + cols),
                                   at.point(row + rows, col + cols), at.point(row + rows, col)}) {
      const auto position = seen(point);
      if (!position) return {};
      result << *position;
    }
    return result;
  }
  QPolygonF cellOutline(const SlabPlace& at, int row, int col) const {
    return outline(at, float(row), float(at.firstCol(row) + col), 1, 1);
  }
  /// Of a whole slab.
  const QPolygonF& outline(int index) const { return outlines_[std::size_t(index)]; }
  /// Whether `box` covers a slab other than its own and its vectors.
  bool coversAnother(int index, const QRectF& box) const {
    for (int other = 0; other < int(outlines_.size()); ++other) {
      const bool own = index >= 0 && (other == index || place(other).attached_to == index);
      if (!own && outline(other).boundingRect().intersects(box) &&
          outline(other).intersects(QPolygonF(box)))
        return true;
    }
    return false;
  }
  /// The smaller side of a slab.
  double thickness(int index) const {
    const QRectF box = outline(index).boundingRect();
    return std::min(box.width(), box.height());
  }

  struct AxisName {
    QString text;
    QPointF tip;  ///< of its brace
    Qt::Alignment side;
  };

  /// Lines between the heads of each slab, as on the Grow screen.
  void paintHeadBorders() {
    const auto line = [&](const SlabPlace& at, int row, int col, int rows, int cols) {
      const auto from = seen(at.point(float(row), float(col)));
      const auto to = seen(at.point(float(row + rows), float(col + cols)));
      if (from && to) painter_.drawLine(*from, *to);
    };
    QColor color = p_.palette.text;
    color.setAlphaF(0.6F);  // the numbers beside it come first
    painter_.setPen(QPen(color, p_.style.px(1), Qt::SolidLine, Qt::FlatCap));
    for (std::size_t i = 0; i < p_.slabs.size(); ++i) {
      const MatrixSlab& slab = p_.slabs[i];
      const SlabPlace& at = p_.layout.slabs[i];
      for (int row = slab.row_stripe; row > 0 && row < at.rows; row += slab.row_stripe)
        line(at, row, 0, 0, at.cols);
      for (int col = slab.col_stripe; col > 0 && col < at.cols; col += slab.col_stripe)
        line(at, 0, col, at.rows, 0);
    }
  }

  void paintLegend(int margin) {
    if (p_.marks.empty()) return;
    const double width = p_.size.width() - p_.style.px(200) - 3 * margin;
    placer_.take(paintMarkLegend(painter_, QPointF(margin, p_.size.height() - margin), width,
                                 p_.marks, p_.palette, p_.style));
  }

  /// Some background behind text, so that it is legible over slabs.
  void paintChip(const QRectF& box) {
    QColor ground = p_.palette.ground;
    ground.setAlphaF(kChipOpacity);
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(ground);
    painter_.drawRoundedRect(box, p_.style.px(4), p_.style.px(4));
    painter_.setBrush(Qt::NoBrush);
  }

  void paintCell(const CellRef& cell, const QColor& colour, double line) {
    const QPolygonF frame = cellOutline(place(cell.slab), cell.row, cell.col);
    if (frame.isEmpty()) return;
    const double width = p_.style.px(line);
    // A cell smaller than the frame's line still gets a visible frame.
    QRectF box = frame.boundingRect();
    const double least = 3 * width;
    painter_.setPen(QPen(colour, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter_.setBrush(Qt::NoBrush);
    if (box.width() >= least && box.height() >= least) {
      painter_.drawPolygon(frame);
      return;
    }
    const QPointF centre = box.center();
    box.setSize(box.size().expandedTo({least, least}));
    box.moveCenter(centre);
    painter_.drawRect(box);
  }

  /// Whether a frame of the slab leaves rows out.
  bool takesRows(int slab) const {
    return std::ranges::any_of(p_.frames, [&](const SlabFrame& frame) {
      return frame.slab == slab && frame.rows < place(slab).rows;
    });
  }

  /// A block of first rows or columns, named at the end of its inner edge.
  void paintFrame(const SlabFrame& frame) {
    const SlabPlace& at = place(frame.slab);
    const QPolygonF block =
        outline(at, float(frame.row), float(frame.col), float(frame.rows), float(frame.cols));
    if (block.isEmpty()) return;
    painter_.setPen(
        QPen(p_.palette.text, p_.style.px(1.25), Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter_.setBrush(Qt::NoBrush);
    painter_.drawPolygon(block);
    const QFont font = p_.style.textFont(12, QFont::DemiBold);
    const QFontMetricsF metrics(font);
    QRectF box(0, 0, metrics.horizontalAdvance(frame.name) + p_.style.px(2), metrics.height());
    if (frame.cols == at.cols && takesRows(frame.slab)) {
      const double beside = box.width() / 2 + p_.style.px(4);
      box.moveCenter(block[3] - QPointF(beside, box.height() / 2));
      if (coversAnother(frame.slab, box))
        box.moveCenter(block[2] + QPointF(beside, -box.height() / 2));
    } else {
      box.moveCenter(block[1] - QPointF(0, box.height() / 2 + p_.style.px(1)));
    }
    if (!placer_.place(box)) return;
    painter_.setFont(font);
    painter_.drawText(box, Qt::AlignCenter, frame.name);
  }

  void paintNumbers(int index) {
    const SlabPlace& at = place(index);
    const QPolygonF& all = outline(index);
    if (all.isEmpty()) return;
    const QRectF view(QPointF(), p_.size);
    painter_.setFont(p_.style.numberFont(10.5));
    const QRectF bounds = all.boundingRect();
    if (bounds.width() / at.fullCols() < p_.style.px(kNumberCell) ||
        bounds.height() / at.rows < p_.style.px(kNumberCell) / 2)
      return;
    for (int row = 0; row < at.rows; ++row) {
      for (int col = 0; col < at.cols; ++col) {
        const QRectF cell = cellOutline(at, row, col).boundingRect();
        if (!view.intersects(cell)) continue;
        const float value = slab(index).value(row, col);
        painter_.setPen(readableOn(signedColor(p_.palette, value, p_.scale.high)));
        painter_.drawText(cell, Qt::AlignCenter, QString::number(value, 'f', 2));
      }
    }
  }

  /// Draws the axis name at the tip of its brace, unless that covers text or another slab.
  void paintAxisName(const AxisName& name) {
    const QFont font = p_.style.textFont(12, QFont::Medium);
    const QSizeF size = QFontMetricsF(font).size(Qt::TextSingleLine, name.text) +
                        QSizeF(p_.style.px(8), p_.style.px(2));
    QRectF box(QPointF(), size);
    box.moveCenter(name.tip);
    if (name.side & Qt::AlignLeft) box.moveRight(name.tip.x());
    if (name.side & Qt::AlignTop) box.moveBottom(name.tip.y());
    if (coversAnother(*p_.focused, box) || !placer_.place(box)) return;
    paintChip(box);
    painter_.setFont(font);
    painter_.setPen(p_.palette.text);
    painter_.drawText(box, Qt::AlignCenter, name.text);
  }

  /// Draws the brace of an axis; its name is drawn after the captions.
  void paintAxis(const QPointF& from, const QPointF& to, const QString& name, Qt::Alignment side) {
    const QPointF tip =
        paintBracket(painter_, {from, to}, {}, p_.palette.text, p_.palette, p_.style.scale());
    placer_.take(QPolygonF{{from, to, tip}}.boundingRect());
    axis_names_.push_back({name, tip, side});
  }

  /// The tokens of rows, left of them, where they are high enough. Returns how far they reach.
  double paintRowNames(int index) {
    const MatrixSlab& matrix = slab(index);
    const SlabPlace& at = place(index);
    const QPolygonF& frame = outline(index);
    if (matrix.row_names.empty() || frame.isEmpty()) return 0.0;
    const double high = QLineF(frame[0], frame[3]).length() / at.rows;
    if (high < p_.style.px(kNamedRow)) return 0.0;
    const QFont font = p_.style.numberFont(std::min(11.0, high / p_.style.scale()));
    const QFontMetricsF metrics(font);
    double width = 0.0;
    for (const QString& name : matrix.row_names)
      width = std::max(width, metrics.horizontalAdvance(name));
    width += p_.style.px(6);
    QRectF column = QPolygonF{{frame[0], frame[3]}}.boundingRect();
    column.setLeft(column.left() - width);
    if (coversAnother(index, column)) return 0.0;
    placer_.take(column);
    painter_.setFont(font);
    painter_.setPen(p_.palette.muted);
    for (int row = 0; row < at.rows; ++row) {
      const auto end = seen(at.point(float(row) + 0.5F, 0));
      if (!end) continue;
      painter_.drawText(QRectF(end->x() - width, end->y() - high, width - p_.style.px(4), 2 * high),
                        Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
                        matrix.row_names[std::size_t(row)]);
    }
    return width;
  }

  void paintFocus(int index) {
    const QPolygonF& frame = outline(index);
    if (frame.isEmpty()) return;
    painter_.setPen(QPen(p_.palette.mark, p_.style.px(1.5)));
    painter_.setBrush(Qt::NoBrush);
    painter_.drawPolygon(frame);
    const MatrixSlab& matrix = slab(index);
    const QPointF beside(named_rows_.contains(index) ? named_rows_.at(index) : 0.0, 0.0);
    if (matrix.rows > 1)
      paintAxis(frame[3] - beside, frame[0] - beside, sizedAxis(matrix.rows, matrix.row_axis),
                Qt::AlignLeft);
    if (matrix.fullCols() > 1)
      paintAxis(frame[0], frame[1], sizedAxis(matrix.fullCols(), matrix.col_axis), Qt::AlignTop);
    if (const QRectF box = paintName(index); !box.isEmpty()) named_.emplace_back(index, box);
  }

  /// A point of a box, from its upper left corner.
  QVector3D inBox(const GroupPlace& box, float right, float down) const {
    return box.corner + QVector3D(right * box.width, -down * box.height, 0);
  }

  void paintBox(const GroupPlace& box) {
    QPolygonF frame;
    for (const auto& [right, down] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}}) {
      const auto corner = seen(inBox(box, float(right), float(down)));
      if (!corner) return;
      frame << *corner;
    }
    painter_.setPen(QPen(p_.palette.line, p_.style.px(1)));
    painter_.setBrush(Qt::NoBrush);
    painter_.drawPolygon(frame);
    boxes_.push_back(frame.boundingRect());
  }
  /// Whether the edge of a box runs through a text.
  bool crossesBox(const QRectF& text) const {
    return std::ranges::any_of(
        boxes_, [&](const QRectF& box) { return box.intersects(text) && !box.contains(text); });
  }

  /// In the strip at the top of the box.
  void paintCaption(const GroupPlace& group) {
    const auto left = seen(group.corner), right = seen(inBox(group, 1, 0));
    if (!left || !right || group.title.isEmpty()) return;
    const QFont font = p_.style.labelFont();
    const QFontMetricsF metrics(font);
    const double inset = p_.style.px(7);
    const double room = std::max(1.0, right->x() - left->x() - 2 * inset);
    const double slope = (right->y() - left->y()) / (right->x() - left->x());
    // At the right where a matrix below it has an axis name, which stands above its left end.
    // Rather the name of a layer alone than a part of it.
    const bool named = p_.focused && slab(*p_.focused).group == group.title;
    const QString layer = group.title.section(':', 0, 0);
    for (const QString& words : {group.title, layer})
      for (const bool at_right : {named, !named}) {
        const QString text = metrics.elidedText(words, Qt::ElideRight, room);
        if (!text.startsWith(layer) && words != layer) continue;
        const QSizeF size = metrics.size(Qt::TextSingleLine, text);
        const double by = at_right ? room - size.width() : 0.0;
        // Where the box's upper edge falls to the right, below that.
        const QRectF box(
            left->x() + inset + by,
            left->y() + p_.style.px(4) + slope * by + std::max(0.0, slope * size.width()),
            size.width(), size.height());
        if (!placer_.place(box)) continue;
        painter_.setFont(font);
        painter_.setPen(p_.palette.muted);
        painter_.drawText(box, Qt::AlignLeft | Qt::AlignBottom | Qt::TextDontClip, text);
        return;
      }
  }

  /// Along the data: between neighbouring boxes, and from the end of the encoder, through the lane
  /// beside the rows and the gap above a row, into what reads its states.
  void paintArrows() {
    const auto& boxes = p_.layout.groups;
    const auto draw = [&](std::initializer_list<QVector3D> points) {
      QPolygonF way;
      for (const QVector3D& point : points)
        if (const auto at = seen(point)) way << *at;
      if (way.size() != qsizetype(points.size())) return;
      painter_.setPen(QPen(p_.palette.muted, p_.style.px(1.25)));
      paintPlanArrow(painter_, way, p_.style.scale());
    };
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const GroupPlace& box = boxes[i];
      if (box.leads && i + 1 < boxes.size() && boxes[i + 1].corner.y() == box.corner.y())
        draw({inBox(box, 1, 0.5F), inBox(boxes[i + 1], 0, 0.5F)});
      if (!box.memory) continue;
      const QVector3D from = inBox(boxes[*box.memory], 1, 0.5F);
      const QVector3D above = inBox(box, 0.5F, 0) + QVector3D(0, p_.layout.row_gap / 2, 0);
      draw({from,
            {p_.layout.lane, from.y(), from.z()},
            {p_.layout.lane, above.y(), above.z()},
            above,
            inBox(box, 0.5F, 0)});
    }
  }

  /// Names have priority over captions, captions over shapes; names of large matrices come first.
  void paintNames() {
    std::vector<int> order(p_.slabs.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [this](int a, int b) {
      const auto rank = [this](int index) {
        const SlabPlace& at = place(index);
        return std::pair(slab(index).isVector() ? 1 : 0, -at.width * at.height);
      };
      return rank(a) < rank(b);
    });
    for (const int index : order) {
      if (index == p_.focused) continue;
      if (const QRectF box = paintName(index); !box.isEmpty()) named_.emplace_back(index, box);
    }
    for (const GroupPlace& group : p_.layout.groups) paintCaption(group);
    for (const AxisName& name : axis_names_) paintAxisName(name);
    for (const auto& [index, box] : named_) paintShape(index, box);
  }

  /// Returns the box of the name; empty if there was no room.
  QRectF paintName(int index) {
    const bool focused = index == p_.focused;
    if (!focused && place(index).attached_to >= 0 && thickness(index) < p_.style.px(16)) return {};
    const auto anchor = seen(place(index).label);
    if (!anchor) return {};
    const MatrixSlab& matrix = slab(index);
    const QString name = matrix.label.isEmpty() ? matrix.name : matrix.label;
    QRectF box =
        labelBox(p_.style.textFont(12, QFont::Medium), name, *anchor + QPointF(0, p_.style.px(4)));
    if (focused)
      placer_.take(box);
    else if (!placer_.place(box) && !(matrix.isVector() && placeBeside(index, box)))
      return {};
    paintChip(box);
    painter_.setFont(p_.style.textFont(12, QFont::Medium));
    painter_.setPen(focused ? p_.palette.mark : p_.palette.text);
    painter_.drawText(box, Qt::AlignCenter, name);
    return box;
  }

  /// If another name is below a vector, its own starts at its edge or is above it.
  bool placeBeside(int index, QRectF& box) {
    const QRectF own = outline(index).boundingRect();
    QRectF from_edge = box, above = box;
    from_edge.moveLeft(own.left());
    above.moveBottom(own.top() - p_.style.px(2));
    for (const QRectF& other : {from_edge, above}) {
      if (coversAnother(index, other) || !placer_.place(other)) continue;
      box = other;
      return true;
    }
    return false;
  }

  void paintShape(int index, const QRectF& name) {
    const QString after = shapeAfter(index);
    if (after.isEmpty() && index != p_.focused && !showsShapes(p_.style, p_.slabs.size())) return;
    if (!paintShape(index, name, shapeText(slab(index)) + after))
      paintShape(index, name, after.trimmed());
  }

  /// Below the name, else beside it. Returns whether there was room.
  bool paintShape(int index, const QRectF& name, const QString& shape) {
    if (shape.isEmpty()) return false;
    const QFont font = p_.style.numberFont(10.5);
    // The little space keeps the boxes from touching.
    QRectF box = labelBox(font, shape, {name.center().x(), name.bottom() + 0.1});
    const auto takes = [&] {
      return !coversAnother(index, box) && !crossesBox(box) && placer_.place(box);
    };
    if (!takes()) {
      box.moveTo(name.right() + 0.1, name.center().y() - box.height() / 2);
      if (!takes()) return false;
    }
    paintChip(box);
    painter_.setFont(font);
    painter_.setPen(p_.palette.muted);
    painter_.drawText(box, Qt::AlignCenter, shape);
    return true;
  }

  /// " → 49×8" for a slab that will grow.
  QString shapeAfter(int index) const {
    for (const Ghost& ghost : p_.ghosts) {
      if (ghost.before != index) continue;
      const MatrixSlab& grown = p_.grown[std::size_t(ghost.after)];
      return QStringLiteral(" %1 %2").arg(QChar(0x2192)).arg(shapeText(grown));
    }
    return {};
  }

  /// A box for one line of text with its top centre at `top`.
  QRectF labelBox(const QFont& font, const QString& text, const QPointF& top) const {
    const QFontMetricsF metrics(font);
    const double width = metrics.horizontalAdvance(text) + p_.style.px(6);
    return {top.x() - width / 2, top.y(), width, metrics.height()};
  }

  const WallPicture& p_;
  QPainter& painter_;
  LabelPlacer placer_;
  std::vector<QPolygonF> outlines_;            ///< of the slabs
  std::vector<QRectF> boxes_;                  ///< around the blocks
  std::vector<AxisName> axis_names_;           ///< of the focused slab
  std::map<int, double> named_rows_;           ///< slabs, and the width of their rows' names
  std::vector<std::pair<int, QRectF>> named_;  ///< slabs and the boxes of their names
};

}  // namespace

void paintWallOverlay(QPainter& painter, const WallPicture& picture) {
  painter.save();
  Overlay(painter, picture).paint();
  painter.restore();
}

}  // namespace tfm::ui
