// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <cstdint>
#include <vector>

#include "ui/heatmap/cell_grid.h"

namespace tfm::ui {

/// A table of tokens, each above its number.
struct TokenTable {
  QString name = {};                        ///< above it; may be empty
  QStringList rows = {}, cols = {};         ///< their names
  QStringList words = {};                   ///< row by row: a token, or another short text
  QStringList numbers = {};                 ///< below the words; empty for a table of words alone
  std::vector<std::uint8_t> left_out = {};  ///< 1 where a cell is dimmed
  std::vector<double> shares = {};          ///< the cells' colours instead, from 0 to 1
  double names_width = 64.0;                ///< of the rows' names, in pixels at scale 1
  double cell_width = 44.0, widest_cell = 44.0;

  int cells() const { return int(rows.size() * cols.size()); }
  bool operator==(const TokenTable&) const = default;
};

/// Base of pictures of such tables, in lines no wider than the widget where they fit.
class TokenSheet : public CellGrid {
  Q_OBJECT

 public:
  const std::vector<TokenTable>& tables() const { return tables_; }

  int itemCount() const override;
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  QSize minimumSizeHint() const override { return {style().px(240), style().px(120)}; }

 protected:
  TokenSheet(const Style& style, const QString& title, QWidget* parent);

  void setTables(std::vector<TokenTable> tables);
  /// A table and a cell of it.
  struct Place {
    std::size_t table;
    Cell cell;
  };
  Place placeOf(int item) const;
  int columnCount() const override;

 private:
  QRectF itemArea(int item) const override;
  int itemAt(const QPointF& point) const override;
  int stepFrom(int item, const Cell& step) const override;
  void layOut() override;
  void paintItems(QPainter& painter) override;

  int itemOf(const Place& place) const;
  std::vector<CellPlaces> placesIn(double width, double unit) const;
  QSizeF sizeOf(const std::vector<CellPlaces>& places, double unit) const;
  void paintAll(QPainter& painter, const std::vector<CellPlaces>& places, double unit,
                const Palette& palette) const;

  std::vector<TokenTable> tables_;
  std::vector<CellPlaces> places_;
};

}  // namespace tfm::ui
