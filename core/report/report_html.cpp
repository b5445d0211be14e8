// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_html.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "core/base/error.h"
#include "core/base/html_text.h"
#include "core/io/base64.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/io/read_file.h"
#include "core/lesson/lesson_html.h"
#include "core/report/report_page.h"

namespace tfm::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
constexpr const char* kFormat = "transformarium report";
constexpr const char* kHint = "Save the report again from the program that made it";
constexpr std::string_view kMark = "<meta name=\"generator\" content=\"Transformarium report\">";
constexpr std::string_view kScript = "<script type=\"application/json\" id=\"report\">";
constexpr std::string_view kScriptEnd = "</script>";
constexpr std::string_view kPictureType = "data:image/svg+xml;base64,";

std::string pictureStart(std::size_t item) {
  return "<img id=\"picture-" + std::to_string(item + 1) + "\" src=\"" + std::string(kPictureType);
}

// What is written and what is read stand beside each other.

Json jsonOf(const io::TensorFile& file) {
  return io::toBase64(io::safetensorsBytes(file, "the report"));
}
io::TensorFile fileOf(const nlohmann::json& json, const std::string& where) {
  if (!json.is_string()) throw Error("a model is not a text in base64", where, kHint);
  const std::string bytes = io::fromBase64(json.get_ref<const std::string&>(), where);
  return io::parseSafetensors(std::as_bytes(std::span(bytes)), where);
}

Json jsonOf(const Shown& shown) { return {{"model", shown.model}, {"state", jsonOf(shown.state)}}; }
Shown shownOf(const nlohmann::json& json, const std::string& where) {
  io::ObjectReader reader(json, where);
  const auto model = reader.get<std::int64_t>("model", 0);
  if (model < 0) reader.throwInvalid("model", "a number from 0");
  Shown shown{std::size_t(model), {}};
  if (const auto* state = reader.child("state")) shown.state = fileOf(*state, where + ": state");
  return shown;
}

template <class Value>
std::vector<Value> listOf(io::ObjectReader& reader, const char* name) {
  const nlohmann::json* list = reader.child(name);
  if (list == nullptr) return {};
  try {
    return list->get<std::vector<Value>>();
  } catch (const nlohmann::json::exception&) {
    reader.throwInvalid(name, "a list of the right kind");
  }
}

Json jsonOf(const Block& block) {
  Json values = Json::array();
  for (const double value : block.values)
    values.push_back(std::isfinite(value) ? Json(value) : Json(nullptr));
  return {{"name", block.name},
          {"shape", block.shape},
          {"values", values},
          {"rows", block.rows},
          {"cols", block.cols}};
}
Block blockOf(const nlohmann::json& json, const std::string& where) {
  io::ObjectReader reader(json, where);
  Block block;
  block.name = reader.get("name", std::string());
  block.shape = listOf<std::int64_t>(reader, "shape");
  block.rows = listOf<std::string>(reader, "rows");
  block.cols = listOf<std::string>(reader, "cols");
  const nlohmann::json* values = reader.child("values");
  if (values == nullptr || !values->is_array()) reader.throwInvalid("values", "a list of numbers");
  for (const nlohmann::json& value : *values) {
    if (!value.is_number() && !value.is_null()) reader.throwInvalid("values", "a list of numbers");
    block.values.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                           : value.get<double>());
  }
  return block;
}

std::vector<io::Field> fieldsOf(Source& source) {
  return {{"kind", "How they are computed", io::text(source.kind)},
          {"of", "What they are", io::text(source.of)},
          {"shown", "Where a reader begins", io::text(source.shown)},
          {"right_answer", "The decoder reads it", io::SwitchSlot{&source.right_answer}}};
}

Json jsonOf(const Item& item) {
  Source source = item.source;
  Json numbers = Json::array(), fields = Json::object();
  for (const Block& block : item.numbers) numbers.push_back(jsonOf(block));
  io::writeFields(fieldsOf(source), fields);
  return {{"title", item.title},
          {"note", item.note},
          {"table", {{"columns", item.table.columns}, {"rows", item.table.rows}}},
          {"source", fields},
          {"numbers", numbers},
          {"step", item.step},
          {"fingerprint", item.fingerprint},
          {"shown", jsonOf(item.shown)}};
}
Item itemFrom(const nlohmann::json& json, const std::string& where) {
  io::ObjectReader reader(json, where);
  Item item;
  item.title = reader.get("title", std::string());
  item.note = reader.get("note", std::string());
  item.step = reader.get<std::int64_t>("step", 0);
  item.fingerprint = reader.get("fingerprint", std::string());
  if (const auto* table = reader.child("table")) {
    io::ObjectReader inside(*table, where + ": table");
    item.table.columns = listOf<std::string>(inside, "columns");
    item.table.rows = listOf<std::vector<std::string>>(inside, "rows");
  }
  if (const auto* source = reader.child("source"))
    io::ObjectReader(*source, where + ": source").readFields(fieldsOf(item.source));
  if (const auto* numbers = reader.child("numbers"))
    for (const nlohmann::json& one : *numbers)
      item.numbers.push_back(blockOf(one, where + ": numbers"));
  if (const auto* shown = reader.child("shown")) item.shown = shownOf(*shown, where + ": shown");
  return item;
}

Json jsonOf(const LessonAnswers& answers) {
  return {{"file", answers.file},
          {"text", answers.text},
          {"progress", Json::parse(lesson::toJson(answers.progress))},
          {"shown", jsonOf(answers.shown)}};
}
LessonAnswers answersOf(const nlohmann::json& json, const std::string& where) {
  io::ObjectReader reader(json, where);
  LessonAnswers answers{reader.get("file", std::string()), reader.get("text", std::string())};
  if (const auto* progress = reader.child("progress"))
    answers.progress = lesson::progressFromJson(progress->dump(), where + ": progress");
  if (const auto* shown = reader.child("shown")) answers.shown = shownOf(*shown, where + ": shown");
  return answers;
}

Json jsonOf(const Report& report) {
  Json json{{"format", kFormat},
            {"title", report.title},
            {"author", report.author},
            {"items", Json::array()}};
  for (const Item& item : report.items) json["items"].push_back(jsonOf(item));
  if (report.lesson) json["lesson"] = jsonOf(*report.lesson);
  json["models"] = Json::array();
  for (const io::TensorFile& model : report.models) json["models"].push_back(jsonOf(model));
  return json;
}
Report reportFrom(const nlohmann::json& json, const std::string& where) {
  io::ObjectReader reader(json, where);
  if (reader.get("format", std::string()) != kFormat) reader.throwInvalid("format", kFormat);
  Report report{reader.get("title", std::string()), reader.get("author", std::string())};
  if (const auto* items = reader.child("items"))
    for (const nlohmann::json& item : *items)
      report.items.push_back(
          itemFrom(item, where + ": figure " + std::to_string(report.items.size() + 1)));
  if (const auto* answers = reader.child("lesson"))
    report.lesson = answersOf(*answers, where + ": lesson");
  if (const auto* models = reader.child("models"))
    for (const nlohmann::json& model : *models)
      report.models.push_back(
          fileOf(model, where + ": model " + std::to_string(report.models.size() + 1)));
  return report;
}

/// JSON that a page can hold: no "<" can end its script.
std::string inPage(const Json& json) {
  std::string text;
  for (const char c : json.dump())
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

std::string cell(std::string_view text) { return "<td>" + htmlText(text) + "</td>"; }

/// What was predicted and answered, page by page.
std::string htmlOf(const LessonAnswers& answers) {
  const lesson::Lesson lesson = lesson::readLesson(answers.text, answers.file).lesson;
  std::string html = "<section><h2>" + htmlText(lesson.title) +
                     "</h2>\n<div class=\"rows\"><table><tr><th>Page</th><th>Predicted</th>"
                     "<th>Answered</th><th>Done</th></tr>\n";
  const auto& done = answers.progress.pages;
  for (std::size_t i = 0; i < lesson.pages.size() && i < done.size(); ++i)
    if (lesson.pages[i].asks() || lesson.pages[i].prediction)
      html += "<tr>" + cell(lesson.pages[i].title) + cell(done[i].prediction) +
              cell(done[i].answer) + cell(done[i].done ? "yes" : "no") + "</tr>\n";
  html += "</table></div>\n";
  if (answers.progress.begun > 0)
    html += "<p>An exam. Times away: " + std::to_string(answers.progress.absences.size()) +
            ", seconds away: " + std::to_string(lesson::secondsAway(answers.progress.absences)) +
            ".</p>\n";
  return html + "</section>\n";
}

std::string captionOf(const Item& item) {
  std::string html = "<p class=\"caption\">Step " + std::to_string(item.step) +
                     ". Fingerprint: " + htmlText(item.fingerprint) + ".</p>\n";
  if (!item.note.empty()) html += "<p class=\"note\">" + htmlText(item.note) + "</p>\n";
  return html;
}

std::string htmlOf(const Item& item, std::size_t place, const ReportTexts& words) {
  return "<figure id=\"figure-" + std::to_string(place + 1) + "\">" + words.titles[place] +
         pictureStart(place) + io::toBase64(item.picture) + "\" alt=\"" + htmlText(item.title) +
         "\">\n<figcaption>" + words.captions[place] +
         "</figcaption>\n<button class=\"model\" hidden value=\"" +
         std::to_string(item.shown.model) + "\">Save its model</button></figure>\n";
}

}  // namespace

ReportTexts textsOf(const Report& report) {
  ReportTexts words;
  if (!report.author.empty()) words.author = "<p>" + htmlText(report.author) + "</p>\n";
  if (report.lesson) words.answers = htmlOf(*report.lesson);
  for (const Item& item : report.items) {
    words.titles.push_back("<h2>" + std::to_string(words.titles.size() + 1) + ". " +
                           htmlText(item.title) + "</h2>\n");
    words.captions.push_back(captionOf(item));
  }
  return words;
}

std::string toHtml(const Report& report) {
  std::string html = lesson::htmlHead(report.title, kPageStyle);
  html.insert(html.find("<title>"), kMark);
  const ReportTexts words = textsOf(report);
  html += words.author + words.answers;
  for (std::size_t i = 0; i < report.items.size(); ++i) html += htmlOf(report.items[i], i, words);
  html += std::string(kScript) + inPage(jsonOf(report)) + std::string(kScriptEnd) + "\n<script>" +
          kPageScript + "</script>\n";
  return html + "</body></html>\n";
}

bool isReport(std::string_view html) {
  return html.substr(0, 1000).find(kMark) != std::string_view::npos;
}

Report reportFromHtml(std::string_view html, const std::string& where) {
  const std::size_t begin = html.find(kScript), end = html.find(kScriptEnd, begin);
  if (!isReport(html) || begin == std::string_view::npos || end == std::string_view::npos)
    throw Error("not a report of Transformarium", where,
                "Choose a file that was saved with File, Report");
  const std::size_t from = begin + kScript.size();
  Report report = reportFrom(io::parseJson(html.substr(from, end - from), where), where);
  for (std::size_t i = 0; i < report.items.size(); ++i) {
    const std::string start = pictureStart(i);
    const std::size_t at = html.find(start);
    const std::size_t close = at == std::string_view::npos ? at : html.find('"', at + start.size());
    if (close == std::string_view::npos)
      throw Error("the picture of figure " + std::to_string(i + 1) + " is missing", where, kHint);
    report.items[i].picture =
        io::fromBase64(html.substr(at + start.size(), close - at - start.size()), where);
  }
  return report;
}

std::string reportText(const std::filesystem::path& path) { return io::readFile(path, kMostBytes); }

Report readReport(const std::filesystem::path& path) {
  return reportFromHtml(reportText(path), path.string());
}

}  // namespace tfm::report
