// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tfm::cli {

using Json = nlohmann::ordered_json;

/// What a verb reports with --json, told once: a row for each member of the JSON object and of its
/// description in --help.
template <class Result>
struct ResultRow {
  std::string name;
  std::string note;                          ///< what the name does not say; may be empty
  std::function<Json(const Result&)> value;  ///< null: left out, or see null_too
  std::string members = {};                  ///< of an object, or of the objects of a list
  std::function<std::string(const Result&)> key =
      {};                 ///< its name where that depends on the result
  bool null_too = false;  ///< a null is printed
};
template <class Result>
using ResultRows = std::vector<ResultRow<Result>>;

/// A row of a member or of a function.
template <class Result, class Value>
ResultRow<Result> row(std::string name, Value value, std::string note = {}) {
  return {std::move(name), std::move(note),
          [value](const Result& result) { return Json(std::invoke(value, result)); }};
}

/// The row with its null printed.
template <class Result>
ResultRow<Result> orNull(ResultRow<Result> row) {
  row.null_too = true;
  return row;
}

template <class Result>
Json jsonOf(const ResultRows<Result>& rows, const Result& result) {
  Json json = Json::object();
  for (const ResultRow<Result>& one : rows)
    if (Json value = one.value(result); !value.is_null() || one.null_too)
      json[one.key ? one.key(result) : one.name] = std::move(value);
  return json;
}

/// "name (note), list [{name, ...}]".
template <class Result>
std::string membersOf(const ResultRows<Result>& rows) {
  std::string text;
  for (const ResultRow<Result>& one : rows)
    text += (text.empty() ? "" : ", ") + one.name + (one.members.empty() ? "" : " " + one.members) +
            (one.note.empty() ? "" : " (" + one.note + ")");
  return text;
}

/// A row of objects: `items` returns a range of them, each with these rows.
template <class Result, class Item, class Items>
ResultRow<Result> listRow(std::string name, const ResultRows<Item>& rows, Items items,
                          std::string note = {}) {
  return {std::move(name), std::move(note),
          [rows, items](const Result& result) {
            Json list = Json::array();
            for (const Item& item : std::invoke(items, result)) list.push_back(jsonOf(rows, item));
            return list;
          },
          "[{" + membersOf(rows) + "}]"};
}

/// A row of one object, or of none: `value` returns an item, or an optional one.
template <class Result, class Item, class Value>
ResultRow<Result> objectRow(std::string name, const ResultRows<Item>& rows, Value value,
                            std::string note = {}) {
  return {std::move(name), std::move(note),
          [rows, value](const Result& result) {
            const std::optional<Item> item = std::invoke(value, result);
            return item ? jsonOf(rows, *item) : Json();
          },
          "{" + membersOf(rows) + "}"};
}

/// Text for --help, broken into lines as CLI11 does not.
std::string paragraph(const std::string& text);

}  // namespace tfm::cli
