// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>
#include <optional>
#include <vector>

#include "ui/figure/figure_stack.h"
#include "ui/figure/forward.h"
#include "ui/heatmap/forward.h"
#include "ui/style/forward.h"
#include "ui/views/attention/attention_content.h"
#include "ui/views/attention/attention_inspector.h"
#include "ui/views/attention/attention_shown.h"
#include "ui/views/forward.h"

namespace tfm::ui {

/// The large map in its forms: as cells, as lines, or the batch that is read instead. Of two texts
/// beside each other, it shows both. As a figure it is what is shown.
class AttentionForms : public QStackedWidget, public Figure {
  Q_OBJECT

 public:
  using Form = AttentionShown::Form;

  explicit AttentionForms(const Style& style, QWidget* parent = nullptr);

  HeatMapView& cells() const { return *cells_; }
  BatchView& batch() const { return *batch_; }
  /// The pictures, in the order of the Tab key.
  std::vector<QWidget*> pictures() const;

  /// Shows a map; of two texts, the same map of both with one scale. Returns the map's name.
  QString show(const AttentionContent& content, const AttentionChoice& choice, bool less_pin,
               Form form);
  /// Shows no map.
  void clear();
  /// The cell to explain: the shown one, else the last; of the text that the pointer was at last.
  InspectedCell inspected(const AttentionContent& content, const AttentionChoice& choice,
                          bool less_pin);
  bool hasMap() const;
  /// Locks a cell or a token in all forms, or unlocks them, without a signal.
  void setLocked(const AttentionLock& lock);
  /// What is locked, of the text that the pointer was at last.
  AttentionLock locked() const;
  /// The cell that is explained.
  const std::optional<Cell>& cell() const { return cell_; }

  void setFigureTitle(const QString& title);
  QString figureTitle() const override { return title_; }
  QSizeF figureSize() const override { return figure().figureSize(); }
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override { return figure().figureData(); }

 signals:
  /// Another cell is pointed at, or other rows are selected.
  void cellChanged();
  /// A cell or token was locked or unlocked.
  void lockChanged();

 private:
  void showForm(const HeatMap& map);
  const HeatMapView& touchedCells() const { return at_second_ ? *second_cells_ : *cells_; }
  const LinesView& touchedLines() const { return at_second_ ? *second_lines_ : *lines_; }
  /// What is pointed at or locked there.
  std::optional<Cell> touched(const AttentionMaps& maps, const AttentionChoice& choice) const;
  const Figure& figure() const;

  HeatMapView *cells_, *second_cells_;
  LinesView *lines_, *second_lines_;
  BatchView* batch_;
  FigureStack both_{FigureStack::Direction::Abreast};
  QString title_;
  Form form_ = Form::Cells;
  bool has_second_ = false;
  bool at_second_ = false;    ///< the pointer was there last
  std::optional<Cell> cell_;  ///< explained last
  std::vector<int> rows_;     ///< selected, to be read together
};

}  // namespace tfm::ui
