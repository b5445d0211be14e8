// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/fields.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <type_traits>

#include "core/base/error.h"

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

[[noreturn]] void refuse(const Field& field, const std::string& value, const std::string& where) {
  throw Error(std::string(field.name) + " is " + value, where, "Allowed: " + allowedText(field));
}

}  // namespace

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
                               [](const ChoiceSlot& s) {
                                 std::string text = "one of";
                                 for (std::size_t i = 0; i < s.words.size(); ++i)
                                   text += (i == 0 ? " " : ", ") + std::string(s.words[i]);
                                 return text;
                               }},
                    field.slot);
}

void checkFields(std::span<const Field> fields, const std::string& where) {
  for (const Field& field : fields)
    std::visit(Overloaded{[&](const IntegerSlot& s) {
                            if (*s.value < s.lowest || *s.value > s.highest)
                              refuse(field, numberText(*s.value), where);
                          },
                          [&](const RealSlot& s) {
                            if (!(*s.value >= s.lowest &&
                                  (*s.value < s.limit || (s.with_limit && *s.value == s.limit))))
                              refuse(field, numberText(*s.value), where);
                          },
                          [](const SwitchSlot&) {},
                          [&](const ChoiceSlot& s) {
                            if (s.get() < 0 || s.get() >= int(s.words.size()))
                              refuse(field, numberText(s.get()), where);
                          }},
               field.slot);
}

void writeFields(std::span<const Field> fields, nlohmann::ordered_json& json) {
  for (const Field& field : fields)
    std::visit(Overloaded{[&](const ChoiceSlot& s) {
                            json[std::string(field.name)] = s.words[std::size_t(s.get())];
                          },
                          [&](const auto& s) { json[std::string(field.name)] = *s.value; }},
               field.slot);
}

ObjectReader::ObjectReader(const nlohmann::json& object, std::string where)
    : object_(object), where_(std::move(where)) {
  if (!object.is_object())
    throw Error("found " + object.dump().substr(0, 60), where_, "Expected: a JSON object");
}

void ObjectReader::throwInvalid(std::string_view name, const std::string& expected) const {
  throw Error(
      "'" + std::string(name) + "' is " + object_.at(std::string(name)).dump().substr(0, 60),
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
    // Numbers above the signed range would become negative.
    const bool too_large =
        found->is_number_unsigned() &&
        found->get<std::uint64_t>() > std::uint64_t(std::numeric_limits<std::int64_t>::max());
    if (!found->is_number_integer() || too_large) throwInvalid(name, "a whole number");
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
    std::visit(Overloaded{[&](const ChoiceSlot& s) {
                            const std::string usual(s.words[std::size_t(s.get())]);
                            const std::string word = get<std::string>(field.name, usual);
                            for (std::size_t i = 0; i < s.words.size(); ++i)
                              if (s.words[i] == word) return s.set(int(i));
                            throwInvalid(field.name, allowedText(field));
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

}  // namespace tfm::io
