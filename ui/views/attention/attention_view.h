// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <optional>
#include <string>

#include "ui/figure/figure.h"
#include "ui/figure/figure_stack.h"
#include "ui/forward.h"
#include "ui/heatmap/cell_grid.h"
#include "ui/heatmap/heat_data.h"
#include "ui/heatmap/lines_layout.h"
#include "ui/views/attention/attention_maps.h"
#include "ui/views/view.h"

namespace tfm::ui {

/// Attention: all heads as small maps, one large map or lines, its stages, rollout, and the
/// difference from pin A. As a figure it is the large map with its step.
class AttentionView : public View, public Figure {
  Q_OBJECT

 public:
  /// Both must outlive the view.
  AttentionView(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

  /// Locks a map and a cell, as clicks would; false if they do not exist now.
  bool lock(const MapId& map, const std::optional<Cell>& cell);
  /// Switches the head or layer of the large map off, or on again.
  void toggleShownHead();
  /// Marks the heads that are switched off among the small maps.
  void markChanges();
  QSize minimumSizeHint() const override;
  QString figureTitle() const override;
  QSizeF figureSize() const override { return shown().figureSize(); }
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override { return shown().figureData(); }

 protected:
  Need need() const override;
  void shown() override;
  /// If the inspector is hidden, as on a projector, the cell is shown beside the map.
  void inspectorShown(bool shown) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeBody();
  void connectAll();
  void takeSnapshot();
  /// Takes the maps of the texts that are shown.
  void takeTexts(const std::shared_ptr<const train::Snapshot>& snapshot);
  /// Takes what pin A did with the same input.
  void takeBeside();
  /// Takes pin A.
  void takePin();
  void forget();
  /// Shows no maps, and why.
  void showNothing(const QString& title, const QString& sentence);
  void setGrid(bool same_layout);
  /// Updates everything to the maps and the choice.
  void refresh();
  void refreshTools();
  QString sentence() const;
  void refreshInspector();
  AttentionChoice choice() const;
  /// The earlier of two moments that the large map compares; null if it is not a difference.
  const AttentionMaps* subtrahend() const;
  /// The later of the two, or the only one.
  const AttentionMaps& minuend() const;
  void showLarge(HeatMap map);
  /// Shows what is read instead.
  void showBatch();
  /// Shows the same map of the second text beside `map`, both with one scale, if there is one.
  void showSecond(HeatMap& map);
  /// Of the text that the pointer was at last.
  const AttentionMaps& touchedMaps() const;
  const HeatMapView& touchedCells() const;
  const LinesView& touchedLines() const;
  std::optional<Cell> shownCell() const;
  Cell cellOf(const Token& token) const;
  void lockCell(const std::optional<Cell>& cell);
  void addChanges();
  /// The part of the model behind a map, as the target of an intervention; "" for a mean over
  /// layers.
  std::string partOf(const MapId& map) const;
  /// The same for a cell of the large map; "" if that is a mean over heads.
  std::string partOf(const Cell& cell) const;
  /// What can become of a part; `value`: its number.
  void showMenu(const std::string& target, const QString& off, double value, const QPoint& place);
  /// Tells other views which cell of one head is locked.
  void choose();
  /// Locks what another view has chosen.
  void followChoice();
  /// Locks the strongest cell of a token that the shown map looks from or at.
  void followToken(const ReadToken& token);
  const Figure& shown() const;
  /// Whether there is only enough height for the maps.
  bool isLow() const;
  void updateSizes();

  const Style& style_;
  ModelDocument& document_;
  AttentionMaps maps_;
  std::optional<AttentionMaps> pinned_;  ///< of pin A, for a difference from what is shown
  std::optional<AttentionMaps> minus_;   ///< of the earlier pin or first text, for a difference
  std::optional<AttentionMaps> second_;  ///< of the second text, beside the first
  bool at_second_ = false;               ///< the pointer was there last
  FigureStack both_{FigureStack::Direction::Abreast};
  MapId map_;                 ///< the large one
  std::optional<Cell> cell_;  ///< shown last
  bool alone_ = false;        ///< the inspector is hidden
  std::vector<int> rows_;     ///< chosen to be read together

  Panel* panel_;
  QuestionField* question_;
  HeatGrid* grid_;
  HeatMapView *cells_, *second_cells_;
  LinesView *lines_, *second_lines_;
  BatchView* batch_;
  QStackedWidget* forms_;
  AttentionAside* aside_;
  AttentionTools* tools_;
  QPointer<AttentionInspector> inspector_;
  QBoxLayout* body_;
};

}  // namespace tfm::ui
