// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/reproduce/claim.h"

namespace tfm::reproduce {

enum class DrawingKind {
  Lines,   ///< a line for each series, through points (x, y)
  Bars,    ///< a group of bars for each of `names`, in it one bar for each series
  Cells,   ///< a row for each series, a column for each of `names`; y are the values
  Circuit  ///< a row for each series: its labels are steps, and lines lead around steps x to y
};

/// What is drawn together.
struct Series {
  std::string name = {};
  Numbers x = {}, y = {};                ///< of equal size; bars and cells have no x
  std::vector<std::string> labels = {};  ///< of the points, or of the steps; empty: none
};

/// Numbers and how they are drawn, without colours and sizes.
struct Drawing {
  DrawingKind kind = DrawingKind::Lines;
  std::string x_title = {}, y_title = {};
  std::vector<Series> series = {};
  std::vector<std::string> names = {};
  struct Level {
    std::string name;
    double y;
  };
  std::vector<Level> levels = {};  ///< horizontal lines
  bool logarithmic = false;        ///< the y axis; zeros are then at its lower end
};

/// A number that the reader may choose, e.g. a length.
struct Choice {
  std::string name;
  std::int64_t usual, low, high;
  std::int64_t step = 1;
};

/// A figure of a source document, drawn from the live model.
struct Picture {
  std::string name;                  ///< in commands and file names
  std::string title;                 ///< what it shows
  std::string says = {};             ///< what to see there, and why, in a sentence or two
  std::vector<Choice> choices = {};  ///< the arguments of `drawn`, in this order
  std::function<Drawing(const std::vector<std::int64_t>& chosen)> drawn = {};
  /// Instead of `drawn` for a figure that needs training: the name of the training; pictures can
  /// share one. `share`: of the training, from its beginning; less than 1 gives the beginning of
  /// the curves. nullopt if ended.
  std::string training = {};
  std::function<std::optional<std::vector<Series>>(double share, const Progress&)> learned = {};
  std::function<Drawing(const std::vector<Series>& learned)> composed = {};

  bool trains() const { return learned != nullptr; }
};

/// The drawing of a picture that does not train, with its usual choices where none are given.
/// Throws Error naming a choice that is out of its bounds.
Drawing draw(const Picture& picture, std::vector<std::int64_t> chosen = {});

/// Lines of series, x, y and label, separated by tabs, after a line with these names.
std::string seriesTsv(const std::vector<Series>& series);
/// Reads what seriesTsv() wrote. Throws Error naming `where` and the line.
std::vector<Series> seriesFromTsv(std::string_view text, const std::string& where);

}  // namespace tfm::reproduce
