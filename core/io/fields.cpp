// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/fields.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <type_traits>

#include "core/base/error.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"

namespace tfm::io {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

template <class Number>
std::string numberText(Number value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

/// Whether a JSON number is a whole one of std::int64_t; larger ones would become negative.
bool isInteger(const nlohmann::json& json) {
  const bool too_large =
      json.is_number_unsigned() &&
      json.get<std::uint64_t>() > std::uint64_t(std::numeric_limits<std::int64_t>::max());
  return json.is_number_integer() && !too_large;
}

}  // namespace

TextSlot text(std::string& value) {
  return {[&value] { return value; }, [&value](const std::string& other) { value = other; }};
}

std::string allowedText(const Field& field) {
  return std::visit(Overloaded{[](const IntegerSlot& s) {
                                 return "a whole number from " + numberText(s.lowest) + " to " +
                                        numberText(s.highest);
                               },
                               [](const RealSlot& s) {
                                 return "a number from " + numberText(s.lowest) +
                                        (s.with_limit ? " to " : " to below ") +
                                        numberText(s.limit);
                               },
                               [](const SwitchSlot&) { return std::string("true or false"); },
                               [](const IntegersSlot& s) {
                                 return "a list of whole numbers from " + numberText(s.lowest) +
                                        " to " + numberText(s.highest);
                               },
                               [](const ChoiceSlot& s) {
                                 std::string text = "one of";
                                 for (std::size_t i = 0; i < s.words.size(); ++i)
                                   text += (i == 0 ? " " : ", ") + std::string(s.words[i]);
                                 return text;
                               },
                               [](const TextSlot&) { return std::string("a text"); }},
                    field.slot);
}

void checkFields(std::span<const Field> fields, const std::string& where,
                 const std::string& owner) {
  for (const Field& field : fields) {
    const auto require = [&](bool allowed, auto value) {
      if (!allowed)
        throw Error(owner + std::string(field.name) + " is " + numberText(value), where,
                    "Allowed: " + allowedText(field));
    };
    std::visit(Overloaded{[&](const IntegerSlot& s) {
                            require(*s.value >= s.lowest && *s.value <= s.highest, *s.value);
                          },
                          [&](const RealSlot& s) {
                            const bool below = *s.value < s.limit;
                            require(*s.value >= s.lowest &&
                                        (below || (s.with_limit && *s.value == s.limit)),
                                    *s.value);
                          },
                          [](const SwitchSlot&) {},
                          [&](const IntegersSlot& s) {
                            for (const std::int64_t value : *s.value)
                              require(value >= s.lowest && value <= s.highest, value);
                          },
                          [&](const ChoiceSlot& s) {
                            require(s.get() >= 0 && s.get() < int(s.words.size()), s.get());
                          },
                          [](const TextSlot&) {}},
               field.slot);
  }
}

void refuseWithoutEffect(std::span<const Field> fields,
                         const std::function<std::string(std::string_view name)>& given,
                         const std::string& where) {
  for (const Field& field : fields)
    if (const std::string name = given(field.name); !name.empty() && !field.hasEffect())
      throw Error("'" + name + "' has no effect", where,
                  field.instead.empty() ? "Leave it out" : std::string(field.instead));
}

void writeFields(std::span<const Field> fields, nlohmann::ordered_json& json) {
  for (const Field& field : fields)
    std::visit(Overloaded{[&](const ChoiceSlot& s) {
                            json[std::string(field.name)] = s.words[std::size_t(s.get())];
                          },
                          [&](const IntegersSlot& s) {
                            if (!s.value->empty()) json[std::string(field.name)] = *s.value;
                          },
                          [&](const TextSlot& s) {
                            if (std::string text = s.get(); !text.empty())
                              json[std::string(field.name)] = std::move(text);
                          },
                          [&](const auto& s) { json[std::string(field.name)] = *s.value; }},
               field.slot);
}

std::string toJson(std::span<const Field> fields) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  writeFields(fields, json);
  return json.dump();
}

void fromJson(std::span<const Field> fields, std::string_view json, const std::string& where) {
  const nlohmann::json object = parseJson(json, where);
  ObjectReader reader(object, where);
  reader.readFields(fields);
  reader.refuseUnknown();
  checkFields(fields, where);
}

ObjectReader::ObjectReader(const nlohmann::json& object, std::string where)
    : object_(object), where_(std::move(where)) {
  if (!object.is_object())
    throw Error("found " + object.dump().substr(0, 60), where_, "Expected: a JSON object");
}

void ObjectReader::throwInvalid(std::string_view name, const std::string& expected) const {
  const auto found = object_.find(std::string(name));
  throw Error("'" + std::string(name) + "' is " +
                  (found == object_.end() ? "missing" : found->dump().substr(0, 60)),
              where_, "Expected: " + expected);
}

const nlohmann::json* ObjectReader::child(std::string_view name) {
  asked_.emplace(name);
  const auto found = object_.find(std::string(name));
  return found == object_.end() ? nullptr : &*found;
}

template <class Value>
Value ObjectReader::get(std::string_view name, Value fallback) {
  const nlohmann::json* found = child(name);
  if (found == nullptr) return fallback;
  if constexpr (std::is_same_v<Value, bool>) {
    if (!found->is_boolean()) throwInvalid(name, "true or false");
  } else if constexpr (std::is_same_v<Value, std::int64_t>) {
    if (!isInteger(*found)) throwInvalid(name, "a whole number");
  } else if constexpr (std::is_same_v<Value, double>) {
    if (!found->is_number()) throwInvalid(name, "a number");
  } else {
    if (!found->is_string()) throwInvalid(name, "a text");
  }
  return found->get<Value>();
}

template std::int64_t ObjectReader::get(std::string_view, std::int64_t);
template double ObjectReader::get(std::string_view, double);
template bool ObjectReader::get(std::string_view, bool);
template std::string ObjectReader::get(std::string_view, std::string);

void ObjectReader::readFields(std::span<const Field> fields) {
  for (const Field& field : fields)
    std::visit(
        Overloaded{[&](const ChoiceSlot& s) {
                     const std::string usual(s.words[std::size_t(s.get())]);
                     const std::string word = get<std::string>(field.name, usual);
                     for (std::size_t i = 0; i < s.words.size(); ++i)
                       if (s.words[i] == word) return s.set(int(i));
                     throwInvalid(field.name, allowedText(field));
                   },
                   [&](const IntegersSlot& s) {
                     const nlohmann::json* list = child(field.name);
                     if (list == nullptr) return;
                     if (!list->is_array() || !std::all_of(list->begin(), list->end(), isInteger))
                       throwInvalid(field.name, allowedText(field));
                     *s.value = list->get<std::vector<std::int64_t>>();
                   },
                   [&](const TextSlot& s) {
                     if (child(field.name) != nullptr) s.set(get<std::string>(field.name, {}));
                   },
                   [&](const auto& s) { *s.value = get(field.name, *s.value); }},
        field.slot);
}

void ObjectReader::refuseUnknown() const {
  for (const auto& member : object_.items())
    if (!asked_.contains(member.key()))
      throw Error("there is no field '" + member.key() + "'", where_,
                  "Remove it or correct its name");
}

void ObjectReader::refuseUnknown(const std::string& problem, const std::string& hint) const {
  for (const auto& member : object_.items())
    if (!asked_.contains(member.key()) && !member.value().is_null())
      throw Error(
          problem + ": " + inQuotes(member.key()) + " is " + shortened(member.value().dump(), 60),
          where_, hint);
}

}  // namespace tfm::io
