// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/share_bars.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kLine = 16;  // of one side in a group
constexpr double kBar = 8;
constexpr double kGap = 8;
constexpr double kInset = 4;
constexpr double kMaxLabel = 0.4;  // of the width

QString countText(const SideCounts& side, std::size_t group) {
  return QLocale().toString(qlonglong(side.counts[group]));
}

}  // namespace

ShareBars::ShareBars(const Style& style, QWidget* parent) : FigureWidget(style, parent) {}

void ShareBars::setGroups(QStringList groups, std::vector<SideCounts> sides) {
  for (const SideCounts& side : sides)
    check(side.counts.size() == static_cast<std::size_t>(groups.size()), "one count a group");
  groups_ = std::move(groups);
  sides_ = std::move(sides);
  contentChanged();
}

double ShareBars::groupHeight() const { return static_cast<double>(sides_.size()) * kLine + kGap; }

QSizeF ShareBars::figureSize() const {
  return {320, kSideLegendHeight + static_cast<double>(groups_.size()) * groupHeight()};
}

QSize ShareBars::minimumSizeHint() const { return {style_.px(200), sizeHint().height()}; }

void ShareBars::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const QRectF inside = area.adjusted(kInset, 0, -kInset, 0);
  paintSideLegend(painter, inside, sides_, palette);
  const QFont label_font = Style::textFace(12);
  const QFont number_font = Style::numberFace(11);
  const QFontMetricsF labels(label_font);
  const QFontMetricsF numbers(number_font);
  double label_width = 0;
  double count_width = 0;
  const double share_width = numbers.horizontalAdvance(percentText(1));
  for (std::size_t i = 0; i < static_cast<std::size_t>(groups_.size()); ++i) {
    label_width = std::max(label_width, labels.horizontalAdvance(groups_[qsizetype(i)]));
    for (const SideCounts& side : sides_)
      count_width = std::max(count_width, numbers.horizontalAdvance(countText(side, i)));
  }
  label_width = std::min(label_width + 1, inside.width() * kMaxLabel);
  const double share_left = inside.right() - share_width;
  const double count_left = share_left - kGap - count_width;
  const double bar_left = inside.left() + label_width + kGap;
  const double full = std::max(count_left - kGap - bar_left, 0.0);
  const double largest = largestShare(sides_);

  for (int item = 0; item < itemCount(); ++item) {
    const auto group = static_cast<std::size_t>(item);
    const QRectF box = itemArea(item, area);
    painter.setFont(label_font);
    painter.setPen(palette.text);
    painter.drawText(QRectF(inside.left(), box.top(), label_width, box.height()), Qt::AlignVCenter,
                     labels.elidedText(groups_[item], Qt::ElideRight, label_width));
    painter.setFont(number_font);
    double y = box.top() + (box.height() - static_cast<double>(sides_.size()) * kLine) / 2;
    for (std::size_t i = 0; i < sides_.size(); ++i, y += kLine) {
      const SideCounts& side = sides_[i];
      painter.setPen(palette.text);
      painter.drawText(QRectF(count_left - 1, y, count_width + 1, kLine),
                       Qt::AlignVCenter | Qt::AlignRight, countText(side, group));
      painter.setPen(palette.muted);
      painter.drawText(QRectF(share_left - 1, y, share_width + 1, kLine),
                       Qt::AlignVCenter | Qt::AlignRight, percentText(side.share(group)));
      if (side.counts[group] == 0) continue;
      // A bar too short to see would look like none.
      const double length = std::max(full * side.share(group) / largest, 1.5);
      painter.fillRect(QRectF(bar_left, y + (kLine - kBar) / 2, length, kBar),
                       sideColor(palette, i));
    }
  }
}

DataTable ShareBars::figureData() const { return sideTable(tr("group"), groups_, sides_); }

QRectF ShareBars::itemArea(int item, const QRectF& area) const {
  return {area.left(), area.top() + kSideLegendHeight + item * groupHeight() + 1, area.width(),
          groupHeight() - 2};
}

QString ShareBars::itemText(int item) const {
  return tr("%1: %2").arg(groups_[item], countsText(sides_, static_cast<std::size_t>(item)));
}

}  // namespace tfm::ui
