// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <vector>

#include "ui/plots/forward.h"
#include "ui/plots/point_plot.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// One logit before and after a growth.
struct LogitPair {
  QString token;
  double before = 0.0;
  double after = 0.0;

  double difference() const { return after - before; }
};

/// The logits of one position before (solid bars) and after (outlines), and below them the
/// difference on a separate, much finer axis, which distinguishes rounding from a broken growth.
/// For large vocabularies only the largest logits and differences are shown.
class LogitOverlay : public PointPlot {
  Q_OBJECT

 public:
  explicit LogitOverlay(Style& style, QWidget* parent = nullptr);

  /// `tolerance`: larger differences are drawn as errors.
  void setLogits(std::vector<LogitPair> logits, double tolerance);
  /// The title of the lower axes, with the largest difference.
  QString differenceText() const;

  QSizeF figureSize() const override;
  /// All logits: token, before, after, difference.
  DataTable figureData() const override;

 protected:
  int itemCount() const override { return int(shown_.size()); }
  QPointF placeOf(int point) const override;
  QString itemText(int point) const override;
  /// The point whose column contains `place`.
  int itemUnder(const QPointF& place) const override;
  void prepare(const PlotLook& look, const QSizeF& size) const override;

 private:
  const LogitPair& pair(int point) const {
    return logits_[std::size_t(shown_[std::size_t(point)])];
  }
  bool isWrong(const LogitPair& pair) const;
  /// Labels as many tokens as fit into slots of this width without overlapping.
  void nameTokens(const PlotLook& look, double slot) const;
  void paintWords(QPainter& painter) const;

  std::vector<LogitPair> logits_;
  std::vector<int> shown_;  ///< indices into logits_, ascending
  double tolerance_ = 0.0;
  double largest_ = 0.0;
  QCPAxisRect *upper_, *lower_;
  QCPBars* before_;
  std::array<QCPBars*, 2> after_, differences_;  ///< within the tolerance, and beyond it
};

}  // namespace tfm::ui
