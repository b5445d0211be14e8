// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/figure_caption.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <set>

#include "ui/elastic/score_columns.h"
#include "ui/figure/number_text.h"
#include "ui/style/palette.h"

namespace tfm::ui {
namespace {

struct CaptionText {
  Q_DECLARE_TR_FUNCTIONS(FigureCaption)
};

constexpr double kGap = 6;  // above the caption, at scale 1

}  // namespace

void FigureCaption::count(std::int64_t examples) {
  least_examples = max_examples == 0 ? examples : std::min(least_examples, examples);
  max_examples = std::max(max_examples, examples);
}

QString FigureCaption::text() const {
  QStringList parts;
  if (!task.isEmpty()) parts << task;
  if (steps > 0) parts << CaptionText::tr("%1 steps").arg(stepNumber(double(steps)));
  if (!seeds.empty()) parts << seedsText(seeds);
  if (max_examples > 0) {
    const QString most = stepNumber(double(max_examples));
    const QString count =
        least_examples == max_examples
            ? most
            : CaptionText::tr("%1 to %2").arg(stepNumber(double(least_examples)), most);
    parts << (held_out ? CaptionText::tr("%1 held-out examples").arg(count)
                       : CaptionText::tr("%1 training examples").arg(count));
  }
  if (!note.isEmpty()) parts << note;
  return parts.join(QStringLiteral(" · "));
}

FigureCaption captionOf(std::span<const ElasticMark> marks, const QString& task, std::int64_t steps,
                        bool held_out) {
  FigureCaption caption;
  caption.task = task;
  caption.held_out = held_out;
  caption.steps = steps;
  std::set<std::uint64_t> seeds;
  for (const ElasticMark& mark : marks) {
    seeds.insert(mark.seeds.begin(), mark.seeds.end());
    caption.count(mark.examples);
  }
  caption.seeds.assign(seeds.begin(), seeds.end());
  return caption;
}

QRectF paintCaption(QPainter& painter, const QRectF& area, const FigureCaption& caption,
                    const QFont& font, const Palette& palette) {
  const QString text = caption.text();
  if (text.isEmpty()) return area;
  const QRectF needed = QFontMetricsF(font).boundingRect(area, Qt::TextWordWrap, text);
  QRectF line = area;
  line.setTop(area.bottom() - needed.height() - 2);
  painter.setFont(font);
  painter.setPen(palette.muted);
  painter.drawText(line, Qt::TextWordWrap, text);
  return area.adjusted(0, 0, 0, line.top() - kGap - area.bottom());
}

}  // namespace tfm::ui
