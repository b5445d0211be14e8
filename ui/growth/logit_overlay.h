// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/widgets/figure_widget.h"

namespace tfm::ui {

/// One logit before and after a growth.
struct LogitPair {
  QString token;
  double before = 0.0;
  double after = 0.0;
};

/// The logits of one position before (solid bars) and after (outlines), and below them the
/// difference on a much finer axis of its own, which tells rounding from a broken growth. For large
/// vocabularies only the largest logits and differences are shown.
class LogitOverlay : public FigureWidget {
  Q_OBJECT

 public:
  explicit LogitOverlay(const Style& style, QWidget* parent = nullptr);

  /// `tolerance`: larger differences are drawn as errors.
  void setLogits(std::vector<LogitPair> logits, double tolerance);
  /// The largest absolute difference of all logits; NaN if any is NaN.
  double largestDifference() const { return largest_; }
  /// "× 10⁻⁷": the unit of the lower axis; empty if plain numbers suffice.
  QString magnifiedBy() const;

  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// All logits: token, before, after, difference.
  DataTable figureData() const override;

 protected:
  int itemCount() const override { return static_cast<int>(shown_.size()); }
  QRectF itemArea(int item, const QRectF& area) const override;
  QString itemText(int item) const override;

 private:
  struct Axes;
  Axes axesIn(const QRectF& area) const;
  void paintLogits(QPainter& painter, const Axes& axes, const Palette& palette) const;
  void paintDifferences(QPainter& painter, const Axes& axes, const Palette& palette) const;
  void paintTokens(QPainter& painter, const Axes& axes, const Palette& palette) const;
  const LogitPair& pair(int item) const;

  std::vector<LogitPair> logits_;
  std::vector<int> shown_;  ///< indices into logits_, ascending
  double tolerance_ = 0.0;
  double largest_ = 0.0;
};

}  // namespace tfm::ui
