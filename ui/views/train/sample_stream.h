// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "ui/widgets/figure_widget.h"
#include "ui/widgets/token_line.h"

namespace tfm::ui {

/// What the model answered at a step.
struct SampleLine {
  std::int64_t step = 0;
  QString question;
  std::vector<ShadedToken> answer;
  /// The right answer and whether the model gave it; none if there is no single right one.
  std::optional<QString> target;
  bool right = false;
};

/// A list of answers, newest on top: step, question, answer with each token on the colour of its
/// probability (cividis, 0 to 1), the right answer, and a check or cross.
class SampleStream : public FigureWidget {
  Q_OBJECT

 public:
  explicit SampleStream(const Style& style, QWidget* parent = nullptr);

  void add(SampleLine line);
  /// Removes answers after `step`.
  void rewindTo(std::int64_t step);
  void clear();
  /// Shows these answers of one moment, the first on top, instead of those added; nullopt: all
  /// again. Answers added meanwhile are kept.
  void showMoment(std::optional<std::deque<SampleLine>> lines);
  /// The shown lines, newest first.
  const std::deque<SampleLine>& lines() const { return moment_ ? *moment_ : lines_; }

  QSizeF figureSize() const override;
  QSize minimumSizeHint() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;

 protected:
  int itemCount() const override { return int(lines().size()); }
  QRectF itemArea(int item, const QRectF& area) const override;
  QString itemText(int item) const override;

 private:
  struct Columns;
  Columns columns(const QRectF& area) const;
  Columns columns(const QRectF& area, double gap, double padding) const;
  void paintHead(QPainter& painter, const Columns& columns, double top,
                 const Palette& palette) const;
  void paintLine(QPainter& painter, const SampleLine& line, const Columns& columns, double top,
                 const Palette& palette) const;

  std::deque<SampleLine> lines_;
  std::optional<std::deque<SampleLine>> moment_;
};

}  // namespace tfm::ui
