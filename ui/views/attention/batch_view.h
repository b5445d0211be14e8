// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <cstdint>
#include <vector>

#include "core/train/answering.h"
#include "ui/heatmap/cell_grid.h"

namespace tfm::ui {

/// One matrix of a batch: its token ids, or a mask.
struct BatchMatrix {
  QString name;
  QString row_title;  ///< "text" or "position"
  int rows = 0, cols = 0;
  QStringList words;                   ///< rows * cols: the token, or the number that a mask adds
  QStringList ids;                     ///< the same, empty for a mask
  std::vector<std::uint8_t> left_out;  ///< 1 for a pad, or where the mask hides

  bool operator==(const BatchMatrix&) const = default;
};

/// What a model reads at once: the ids of each stack, the texts below each other, with the pads;
/// and the masks, as the engine adds them to the scores. `causal`: the decoder reads nothing later.
std::vector<BatchMatrix> batchMatrices(const std::vector<const train::ProbeInput*>& texts,
                                       bool causal);

/// The padded batch as matrices of ids and tokens, with its masks.
class BatchView : public CellGrid {
  Q_OBJECT

 public:
  explicit BatchView(const Style& style, QWidget* parent = nullptr);

  void setMatrices(std::vector<BatchMatrix> matrices);
  const std::vector<BatchMatrix>& matrices() const { return matrices_; }

  int itemCount() const override;
  QString itemText(int item) const override;
  QString figureTitle() const override { return tr("The padded batch"); }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;
  QSize minimumSizeHint() const override { return {style().px(240), style().px(120)}; }

 protected:
  QRectF itemArea(int item) const override;
  int itemAt(const QPointF& point) const override;
  int stepFrom(int item, const Cell& step) const override;
  void layOut() override;
  void paintItems(QPainter& painter) override;

 private:
  /// A matrix and a cell of it.
  struct Place {
    std::size_t matrix;
    Cell cell;
  };
  Place placeOf(int item) const;
  int itemOf(const Place& place) const;
  /// The matrices one after the other, in lines no wider than `width` where they fit.
  std::vector<CellPlaces> placesIn(double width, double unit) const;
  QSizeF sizeOf(const std::vector<CellPlaces>& places, double unit) const;
  void paintAll(QPainter& painter, const std::vector<CellPlaces>& places, double unit,
                const Palette& palette) const;

  std::vector<BatchMatrix> matrices_;
  std::vector<CellPlaces> places_;
};

}  // namespace tfm::ui
