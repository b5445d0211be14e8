// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/number_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/data/labelled_texts.h"
#include "core/data/text_codec.h"
#include "core/data/tokenizer/tokenizer.h"
#include "core/io/csv_rows.h"
#include "core/io/message_text.h"
#include "core/io/text_table.h"
#include "core/tensor/shape.h"

namespace tfm::data {
namespace {

// A document without its task keeps the inputs as JSON.
constexpr std::size_t kMaxNumbers = 1'000'000;

/// Which columns of a table are what.
struct NumberColumns {
  std::optional<std::size_t> sequence;
  std::vector<std::size_t> inputs, targets;
};

/// A column called x, x1, x2 and so on.
struct NumberedColumn {
  std::uint64_t number = 0;
  std::size_t place = 0;
};

/// The number of a column called x, x1, x2 and so on; x is x1. Of 0 and what is too large, 0.
std::optional<std::uint64_t> numberOf(std::string_view name, char letter) {
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  if (!name.starts_with(letter) || !std::ranges::all_of(name.substr(1), isDigit))
    return std::nullopt;
  return name.size() == 1 ? 1 : unsignedNumberIn(name.substr(1)).value_or(0);
}

/// The columns of a letter by their numbers, which must be 1, 2, 3 and so on.
std::vector<std::size_t> inOrder(std::vector<NumberedColumn> columns, const io::CsvRow& header,
                                 const std::string& where) {
  std::ranges::stable_sort(columns, {}, &NumberedColumn::number);
  const auto cell = [&](std::size_t place) {
    return "column " + std::to_string(place + 1) + ", " + io::inQuotes(header.cells[place]);
  };
  std::vector<std::size_t> places;
  for (const auto& [number, place] : columns) {
    const std::string line = where + ", line " + std::to_string(header.line);
    const std::string letter(1, header.cells[place].front());
    const std::uint64_t expected = places.size() + 1;
    if (number == 0)
      throw Error("there is a " + cell(place), line,
                  "The columns count from 1: " + letter + "1, " + letter + "2, ...");
    if (number < expected)
      throw Error(cell(places.back()) + ", and " + cell(place) + ", have the same name", line,
                  "Give each its own number: " + letter + "1, " + letter + "2, ...");
    if (number > expected)
      throw Error("there is a " + cell(place) + ", but no " + letter + std::to_string(expected),
                  line, "Number the columns without gaps, or complete the table");
    places.push_back(place);
  }
  return places;
}

NumberColumns columnsOf(const io::CsvRow& header, const std::string& where, bool needs_targets,
                        ReadingRules rules) {
  NumberColumns columns;
  std::vector<NumberedColumn> inputs, targets;
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    const std::string& name = header.cells[i];
    if (name == "sequence") {
      if (columns.sequence && rules == ReadingRules::Present)
        throw Error("there are two columns 'sequence'", where, "Remove or rename one");
      columns.sequence = i;
    } else if (const auto input = numberOf(name, 'x')) {
      inputs.push_back({*input, i});
    } else if (const auto target = numberOf(name, 'y')) {
      targets.push_back({*target, i});
    } else {
      throw Error("there is a column " + io::inQuotes(name), where,
                  "Expected a header with x1, x2, ... for inputs, y1, y2, ... for targets, and "
                  "perhaps sequence");
    }
  }
  if (inputs.empty() || (needs_targets && targets.empty()))
    throw Error("there are no " + std::string(inputs.empty() ? "inputs" : "targets"), where,
                "Expected a header with x1, x2, ... for inputs and y1, y2, ... for targets");
  if (rules == ReadingRules::Present) {
    columns.inputs = inOrder(std::move(inputs), header, where);
    columns.targets = inOrder(std::move(targets), header, where);
  } else {
    for (const NumberedColumn& input : inputs) columns.inputs.push_back(input.place);
    for (const NumberedColumn& target : targets) columns.targets.push_back(target.place);
  }
  return columns;
}

Error wrongCell(const io::CsvRow& row, std::size_t column, const std::string& where,
                const std::string& why, const char* hint) {
  return {"column " + std::to_string(column + 1) + " is " + io::inQuotes(row.cells[column]) + why,
          where + ", line " + std::to_string(row.line), hint};
}

double numberFrom(const io::CsvRow& row, std::size_t column, const std::string& where,
                  ReadingRules rules) {
  const std::string& cell = row.cells[column];
  const auto number = realNumberIn(cell);
  if (!number && cell.find(',') != cell.npos)
    throw wrongCell(row, column, where, "",
                    "Expected a finite number. The decimal mark is the point, or a comma where the "
                    "columns are separated by semicolons; nothing separates thousands.");
  if (!number) throw wrongCell(row, column, where, "", "Expected a finite number");
  if (rules == ReadingRules::Present && !std::isfinite(float(*number)))
    throw wrongCell(row, column, where, ", which is no finite float",
                    "Expected a number from -3.4e38 to 3.4e38: divide the numbers of this column");
  return *number;
}

/// Whether commas in a cell may stand between thousands.
bool mayHaveThousands(std::string_view cell) {
  cell.remove_prefix(cell.starts_with('-') || cell.starts_with('+') ? 1 : 0);
  std::size_t digits = 0;
  bool first = true;
  for (const char c : cell) {
    if (c == ',') {
      if (first ? digits == 0 || digits > 3 || cell.front() == '0' : digits != 3) return false;
      first = false;
      digits = 0;
    } else if (c < '0' || c > '9') {
      return false;
    } else {
      ++digits;
    }
  }
  return !first && digits == 3;
}

/// Turns decimal commas into points. Throws Error where commas may mean something else.
void readDecimalCommas(io::TextTable& table, const NumberColumns& columns,
                       const std::string& where) {
  std::vector<std::size_t> numbers = columns.inputs;
  numbers.insert(numbers.end(), columns.targets.begin(), columns.targets.end());
  struct Place {
    const io::CsvRow* row;
    std::size_t column;
  };
  std::optional<Place> comma, point;
  bool all_thousands = true;
  const auto data = std::span(table.rows).subspan(1);
  for (const io::CsvRow& row : data)
    for (const std::size_t column : numbers) {
      const std::string& cell = row.cells[column];
      if (!point && cell.find('.') != cell.npos) point = Place{&row, column};
      if (cell.find(',') == cell.npos) continue;
      if (std::ranges::count(cell, ',') > 1 || cell.find('.') != cell.npos)
        throw wrongCell(row, column, where, "",
                        "Use one decimal mark in a number, and nothing between thousands");
      if (!comma) comma = Place{&row, column};
      all_thousands = all_thousands && mayHaveThousands(cell);
    }
  if (!comma) return;
  if (point)
    throw wrongCell(*comma->row, comma->column, where,
                    ", but line " + std::to_string(point->row->line) + " has " +
                        io::inQuotes(point->row->cells[point->column]),
                    "Use one decimal mark in all numbers, and nothing between thousands");
  // Programs that write semicolons do so because commas are decimal marks.
  if (all_thousands && table.separator == '\t')
    throw wrongCell(*comma->row, comma->column, where,
                    ", whose comma may be a decimal mark or stand between thousands",
                    "Write numbers with a decimal point and nothing between thousands");
  for (io::CsvRow& row : std::span(table.rows).subspan(1))
    for (const std::size_t column : numbers) std::ranges::replace(row.cells[column], ',', '.');
}

/// The rows of a table, its columns, and its numbers with decimal points.
struct NumberRows {
  std::vector<io::CsvRow> rows;
  NumberColumns columns;
};

NumberRows numberRows(std::string_view text, const std::string& where, bool needs_targets,
                      ReadingRules rules) {
  const auto require = [&](const std::vector<io::CsvRow>& rows) {
    if (rows.size() < 2) throw Error("there are no rows", where, "Expected a header and rows");
  };
  if (rules == ReadingRules::Kept) {
    std::vector<io::CsvRow> rows = io::parseCsv(text, where);
    require(rows);
    NumberColumns columns = columnsOf(rows.front(), where, needs_targets, rules);
    return {std::move(rows), std::move(columns)};
  }
  io::TextTable table = io::readTable(text, where);
  require(table.rows);
  for (io::CsvRow& row : table.rows) {
    const std::size_t found = row.cells.size(), expected = table.rows.front().cells.size();
    if (found != expected)
      throw Error("found " + std::to_string(found) + " cells, expected " +
                      std::to_string(expected) + " as in the first line",
                  where + ", line " + std::to_string(row.line), "Complete the line or remove it.");
    for (std::string& cell : row.cells) cell = std::string(io::withoutWhiteSpace(cell));
  }
  for (std::string& name : table.rows.front().cells) name = asciiLower(name);
  NumberColumns columns = columnsOf(table.rows.front(), where, needs_targets, rules);
  if (table.hasDecimalCommas()) readDecimalCommas(table, columns, where);
  return {std::move(table.rows), std::move(columns)};
}

void requireSize(std::size_t numbers, const std::string& where) {
  if (numbers > kMaxNumbers)
    throw Error("there are " + std::to_string(numbers) + " numbers or more", where,
                "Allowed: at most " + std::to_string(kMaxNumbers));
}

Error otherLength(const io::CsvRow& row, std::int64_t length, std::int64_t first,
                  const std::string& where) {
  return {
      "a sequence has " + std::to_string(length) + " rows, the first one " + std::to_string(first),
      where + ", line " + std::to_string(row.line),
      "Give all sequences the same length, or leave out the column sequence"};
}

void appendNumber(double number, NumberDigits wanted, std::string& text) {
  std::array<char, 32> digits{};
  char* const stop = digits.data() + digits.size();
  const auto end = wanted == NumberDigits::Float
                       ? std::to_chars(digits.data(), stop, float(number)).ptr
                       : std::to_chars(digits.data(), stop, number).ptr;
  text.append(digits.data(), end);
}

const io::NamedTensor& arrayNamed(const io::NamedTensors& arrays, const std::string& name,
                                  const std::string& where) {
  const auto found = arrays.find(name);
  if (found == arrays.end())
    throw Error("there is no array '" + name + "'", where,
                "Expected arrays 'inputs' and 'targets'");
  const std::size_t dimensions = found->second.shape.size();
  const bool empty = std::ranges::count(found->second.shape, 0) > 0;
  if (dimensions < 2 || dimensions > 3 || empty)
    throw Error("the array '" + name + "' is " + sizeText(found->second.shape), where,
                "Expected sequences x positions x numbers, or sequences x numbers");
  return found->second;
}

std::vector<double> finiteNumbers(const io::NamedTensor& array, const std::string& name,
                                  const std::string& where) {
  std::vector<double> numbers = io::doubleValues(array);
  if (!std::ranges::all_of(numbers, [](double x) { return std::isfinite(float(x)); }))
    throw Error("the array '" + name + "' has numbers that are not finite floats", where,
                "Remove or replace them");
  return numbers;
}

}  // namespace

NumberTable parseNumberTable(std::string_view text, const std::string& where, bool needs_targets,
                             ReadingRules rules) {
  const auto [rows, columns] = numberRows(text, where, needs_targets, rules);
  NumberTable table;
  table.input_width = std::ssize(columns.inputs);
  table.target_width = std::ssize(columns.targets);
  requireSize((rows.size() - 1) * (columns.inputs.size() + columns.targets.size()), where);

  const auto isEmpty = [](const io::CsvRow& row) {
    return [&row](std::size_t column) { return row.cells[column].empty(); };
  };
  table.one_target = std::any_of(rows.begin() + 1, rows.end(), [&](const io::CsvRow& row) {
    return std::ranges::all_of(columns.targets, isEmpty(row));
  });
  std::int64_t length = 0;  // of the sequence of the row before
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const io::CsvRow& row = rows[i];
    const bool begins = i == 1 || !columns.sequence ||
                        row.cells[*columns.sequence] != rows[i - 1].cells[*columns.sequence];
    if (begins) {
      if (table.sequences == 1) table.positions = length;
      if (table.sequences > 1 && length != table.positions)
        throw otherLength(rows[i - 1], length, table.positions, where);
      ++table.sequences;
      length = 0;
    }
    ++length;
    for (const std::size_t column : columns.inputs)
      table.inputs.push_back(numberFrom(row, column, where, rules));
    if (!begins && table.one_target) {
      if (!std::ranges::all_of(columns.targets, isEmpty(row)))
        throw Error("a row after the first of its sequence has targets",
                    where + ", line " + std::to_string(row.line),
                    "Give targets to every row, or to the first row of each sequence");
      continue;
    }
    for (const std::size_t column : columns.targets)
      table.targets.push_back(numberFrom(row, column, where, rules));
  }
  if (table.sequences == 1) table.positions = length;
  if (length != table.positions) throw otherLength(rows.back(), length, table.positions, where);
  return table;
}

bool isNumberTable(std::string_view text) {
  try {
    std::vector<io::CsvRow> rows = io::readTable(io::tableHeader(text), "header").rows;
    if (rows.empty()) return false;
    for (std::string& name : rows.front().cells) name = asciiLower(io::withoutWhiteSpace(name));
    columnsOf(rows.front(), "header", true, ReadingRules::Kept);  // misnumbered is a table, too
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

std::string numberTableText(const NumberTable& t, NumberDigits digits) {
  std::string text = "sequence";
  for (std::int64_t i = 1; i <= t.input_width; ++i) text += ",x" + std::to_string(i);
  for (std::int64_t i = 1; i <= t.target_width; ++i) text += ",y" + std::to_string(i);
  auto input = t.inputs.begin();
  auto target = t.targets.begin();
  for (std::int64_t s = 1; s <= t.sequences; ++s)
    for (std::int64_t p = 0; p < t.positions; ++p) {
      text += '\n' + std::to_string(s);
      for (std::int64_t i = 0; i < t.input_width; ++i) appendNumber(*input++, digits, text += ',');
      for (std::int64_t i = 0; i < t.target_width; ++i) {
        text += ',';
        if (p < t.answers()) appendNumber(*target++, digits, text);
      }
    }
  return text + '\n';
}

NumberTable numberTableOf(const io::NamedTensors& arrays, const std::string& where,
                          bool needs_targets) {
  const io::NamedTensor& inputs = arrayNamed(arrays, "inputs", where);
  NumberTable table;
  table.sequences = inputs.shape.front();
  table.positions = inputs.shape.size() == 3 ? inputs.shape[1] : 1;
  table.input_width = inputs.shape.back();
  requireSize(inputs.bytes.size() / std::size_t(io::elementSize(inputs.dtype)), where);
  table.inputs = finiteNumbers(inputs, "inputs", where);
  if (!needs_targets) return table;
  const io::NamedTensor& targets = arrayNamed(arrays, "targets", where);
  table.target_width = targets.shape.back();
  table.one_target = targets.shape.size() == 2 && table.positions > 1;
  const bool fits = targets.shape.front() == table.sequences &&
                    (targets.shape.size() == 2 || targets.shape[1] == table.positions);
  if (!fits)
    throw Error("the array 'targets' is " + sizeText(targets.shape) + ", 'inputs' " +
                    sizeText(inputs.shape),
                where, "Expected targets for every position, or one row for each sequence");
  requireSize((inputs.bytes.size() / std::size_t(io::elementSize(inputs.dtype))) +
                  (targets.bytes.size() / std::size_t(io::elementSize(targets.dtype))),
              where);
  table.targets = finiteNumbers(targets, "targets", where);
  return table;
}

std::unique_ptr<Tokenizer> rowTokens(const NumberTable& table) {
  TokenizerConfig config;
  config.vocabulary = "<pad>\n<unknown>";
  for (std::int64_t row = 1; row <= table.sequences * table.positions; ++row)
    config.vocabulary += "\nr" + std::to_string(row);
  return makeTokenizer(config, {});
}

DrawnFeatures rowsOf(const NumberTable& table) {
  std::vector<double> numbers(std::size_t(kFirstRow * table.input_width), 0.0);
  numbers.insert(numbers.end(), table.inputs.begin(), table.inputs.end());
  return {.width = table.input_width,
          .seed = 0,
          .given = std::make_shared<const std::vector<double>>(std::move(numbers))};
}

std::string numberRowsText(std::span<const double> numbers, std::int64_t width) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += i % std::size_t(width) == 0 ? "; " : " ";
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.4g", numbers[i]);
    text += digits.data();
  }
  return text;
}

}  // namespace tfm::data
