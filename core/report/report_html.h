// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/report.h"

namespace tfm::report {

/// The words of a report, as HTML: who made it, the answers to its lesson, and what stands above
/// and below each picture. Empty where there are none.
struct ReportTexts {
  std::string author, answers;
  std::vector<std::string> titles, captions;
};
ReportTexts textsOf(const Report& report);

/// A report as one HTML file that needs no other file and no network: pictures, captions and notes
/// to read, and the report itself as JSON, from which the page's script answers to the pointer.
/// Equal reports give equal texts. Throws Error for a text that is not UTF-8.
std::string toHtml(const Report& report);

/// Reads what toHtml() wrote. Throws Error saying what is missing or invalid.
Report reportFromHtml(std::string_view html, const std::string& where);

/// The text of a report's file. Throws Error if it cannot be read.
std::string reportText(const std::filesystem::path& path);
/// The report in a file. Throws Error.
Report readReport(const std::filesystem::path& path);
/// Whether a file's text begins like a report.
bool isReport(std::string_view html);

}  // namespace tfm::report
