// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QHash>
#include <vector>

#include "ui/widgets/figure_widget.h"

namespace tfm::ui {

/// A piece of text and the probability the model gave it; NaN: not written by the model.
struct ShadedToken {
  QString text;
  double probability = 0;
};

/// Text as its tokens, each on the colour of its probability (cividis, 0 to 1), with a legend
/// below. Lines wrap between words if possible.
class TokenLine : public FigureWidget {
  Q_OBJECT

 public:
  enum class Look {
    Boxes,   ///< tokens apart from each other, with visible spaces and line breaks
    Prose,   ///< a text to be read, in large letters
    Answer,  ///< the same in letters for the last row, for texts of a line
  };
  explicit TokenLine(const Style& style, Look look = Look::Boxes, QWidget* parent = nullptr);

  void setLook(Look look);
  void setTokens(std::vector<ShadedToken> tokens);
  const std::vector<ShadedToken>& tokens() const { return tokens_; }
  /// On screen; figures always have it.
  void setLegendShown(bool shown);

  QSizeF figureSize() const override;
  QSize minimumSizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  int itemCount() const override { return int(tokens_.size()); }
  QRectF itemArea(int item, const QRectF& area) const override;
  QString itemText(int item) const override;

 private:
  /// Boxes relative to the area's corner for lines of at most `width`, cached for one width.
  const std::vector<QRectF>& boxes(double width) const;
  double textHeight(double width) const;
  QString shown(const ShadedToken& token) const;
  double advance(const QString& text) const;

  Look look_;
  bool legend_ = true;
  QFont font_;
  std::vector<ShadedToken> tokens_;
  mutable QHash<QString, double> advances_;  ///< cached text widths
  QRectF exposed_;                           ///< the part to paint on screen; null: everything
  mutable std::vector<QRectF> boxes_;
  mutable double boxesWidth_ = -1;
};

}  // namespace tfm::ui
