// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/growth_legend.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ui/growth/growth_marks.h"
#include "ui/heatmap/legend.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

using expand::Entry;

constexpr std::array kEntries = {Entry::Copied, Entry::Scaled,  Entry::Adjusted, Entry::Zero,
                                 Entry::Free,   Entry::Derived, Entry::Padding};
constexpr double kHeight = 30.0;
constexpr double kSwatch = 18.0;
constexpr double kPad = 10.0;
constexpr double kLegendSpace = 8.0;
constexpr double kLegendFontSize = 12.0;
constexpr double kWidest = 900.0;

bool contains(const GrownCells& cells, Entry entry) {
  return std::any_of(cells.blocks().begin(), cells.blocks().end(),
                     [entry](const CellBlock& block) { return block.entry == entry; });
}

/// All factors of these matrices, or their range if there are many.
QString factorsOf(const std::vector<GrownCells>& matrices) {
  constexpr qsizetype kMaxListed = 3;
  QStringList texts;
  double least = std::numeric_limits<double>::max(), largest = 0.0;
  for (const GrownCells& cells : matrices) {
    if (cells.factorText().isEmpty()) continue;
    texts << cells.factorText();
    least = std::min(least, cells.factors().first);
    largest = std::max(largest, cells.factors().second);
  }
  texts.removeDuplicates();
  return texts.size() > kMaxListed ? factorText(least, largest) : texts.join(QStringLiteral(", "));
}

}  // namespace

std::vector<GrowthMark> growthMarks(const std::vector<GrownCells>& matrices) {
  std::vector<GrowthMark> marks;
  // If nothing changes, there is nothing to distinguish.
  const bool grows = std::ranges::any_of(matrices, &GrownCells::changes);
  for (const Entry entry : kEntries) {
    const bool occurs = std::any_of(matrices.begin(), matrices.end(),
                                    [entry](const auto& cells) { return contains(cells, entry); });
    if (!grows || !occurs) continue;
    const QString name = markName(entry);
    marks.push_back({entry, entry == Entry::Scaled ? name + ' ' + factorsOf(matrices) : name});
  }
  if (std::ranges::any_of(matrices, &GrownCells::isBroken))
    marks.push_back({Entry::Zero, GrowthLegend::tr("should be zero, is not"), true});
  if (std::ranges::any_of(matrices, &GrownCells::lacksFactor))
    marks.push_back({Entry::Copied, GrowthLegend::tr("should be rescaled, is not"), true});
  if (std::ranges::any_of(matrices, &GrownCells::hasUnpaired))
    marks.push_back({Entry::Copied, unpairedName(), false, true});
  return marks;
}

std::vector<QRectF> inRows(const std::vector<QSizeF>& parts, double width, const QSizeF& gap) {
  std::vector<QRectF> places;
  QPointF at(0, 0);
  double bottom = 0;  // of the row
  for (const QSizeF& part : parts) {
    if (at.x() > 0 && at.x() + part.width() > width) at = {0, bottom + gap.height()};
    places.emplace_back(at, part);
    bottom = std::max(places.back().bottom(), at.x() > 0 ? bottom : 0);
    at.rx() += part.width() + gap.width();
  }
  return places;
}

void paintMarkSwatch(QPainter& painter, const QRectF& swatch, const GrowthMark& mark,
                     const Palette& palette, double unit) {
  const QColor ground = mark.broken     ? signedColor(palette, -0.6, 1.0)
                        : mark.unpaired ? unpairedGround(palette)
                                        : swatchGround(mark.entry, palette);
  painter.setPen(Qt::NoPen);
  painter.setBrush(ground);
  painter.drawRoundedRect(swatch, 2.0 * unit, 2.0 * unit);
  paintMark(painter, swatch, mark.entry, ground, palette, unit);
  if (mark.broken) paintViolation(painter, swatch, ground, palette, unit);
}

GrowthLegend::GrowthLegend(const Style& style, QWidget* parent) : FigureWidget(style, parent) {
  setTitle(tr("What the marks mean"));
  QSizePolicy policy = sizePolicy();
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void GrowthLegend::setMatrices(const std::vector<GrownCells>& matrices) {
  marks_ = growthMarks(matrices);
  sizes_.clear();
  contentChanged();
}

void GrowthLegend::setScale(std::optional<ColorScale> scale) {
  if (scale == scale_) return;
  scale_ = scale;
  sizes_.clear();
  contentChanged();
}

QString GrowthLegend::wordsOf(int item) const {
  if (item < markCount()) return marks_[std::size_t(item)].words;
  return tr("%1 to %2")
      .arg(scale_->numberWithSign(scale_->low), scale_->numberWithSign(scale_->high));
}

QSizeF GrowthLegend::sizeOf(int item) const {
  if (item < markCount()) {
    const double words =
        QFontMetricsF(Style::textFace(kLegendFontSize)).horizontalAdvance(wordsOf(item));
    return {std::ceil(words) + kSwatch + 3 * kPad, kHeight};
  }
  return {
      std::ceil(horizontalLegendWidth(*scale_, Style::numberFace(kLegendFontSize), 1.0)) + 2 * kPad,
      kHeight};
}

const std::vector<QSizeF>& GrowthLegend::sizes() const {
  if (sizes_.empty())
    for (int i = 0; i < itemCount(); ++i) sizes_.push_back(sizeOf(i));
  return sizes_;
}

std::vector<QRectF> GrowthLegend::places(double width) const {
  return inRows(sizes(), width, {kLegendSpace, kLegendSpace});
}

QSizeF GrowthLegend::figureSize() const {
  QRectF whole(0, 0, 1, kHeight);
  for (const QRectF& place : places(kWidest)) whole |= place;
  return whole.size();
}

int GrowthLegend::heightForWidth(int width) const {
  const auto placed = places(width / style_.scale() - 2 * kFrame);
  const double height = placed.empty() ? kHeight : placed.back().bottom();
  return int(std::ceil((height + 2 * kFrame) * style_.scale()));
}

QRectF GrowthLegend::itemArea(int item, const QRectF& area) const {
  return places(area.width())[std::size_t(item)].translated(area.topLeft());
}

void GrowthLegend::paintFigure(QPainter& painter, const QRectF& area,
                               const Palette& palette) const {
  for (int i = 0; i < itemCount(); ++i) {
    const QRectF pill = itemArea(i, area);
    painter.setPen(QPen(palette.line, 1));
    painter.setBrush(palette.panel);
    painter.drawRoundedRect(pill, kHeight / 2, kHeight / 2);
    if (i < markCount()) {
      const GrowthMark& mark = marks_[std::size_t(i)];
      const double top = pill.center().y() - kSwatch / 2;
      paintMarkSwatch(painter, {pill.left() + kPad, top, kSwatch, kSwatch}, mark, palette, 1.0);
      painter.setFont(Style::textFace(kLegendFontSize));
      painter.setPen(palette.text);
      painter.drawText(pill.adjusted(kSwatch + 2 * kPad, 0, 0, 0), Qt::AlignVCenter, mark.words);
      continue;
    }
    painter.setFont(Style::numberFace(kLegendFontSize));
    painter.setPen(palette.text);
    paintHorizontalLegend(painter, pill.adjusted(kPad, 0, 0, 0), *scale_, 1.0, palette);
  }
}

DataTable GrowthLegend::figureData() const {
  DataTable table{{"mark", "meaning"}, {}};
  for (int i = 0; i < itemCount(); ++i) table.rows.push_back({wordsOf(i), itemText(i)});
  return table;
}

QString GrowthLegend::itemText(int item) const {
  if (item >= markCount())
    return tr("Colours: orange below zero, blue above. 99 % of the values are within %1")
        .arg(wordsOf(item));
  const GrowthMark& mark = marks_[std::size_t(item)];
  QString text = mark.broken ? mark.entry == Entry::Copied ? unscaledReason() : violationReason()
                 : mark.unpaired ? unpairedReason()
                                 : markReason(mark.entry);
  text.replace(0, 1, text.left(1).toUpper());
  return text;
}

}  // namespace tfm::ui
