// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "ui/figure/figure.h"

namespace tfm::ui {

struct PlotLook;
class Style;

struct TokenProbability {
  QString token;
  double probability = 0;
};

/// The most probable next tokens as bars from 0 to 1, with the formula they come from above them.
/// Up and Down move between the bars, Return or a click chooses one.
class ProbabilityBars : public QWidget, public Figure {
  Q_OBJECT

 public:
  explicit ProbabilityBars(Style& style, QWidget* parent = nullptr);

  void setTitle(const QString& title);
  /// `formula` says how the numbers came about, e.g. "p = softmax(logits / 0.7)". May be empty.
  void setBars(std::vector<TokenProbability> bars, const QString& formula);
  /// The bar of the token that was drawn, in gold.
  void setChosen(std::optional<int> index);
  int currentBar() const { return current_; }

  QString figureTitle() const override { return title_; }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;
  QSize sizeHint() const override { return figureSize().toSize(); }
  QSize minimumSizeHint() const override;

 signals:
  void tokenActivated(int index);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  double rowHeight() const;
  double headHeight() const;
  QRectF row(int index, const QRectF& area) const;
  void paint(QPainter& painter, const QRectF& area, const PlotLook& look) const;
  void moveTo(int index);

  Style& style_;
  QString title_, formula_;
  std::vector<TokenProbability> bars_;
  std::optional<int> chosen_;
  int current_ = 0;
};

}  // namespace tfm::ui
