// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/widgets/figure_widget.h"

namespace tfm::ui {

/// A piece of text and how sure the model was of it, in [0, 1].
struct ShadedToken {
  QString text;
  double probability = 0;
};

/// Text as its tokens, each on the colour of its probability (cividis, 0 to 1), with a legend
/// below. Spaces and line ends are shown as signs, so that every token is seen.
class TokenLine : public FigureWidget {
  Q_OBJECT

 public:
  explicit TokenLine(const Style& style, QWidget* parent = nullptr);

  void setTokens(std::vector<ShadedToken> tokens);

  QSizeF figureSize() const override;
  QSize minimumSizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;

 protected:
  int itemCount() const override { return static_cast<int>(tokens_.size()); }
  QRectF itemArea(int item, const QRectF& area) const override;
  QString itemText(int item) const override;

 private:
  /// Boxes relative to the area's corner for lines of at most `width`, computed once a width.
  const std::vector<QRectF>& boxes(double width) const;
  double textHeight(double width) const;

  std::vector<ShadedToken> tokens_;
  mutable std::vector<QRectF> boxes_;
  mutable double boxesWidth_ = -1;
};

}  // namespace tfm::ui
