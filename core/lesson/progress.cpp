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

std::vector<io::Field> fieldsOf(PageProgress& p) {
  return {{"prediction", "What was predicted", io::text(p.prediction)},
          {"answer", "What was answered", io::text(p.answer)},
          {"attempts", "Wrong answers", io::IntegerSlot{&p.attempts, 0, kMost}},
          {"hints", "Shown ones", io::IntegerSlot{&p.hints, 0, kMost}},
          {"done", "It was done once", io::SwitchSlot{&p.done}}};
}

}  // namespace

std::string toJson(const Progress& progress) {
  nlohmann::ordered_json json{{"page", progress.page}, {"pages", nlohmann::ordered_json::array()}};
  for (PageProgress page : progress.pages) {
    nlohmann::ordered_json one = nlohmann::ordered_json::object();
    io::writeFields(fieldsOf(page), one);
    json["pages"].push_back(std::move(one));
  }
  return json.dump();
}

Progress progressFromJson(std::string_view text, const std::string& where) {
  const nlohmann::json json = io::parseJson(text, where);
  io::ObjectReader reader(json, where);
  Progress progress;
  progress.page = std::max<std::int64_t>(0, reader.get("page", std::int64_t(0)));
  const nlohmann::json* pages = reader.child("pages");
  if (pages == nullptr || !pages->is_array()) return progress;
  for (const nlohmann::json& one : *pages) {
    PageProgress page;
    io::ObjectReader(one, where).readFields(fieldsOf(page));
    progress.pages.push_back(page);
  }
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
