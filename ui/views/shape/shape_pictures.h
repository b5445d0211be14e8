// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>
#include <optional>
#include <string>
#include <vector>

#include "core/observe/probe.h"
#include "core/observe/stack_stages.h"
#include "ui/figure/forward.h"
#include "ui/heatmap/forward.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"

namespace tfm::ui {

enum class ShapeSide { Length, Width };

/// The pointed-at or locked part of a picture.
struct ShapeChoice {
  QString name, words;
  std::size_t stage = 0;      ///< of a position
  std::vector<double> state;  ///< of a position, if it is known
  double limit = 1.0;         ///< the value of the state's strongest colour
};

/// The two pictures of a stack, one at a time: its lengths as a band, its widths as strands.
class ShapePictures : public QStackedWidget {
  Q_OBJECT

 public:
  using Stages = std::vector<observe::StackStage>;

  explicit ShapePictures(const Style& style, QWidget* parent = nullptr);

  LengthBand& band() const { return *band_; }
  WidthStrands& strands() const { return *strands_; }
  ShapeSide side() const { return ShapeSide(currentIndex()); }
  void showSide(ShapeSide side) { setCurrentIndex(int(side)); }
  /// The shown picture: what it lets one point at, and its figure.
  CellGrid& grid() const;
  const Figure& figure() const;
  void setTitle(const QString& title);

  /// Shows another stack, as outlines. `tokens`: labels of the input's positions, or none.
  void setStages(const Stages& stages, const QStringList& tokens);
  /// The tensors that the shown side takes from a look at the model.
  std::vector<std::string> tensors() const;
  /// Their values, by name; what is missing is an outline.
  void setValues(const observe::Observations& observed);
  /// One sentence on the shown side of the stack.
  QString sentence() const;
  /// What is pointed at or locked; nullopt: nothing is.
  std::optional<ShapeChoice> choice() const;

 signals:
  /// Something else is pointed at or locked.
  void choiceChanged();

 private:
  LengthBand* band_;
  WidthStrands* strands_;
};

}  // namespace tfm::ui
