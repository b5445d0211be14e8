// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tfm::io {

/// A whole number with lowest <= value <= highest.
struct IntegerSlot {
  std::int64_t* value;
  std::int64_t lowest;
  std::int64_t highest;
};
/// A real number with lowest <= value < limit, or <= limit where that is allowed too.
struct RealSlot {
  double* value;
  double lowest;
  double limit;
  bool with_limit = false;
};
struct SwitchSlot {
  bool* value;
};
/// One of a few words.
struct ChoiceSlot {
  std::vector<std::string_view> words;
  std::function<int()> get;  ///< place of the chosen word in the list
  std::function<void(int)> set;
};

/// One field of a config, bound to a config's memory. A config lists its fields once; JSON,
/// validation, command line and forms are loops over that list.
struct Field {
  std::string_view name;     ///< in files, e.g. "norm_placement"
  std::string_view meaning;  ///< one sentence
  std::variant<IntegerSlot, RealSlot, SwitchSlot, ChoiceSlot> slot;
};

/// A ChoiceSlot for an enumeration whose enumerators count from 0 in the order of the words.
template <class Enum>
ChoiceSlot choice(Enum& value, std::vector<std::string_view> words) {
  return {std::move(words), [&value] { return int(value); },
          [&value](int chosen) { value = Enum(chosen); }};
}

/// What a field allows: "a whole number from 1 to 34", "one of pre, post".
std::string allowedText(const Field& field);

/// Throws Error naming the first field whose value is not allowed, the value and what is.
void checkFields(std::span<const Field> fields, const std::string& where);

/// Adds every field to a JSON object.
void writeFields(std::span<const Field> fields, nlohmann::ordered_json& json);

/// The members of a JSON object by name. Errors name the member, what it is, what was expected and
/// where.
class ObjectReader {
 public:
  /// `object` must outlive the reader. Throws Error if it is not an object.
  ObjectReader(const nlohmann::json& object, std::string where);

  /// The member's value, or `usual` where it is missing. Value: std::int64_t, double, bool or
  /// std::string.
  template <class Value>
  Value get(std::string_view name, Value usual);
  /// The member, or nullptr where it is missing.
  const nlohmann::json* child(std::string_view name);
  /// Fills the fields that the object has; the others keep their values.
  void readFields(std::span<const Field> fields);
  /// Throws Error for a member that nobody asked for: a misspelt field must not be ignored.
  void refuseUnknown() const;

  const std::string& where() const { return where_; }
  [[noreturn]] void wrong(std::string_view name, const std::string& expected) const;

 private:
  const nlohmann::json& object_;
  std::string where_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace tfm::io
