// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson_html.h"

#include <md4c-html.h>
#include <md4c.h>

#include "core/base/html_text.h"

namespace tfm::lesson {
namespace {

constexpr std::string_view kStyle =
    "body{max-width:42em;margin:2em auto;padding:0 1em;font:17px/1.5 sans-serif;color:#1c2430}"
    "h1{font-size:1.6em}h2{font-size:1.25em;margin-top:2em}"
    "section{border-top:1px solid #ccd;padding-bottom:.5em}"
    ".deed,.ask{background:#f1f3f8;border-radius:8px;padding:.6em 1em;margin:.8em 0}"
    "summary{cursor:pointer;color:#4b3fb5}code{background:#f1f3f8;padding:0 .25em}"
    "@media(prefers-color-scheme:dark){body{background:#12161f;color:#e8ecf4}"
    ".deed,.ask,code{background:#1d2533}summary{color:#a99bff}}";

/// Markdown without its links into the manual, which only the program has: their words stay.
std::string withoutManual(std::string markdown) {
  constexpr std::string_view kTarget = "](manual:";
  for (std::size_t at; (at = markdown.find(kTarget)) != std::string::npos;) {
    const std::size_t open = markdown.rfind('[', at), close = markdown.find(')', at);
    if (open == std::string::npos || close == std::string::npos) break;
    markdown.erase(at, close + 1 - at);
    markdown.erase(open, 1);
  }
  return markdown;
}

/// HTML in the lesson's text is shown, not obeyed: the file is opened in a browser.
std::string htmlOf(const std::string& markdown) {
  std::string html;
  const std::string text = withoutManual(markdown);
  md_html(
      text.data(), MD_SIZE(text.size()),
      [](const MD_CHAR* part, MD_SIZE size, void* all) {
        static_cast<std::string*>(all)->append(part, size);
      },
      &html, MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_NOHTML, 0);
  return html;
}

std::string folded(std::string_view name, const std::string& html) {
  return "<details><summary>" + std::string(name) + "</summary>" + html + "</details>\n";
}

std::string htmlOf(const Question& question, std::string_view name) {
  std::string html =
      "<div class=\"ask\"><strong>" + std::string(name) + "</strong>" + htmlOf(question.ask);
  if (!question.choices.empty()) {
    html += "<ul>";
    for (const std::string& choice : question.choices) html += "<li>" + htmlText(choice) + "</li>";
    html += "</ul>";
  }
  if (!question.right.empty()) html += folded("Answer", "<p>" + htmlText(question.right) + "</p>");
  return html + "</div>\n";
}

std::string htmlOf(const Page& page) {
  std::string html = "<section><h2>" + htmlText(page.title) + "</h2>\n" + htmlOf(page.markdown);
  if (page.prediction) html += htmlOf(*page.prediction, "Predict first");
  if (!page.deed.empty()) html += "<div class=\"deed\">" + htmlOf(page.deed) + "</div>\n";
  if (page.question) html += htmlOf(*page.question, "Question");
  for (const std::string& hint : page.hints) html += folded("Hint", htmlOf(hint));
  if (!page.solution.empty()) html += folded("Solution", htmlOf(page.solution));
  return html + "</section>\n";
}

}  // namespace

std::string htmlHead(std::string_view title, std::string_view style) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
         "<meta name=\"viewport\" content=\"width=device-width\"><title>" +
         htmlText(title) + "</title><style>" + std::string(kStyle) + std::string(style) +
         "</style></head><body>\n<h1>" + htmlText(title) + "</h1>\n";
}

std::string toHtml(const Lesson& lesson, std::span<const Page> pages) {
  std::string html = htmlHead(lesson.title);
  html += "<p>" + std::to_string(lesson.minutes) + " minutes.";
  if (!lesson.needs.empty()) html += " You need: " + htmlText(lesson.needs);
  html += "</p>\n";
  if (!lesson.goals.empty()) {
    html += "<p>Afterwards you can:</p><ul>";
    for (const std::string& goal : lesson.goals) html += "<li>" + htmlText(goal) + "</li>";
    html += "</ul>\n";
  }
  for (const Page& page : pages) html += htmlOf(page);
  return html + "</body></html>\n";
}

}  // namespace tfm::lesson
