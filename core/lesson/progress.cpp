// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/progress.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/number_text.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/lesson/check.h"

namespace tfm::lesson {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kLatest = 100'000'000'000;  // seconds since 1970

std::vector<io::Field> fieldsOf(PageProgress& p) {
  return {{"prediction", "What was predicted", io::text(p.prediction)},
          {"answer", "What was answered", io::text(p.answer)},
          {"attempts", "Wrong answers", io::IntegerSlot{&p.attempts, 0, kMost}},
          {"hints", "Shown ones", io::IntegerSlot{&p.hints, 0, kMost}},
          {"done", "It was done once", io::SwitchSlot{&p.done}}};
}

std::vector<io::Field> fieldsOf(Absence& a) {
  return {{"after", "Seconds since the exam began", io::IntegerSlot{&a.after, 0, kLatest}},
          {"seconds", "How long", io::IntegerSlot{&a.seconds, 0, kLatest}}};
}

std::vector<io::Field> fieldsOf(Progress& p) {
  return {{"page", "The open one", io::IntegerSlot{&p.page, 0, kMost}},
          {"begun", "When the exam began, in seconds since 1970",
           io::IntegerSlot{&p.begun, 0, kLatest}},
          {"seen", "When one was last there, in seconds since then",
           io::IntegerSlot{&p.seen, 0, kLatest}}};
}

template <class Part>
nlohmann::ordered_json listOf(std::vector<Part> parts) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (Part& part : parts) {
    list.push_back(nlohmann::ordered_json::object());
    io::writeFields(fieldsOf(part), list.back());
  }
  return list;
}

template <class Part>
std::vector<Part> listFrom(io::ObjectReader& reader, const char* key, const std::string& where) {
  std::vector<Part> parts;
  const nlohmann::json* list = reader.child(key);
  if (list == nullptr || !list->is_array()) return parts;
  for (const nlohmann::json& one : *list)
    io::ObjectReader(one, where).readFields(fieldsOf(parts.emplace_back()));
  return parts;
}

}  // namespace

std::int64_t secondsAway(std::span<const Absence> absences) {
  std::int64_t seconds = 0;
  for (const Absence& absence : absences) seconds += absence.seconds;
  return seconds;
}

std::string toJson(const Progress& progress) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  Progress copy = progress;
  io::writeFields(fieldsOf(copy), json);
  json["pages"] = listOf(progress.pages);
  json["absences"] = listOf(progress.absences);
  return json.dump();
}

Progress progressFromJson(std::string_view text, const std::string& where) {
  const nlohmann::json json = io::parseJson(text, where);
  io::ObjectReader reader(json, where);
  Progress progress;
  reader.readFields(fieldsOf(progress));
  progress.pages = listFrom<PageProgress>(reader, "pages", where);
  progress.absences = listFrom<Absence>(reader, "absences", where);
  return progress;
}

bool isRight(const Question& question, const std::string& answer, const std::string& right) {
  if (!question.choices.empty()) return answer == right;
  const auto given = realNumberIn(withoutBlanks(answer)), meant = realNumberIn(right);
  return given && meant && std::abs(*given - *meant) <= question.within;
}

bool isDone(const Page& page, const Situation& situation, const PageProgress& progress,
            const std::optional<std::string>& right) {
  if (progress.done) return true;
  if (!page.asks()) return false;
  if (page.prediction && progress.prediction.empty()) return false;
  if (page.question && (!right || !isRight(*page.question, progress.answer, *right))) return false;
  return std::ranges::all_of(page.checks,
                             [&](const Check& check) { return holds(check, situation); });
}

}  // namespace tfm::lesson
