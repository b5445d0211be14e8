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
#include "core/data/text_codec.h"
#include "core/data/tokenizer/tokenizer.h"
#include "core/io/csv_rows.h"
#include "core/io/message_text.h"
#include "core/tensor/shape.h"

namespace tfm::data {
namespace {

// A document without its task keeps the inputs as JSON.
constexpr std::size_t kMaxNumbers = 1'000'000;

/// Which columns of a CSV are what.
struct NumberColumns {
  std::optional<std::size_t> sequence;
  std::vector<std::size_t> inputs, targets;
};

/// Whether a column is called x, x1, x2 and so on.
bool isNumbered(std::string_view name, char letter) {
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  return name.starts_with(letter) && std::ranges::all_of(name.substr(1), isDigit);
}

NumberColumns columnsOf(const io::CsvRow& header, const std::string& where, bool needs_targets) {
  NumberColumns columns;
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    const std::string& name = header.cells[i];
    if (name == "sequence")
      columns.sequence = i;
    else if (isNumbered(name, 'x'))
      columns.inputs.push_back(i);
    else if (isNumbered(name, 'y'))
      columns.targets.push_back(i);
    else
      throw Error("there is a column " + io::inQuotes(name), where,
                  "Expected a header with x1, x2, ... for inputs, y1, y2, ... for targets, and "
                  "perhaps sequence");
  }
  if (columns.inputs.empty() || (needs_targets && columns.targets.empty()))
    throw Error("there are no " + std::string(columns.inputs.empty() ? "inputs" : "targets"), where,
                "Expected a header with x1, x2, ... for inputs and y1, y2, ... for targets");
  return columns;
}

double numberFrom(const io::CsvRow& row, std::size_t column, const std::string& where) {
  const std::string& cell = row.cells[column];
  double number = 0.0;
  const char* end = cell.data() + cell.size();
  const auto [stop, problem] = std::from_chars(cell.data(), end, number);
  if (problem != std::errc() || stop != end || !std::isfinite(number))
    throw Error("column " + std::to_string(column + 1) + " is " + io::inQuotes(cell),
                where + ", line " + std::to_string(row.line), "Expected a finite number");
  return number;
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

void appendFloat(double number, std::string& text) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), float(number)).ptr;
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

NumberTable parseNumberTable(std::string_view csv, const std::string& where, bool needs_targets) {
  const std::vector<io::CsvRow> rows = io::parseCsv(csv, where);
  if (rows.size() < 2) throw Error("there are no rows", where, "Expected a header and rows");
  const NumberColumns columns = columnsOf(rows.front(), where, needs_targets);
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
      table.inputs.push_back(numberFrom(row, column, where));
    if (!begins && table.one_target) {
      if (!std::ranges::all_of(columns.targets, isEmpty(row)))
        throw Error("a row after the first of its sequence has targets",
                    where + ", line " + std::to_string(row.line),
                    "Give targets to every row, or to the first row of each sequence");
      continue;
    }
    for (const std::size_t column : columns.targets)
      table.targets.push_back(numberFrom(row, column, where));
  }
  if (table.sequences == 1) table.positions = length;
  if (length != table.positions) throw otherLength(rows.back(), length, table.positions, where);
  return table;
}

bool isNumberTable(std::string_view csv) {
  try {
    columnsOf(io::parseCsv(csv.substr(0, csv.find('\n')), "header").at(0), "header", true);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

std::string numberTableText(const NumberTable& t) {
  std::string text = "sequence";
  for (std::int64_t i = 1; i <= t.input_width; ++i) text += ",x" + std::to_string(i);
  for (std::int64_t i = 1; i <= t.target_width; ++i) text += ",y" + std::to_string(i);
  auto input = t.inputs.begin();
  auto target = t.targets.begin();
  for (std::int64_t s = 1; s <= t.sequences; ++s)
    for (std::int64_t p = 0; p < t.positions; ++p) {
      text += '\n' + std::to_string(s);
      for (std::int64_t i = 0; i < t.input_width; ++i) appendFloat(*input++, text += ',');
      for (std::int64_t i = 0; i < t.target_width; ++i) {
        text += ',';
        if (p < t.answers()) appendFloat(*target++, text);
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
