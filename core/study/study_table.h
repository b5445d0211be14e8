// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tfm::train {

using StudyCell = std::variant<std::string, std::int64_t, std::uint64_t, double>;

/// A column of what a study has measured, in its table and as JSON.
template <class Point>
struct StudyColumn {
  std::string name;
  std::function<StudyCell(const Point&)> cell;
  /// Reads a cell of a table into a point; false if the value is impossible.
  std::function<bool(Point&, std::string_view word)> take;
  /// Its name where it counts positions rather than answers (see countsPositions()); empty: the
  /// same.
  std::string by_position = {};
};

/// The kinds of points that have shares of right answers, which may count positions: `static auto&
/// byPosition(auto& point)` says whether they do, the same for all points of a study.
template <class Point>
concept CountsAnswers = requires(Point& point) {
  Point::byPosition(point);
};

/// A point's columns, in their order; each kind has `static const StudyColumns<Point>& columns()`.
template <class Point>
using StudyColumns = std::vector<StudyColumn<Point>>;

StudyCell cellOf(const std::vector<std::int64_t>& numbers);
template <class Value>
StudyCell cellOf(const Value& value) {
  return value;
}

bool readCell(std::string_view word, std::string& value);
bool readCell(std::string_view word, std::int64_t& value);
bool readCell(std::string_view word, std::uint64_t& value);
bool readCell(std::string_view word, double& value);
bool readCell(std::string_view word, std::vector<std::int64_t>& numbers);

/// The cells of each line below the header, with its number.
struct TableLine {
  std::size_t number = 0;
  std::vector<std::string_view> cells;
};
std::vector<TableLine> tableLines(std::string_view text, std::string_view header,
                                  const std::string& where);
[[noreturn]] void failAtLine(std::size_t line, const std::string& problem,
                             const std::string& where);

/// The column of a field, given by a function that returns a reference to it: a word, a number from
/// `least` to `most`, or one a layer ("8,16").
template <class Point, class Field>
StudyColumn<Point> fieldColumn(const char* name, Field field, double least = -1e300,
                               double most = 1e300) {
  const auto take = [=](Point& point, std::string_view word) {
    auto& value = field(point);
    if (!readCell(word, value)) return false;
    if constexpr (std::is_arithmetic_v<std::remove_reference_t<decltype(value)>>)
      return double(value) >= least && double(value) <= most;
    return true;
  };
  return {name, [=](const Point& point) { return cellOf(field(point)); }, take};
}
template <class Point, class Type>
StudyColumn<Point> fieldColumn(const char* name, Type Point::*field, double least = -1e300,
                               double most = 1e300) {
  return fieldColumn<Point>(
      name, [=](auto& point) -> auto& { return point.*field; }, least, most);
}
/// A column that follows from the others.
template <class Point, class Value>
StudyColumn<Point> derivedColumn(const char* name, Value value) {
  return {name, [=](const Point& point) -> StudyCell { return value(point); },
          [](Point&, std::string_view) { return true; }};
}

/// A share of right answers: "position_NAME" where it counts positions.
template <class Point>
StudyColumn<Point> shareColumn(StudyColumn<Point> column) {
  column.by_position = "position_" + column.name;
  return column;
}

/// What was measured, in rows of cells.
struct MeasuredTable {
  std::vector<std::string> columns;
  std::vector<std::vector<StudyCell>> rows;
};

/// The table without rows.
template <class Point>
MeasuredTable emptyTable(bool by_position) {
  MeasuredTable table;
  for (const auto& column : Point::columns())
    table.columns.push_back(by_position && !column.by_position.empty() ? column.by_position
                                                                       : column.name);
  return table;
}

template <class Point>
MeasuredTable tableOf(const std::vector<Point>& points) {
  bool by_position = false;
  if constexpr (CountsAnswers<Point>)
    by_position = !points.empty() && Point::byPosition(points.front());
  MeasuredTable table = emptyTable<Point>(by_position);
  for (const Point& point : points) {
    std::vector<StudyCell>& row = table.rows.emplace_back();
    for (const auto& column : Point::columns()) row.push_back(column.cell(point));
  }
  return table;
}

/// One line for each row, tab-separated under a header; numbers with the fewest digits that read
/// back to the same value.
std::string toTsv(const MeasuredTable& table);
template <class Point>
std::string toTsv(const std::vector<Point>& points) {
  return toTsv(tableOf(points));
}

/// The points of a table that toTsv() wrote. Throws Error naming the line and what is wrong with
/// it. `where` names the text in messages; `problem` says what is wrong with a point after those
/// before it, if anything is.
template <class Point>
std::vector<Point> pointsFromTsv(
    std::string_view text, const std::string& where,
    const std::function<std::string(const std::vector<Point>& before, const Point& point)>&
        problem = {}) {
  std::vector<Point> points;
  std::string header = toTsv(emptyTable<Point>(false));
  bool by_position = false;
  if constexpr (CountsAnswers<Point>) {
    const std::string other = toTsv(emptyTable<Point>(true));
    by_position = text.starts_with(std::string_view(other).substr(0, other.size() - 1));
    if (by_position) header = other;
  }
  for (const auto& [number, cells] : tableLines(text, header, where)) {
    Point point;
    if constexpr (CountsAnswers<Point>) Point::byPosition(point) = by_position;
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (const auto& column = Point::columns()[i]; !column.take(point, cells[i]))
        failAtLine(number, column.name + " has a value that a study cannot measure", where);
    const std::string wrong = problem ? problem(points, point) : std::string();
    if (!wrong.empty()) failAtLine(number, wrong, where);
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace tfm::train
