// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/sample_stream.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/data/tokenizer/special_tokens.h"
#include "ui/figure/number_text.h"
#include "ui/figure/token_text.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kRow = 25;
constexpr double kBox = 21;
constexpr double kHead = 20;
constexpr double kGap = 14, kPadding = 3;           // where there is room for whole words
constexpr double kTightGap = 9, kTightPadding = 1;  // where there is not
constexpr double kSign = 18;
constexpr double kAnswerShare = 0.6;  // of the room for texts
constexpr int kLongest = 16;          // characters of a question or target to make room for
constexpr std::size_t kKept = 200;
constexpr int kOnPaper = 12;  // lines

QFont face() { return Style::numberFace(13); }

QFont headFace() { return Style::textFace(11); }

/// The end of a long text, which the answer follows, or what comes before its first hidden token.
QString shortened(const QString& text, const QFontMetricsF& metrics, double width) {
  const QLatin1String token(data::kMaskToken.data(), qsizetype(data::kMaskToken.size()));
  const qsizetype mask = text.indexOf(token);
  const qsizetype end = mask < 0 ? text.size() : mask + token.size();
  const QString shown = end < text.size() ? text.left(end) + QStringLiteral("…") : text;
  return metrics.elidedText(visibleToken(shown), Qt::ElideLeft, width);
}

double widthOf(const SampleLine& line, const QFontMetricsF& metrics, double padding) {
  double width = 0;
  for (const ShadedToken& token : line.answer)
    width += metrics.horizontalAdvance(visibleToken(token.text)) + 2 * padding + 1;
  return width;
}

void paintSign(QPainter& painter, const QPointF& middle, bool right, const Palette& palette) {
  painter.setPen(QPen(right ? palette.good : palette.bad, 2, Qt::SolidLine, Qt::RoundCap));
  if (right) {
    const QPointF points[] = {middle + QPointF(-5, 0), middle + QPointF(-1.5, 4),
                              middle + QPointF(5, -4)};
    painter.drawPolyline(points, 3);
  } else {
    painter.drawLine(middle + QPointF(-3.5, -3.5), middle + QPointF(3.5, 3.5));
    painter.drawLine(middle + QPointF(-3.5, 3.5), middle + QPointF(3.5, -3.5));
  }
}

}  // namespace

/// Left edges and widths of the columns.
struct SampleStream::Columns {
  double left, step, question, question_width, answer, answer_width, target, target_width, sign;
  double padding;  ///< of a token
  bool whole;      ///< no text is cut
};

SampleStream::SampleStream(const Style& style, QWidget* parent) : FigureWidget(style, parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void SampleStream::add(SampleLine line) {
  lines_.push_front(std::move(line));
  if (lines_.size() > kKept) lines_.pop_back();
  if (moment_) return;
  setMarks(hoveredItem() < 0 ? -1 : hoveredItem() + 1, lockedItem() < 0 ? -1 : lockedItem() + 1);
  contentChanged();
}

void SampleStream::showMoment(std::optional<std::deque<SampleLine>> lines) {
  if (!lines && !moment_) return;
  moment_ = std::move(lines);
  contentChanged();
}

void SampleStream::rewindTo(std::int64_t step) {
  std::erase_if(lines_, [step](const SampleLine& line) { return line.step > step; });
  contentChanged();
}

void SampleStream::clear() {
  lines_.clear();
  moment_.reset();
  contentChanged();
}

QSizeF SampleStream::figureSize() const {
  return {640, kHead + kRow * std::clamp(itemCount(), 1, kOnPaper)};
}

QSize SampleStream::minimumSizeHint() const {
  return {style_.px(280), style_.px(kHead + 2 * kRow)};
}

SampleStream::Columns SampleStream::columns(const QRectF& area) const {
  if (const Columns c = columns(area, kGap, kPadding); c.whole) return c;
  return columns(area, kTightGap, kTightPadding);
}

SampleStream::Columns SampleStream::columns(const QRectF& area, double gap, double padding) const {
  const QFontMetricsF metrics(face());
  double question = 0, answer = 0, target = 0;
  for (const SampleLine& line : lines()) {
    question = std::max(question, metrics.horizontalAdvance(visibleToken(line.question)));
    answer = std::max(answer, widthOf(line, metrics, padding));
    if (line.target)
      target = std::max(target, metrics.horizontalAdvance(visibleToken(*line.target)));
  }
  const double most = kLongest * metrics.horizontalAdvance('m');
  Columns c{};
  c.padding = padding;
  c.left = area.left();
  c.step = metrics.horizontalAdvance(lines().empty() ? QString("0")
                                                     : stepNumber(double(lines().front().step)));
  c.step = std::max(c.step, metrics.horizontalAdvance("00000"));
  c.question = c.left + c.step + gap;
  const double sign = target > 0 ? kSign + gap : 0;
  const double room = area.right() - c.question - gap - (target > 0 ? gap : 0) - sign;
  // The answer has priority; question and target share the rest.
  const double rest = room - std::min(answer, kAnswerShare * room);
  question = std::min(question, most);
  target = std::min(target, most);
  c.target_width = std::min(target, std::max(rest / 2, rest - question));
  c.question_width = std::min(question, rest - c.target_width);
  c.whole = answer + question + target <= room;
  // Never narrower than their headings.
  const QFontMetricsF names(headFace());
  c.question_width = std::max(c.question_width, names.horizontalAdvance(tr("question")));
  if (target > 0)
    c.target_width = std::max(c.target_width, names.horizontalAdvance(tr("right answer")));
  c.answer = c.question + c.question_width + gap;
  answer = std::max(answer, names.horizontalAdvance(tr("answer")));
  c.answer_width = std::max(0.0, std::min(answer, room - c.question_width - c.target_width));
  c.target = c.answer + c.answer_width + gap;
  c.sign = c.target + c.target_width + gap;
  return c;
}

void SampleStream::paintFigure(QPainter& painter, const QRectF& area,
                               const Palette& palette) const {
  const Columns c = columns(area);
  paintHead(painter, c, area.top(), palette);
  for (int i = 0; i < itemCount(); ++i) {
    const QRectF line = itemArea(i, area);
    if (line.bottom() > area.bottom() + 1) break;
    paintLine(painter, lines()[std::size_t(i)], c, line.top(), palette);
  }
}

void SampleStream::paintHead(QPainter& painter, const Columns& c, double top,
                             const Palette& palette) const {
  painter.setFont(headFace());
  painter.setPen(palette.muted);
  const auto draw = [&](double left, double width, int align, const QString& text) {
    const double needed = QFontMetricsF(painter.font()).horizontalAdvance(text) + 2;
    const double wide = std::max(width, needed);
    const double from = (align & Qt::AlignRight) != 0 ? left + width - wide : left;
    painter.drawText(QRectF(from, top, wide, kHead), align | Qt::AlignVCenter, text);
  };
  draw(c.left, c.step, Qt::AlignRight, tr("step"));
  draw(c.question, c.question_width, Qt::AlignLeft, tr("question"));
  draw(c.answer, c.answer_width, Qt::AlignLeft, tr("answer"));
  if (c.target_width > 0) draw(c.target, c.target_width, Qt::AlignLeft, tr("right answer"));
}

void SampleStream::paintLine(QPainter& painter, const SampleLine& line, const Columns& c,
                             double top, const Palette& palette) const {
  const QFont font = face();
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  const auto word = [&](double left, double width, int align, const QString& text) {
    painter.drawText(QRectF(left, top, width + 1, kRow), align | Qt::AlignVCenter, text);
  };
  painter.setPen(palette.muted);
  word(c.left, c.step, Qt::AlignRight, stepNumber(double(line.step)));
  painter.setPen(palette.text);
  word(c.question, c.question_width, Qt::AlignLeft,
       shortened(line.question, metrics, c.question_width));

  double x = c.answer;
  const double end = c.answer + c.answer_width + 0.5;
  for (const ShadedToken& token : line.answer) {
    const QString text = visibleToken(token.text);
    if (std::isnan(token.probability)) {
      painter.setPen(palette.text);
      word(x, end - x, Qt::AlignLeft, metrics.elidedText(text, Qt::ElideRight, end - x));
      break;
    }
    const double width = metrics.horizontalAdvance(text) + 2 * c.padding;
    if (x + width > end) break;
    const QRectF box(x, top + (kRow - kBox) / 2, width, kBox);
    const QColor fill = cividis(token.probability);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(readableOn(fill));
    painter.drawText(box, Qt::AlignCenter, text);
    x += width + 1;
  }
  if (!line.target) return;
  painter.setPen(palette.muted);
  word(c.target, c.target_width, Qt::AlignLeft,
       metrics.elidedText(visibleToken(*line.target), Qt::ElideRight, c.target_width));
  paintSign(painter, QPointF(c.sign + kSign / 2, top + kRow / 2), line.right, palette);
}

DataTable SampleStream::figureData() const {
  DataTable table{{tr("step"), tr("question"), tr("answer"), tr("probabilities"),
                   tr("right answer"), tr("right")},
                  {}};
  for (const SampleLine& line : lines()) {
    QStringList probabilities;
    QString answer;
    for (const ShadedToken& token : line.answer) {
      answer += token.text;
      probabilities += fullPrecision(token.probability);
    }
    table.rows.push_back({QString::number(line.step), line.question, answer,
                          probabilities.join(' '), line.target.value_or(QString()),
                          line.target ? QString::number(int(line.right)) : QString()});
  }
  return table;
}

QRectF SampleStream::itemArea(int item, const QRectF& area) const {
  return {area.left(), area.top() + kHead + item * kRow, area.width(), kRow};
}

QString SampleStream::itemText(int item) const {
  const SampleLine& line = lines()[std::size_t(item)];
  QString answer;
  double least = 1;
  for (const ShadedToken& token : line.answer) {
    answer += token.text;
    least = std::min(least, token.probability);
  }
  const QString said =
      tr("Step %1: “%2” is answered “%3”, least probability %4")
          .arg(stepNumber(double(line.step)), line.question, answer, shortNumber(least));
  if (!line.target) return said;
  return line.right ? tr("%1. Right.").arg(said)
                    : tr("%1. Wrong: it should be “%2”.").arg(said, *line.target);
}

}  // namespace tfm::ui
