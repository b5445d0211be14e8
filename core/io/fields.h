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

/// An integer with lowest <= value <= highest.
struct IntegerSlot {
  std::int64_t* value;
  std::int64_t lowest;
  std::int64_t highest;
};
/// A real number with lowest <= value < limit, or <= limit if with_limit.
struct RealSlot {
  double* value;
  double lowest;
  double limit;
  bool with_limit = false;
};
struct SwitchSlot {
  bool* value;
};
/// Integers with lowest <= each <= highest. Files leave an empty list out.
struct IntegersSlot {
  std::vector<std::int64_t>* value;
  std::int64_t lowest;
  std::int64_t highest;
};
/// One of a few words.
struct ChoiceSlot {
  std::vector<std::string_view> words;
  std::function<int()> get;  ///< index of the chosen word
  std::function<void(int)> set;
};

/// A text that may stand for any value: `set` throws Error for one that does not.
struct TextSlot {
  std::function<std::string()> get;
  std::function<void(const std::string&)> set;
};

/// One field of a config, bound to a member of a config object. A config lists its fields once;
/// JSON, validation, command line and forms are loops over that list.
struct Field {
  std::string_view name;     ///< in files, e.g. "norm_placement"
  std::string_view meaning;  ///< one sentence
  std::variant<IntegerSlot, RealSlot, SwitchSlot, IntegersSlot, ChoiceSlot, TextSlot> slot;
  /// Whether the field has an effect with the other values of its config; empty: always. Forms hide
  /// it where it has none.
  std::function<bool()> applies = {};
  std::string_view instead = {};  ///< what to do where it has none

  bool hasEffect() const { return !applies || applies(); }
};

/// Throws Error for a field that was given, but has no effect: "'momentum' has no effect", and what
/// to do instead. `given`: how the user wrote a field's name; empty if not at all.
void refuseWithoutEffect(std::span<const Field> fields,
                         const std::function<std::string(std::string_view name)>& given,
                         const std::string& where);

/// A ChoiceSlot for an enumeration with values 0, 1, ... in the order of `words`.
template <class Enum>
ChoiceSlot choice(Enum& value, std::vector<std::string_view> words) {
  return {std::move(words), [&value] { return int(value); },
          [&value](int chosen) { value = Enum(chosen); }};
}

/// A TextSlot for a text as it is.
TextSlot text(std::string& value);

/// The allowed values as text: "a whole number from 1 to 34", "one of pre, post".
std::string allowedText(const Field& field);

/// Throws Error naming the first field with an invalid value, the value and the allowed ones.
/// `owner` comes before the field's name, e.g. "encoder_layers.0.feed_forward.".
void checkFields(std::span<const Field> fields, const std::string& where,
                 const std::string& owner = {});

/// Adds every field to a JSON object.
void writeFields(std::span<const Field> fields, nlohmann::ordered_json& json);

/// All fields as a JSON object.
std::string toJson(std::span<const Field> fields);
/// Sets the fields that a JSON object contains. Throws Error, also for a member that is no field.
void fromJson(std::span<const Field> fields, std::string_view json, const std::string& where);

/// Reads the members of a JSON object by name. Errors name the member, its value, the expected type
/// and `where`.
class ObjectReader {
 public:
  /// `object` must outlive the reader. Throws Error if it is not an object.
  ObjectReader(const nlohmann::json& object, std::string where);

  /// The value of a member, or `fallback` if missing. Value: std::int64_t, double, bool or
  /// std::string.
  template <class Value>
  Value get(std::string_view name, Value fallback);
  /// The member, or nullptr if missing.
  const nlohmann::json* child(std::string_view name);
  /// Reads the fields that the object contains; the others keep their values.
  void readFields(std::span<const Field> fields);
  /// Throws Error for a member that was never read, e.g. a misspelt field.
  void refuseUnknown() const;
  /// The same for a file of another program: "PROBLEM: 'member' is VALUE". null says nothing and is
  /// not refused.
  void refuseUnknown(const std::string& problem, const std::string& hint) const;

  const std::string& where() const { return where_; }
  /// Throws Error naming the member, its value, or that it is missing, and what is expected.
  [[noreturn]] void throwInvalid(std::string_view name, const std::string& expected) const;

 private:
  const nlohmann::json& object_;
  std::string where_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace tfm::io
