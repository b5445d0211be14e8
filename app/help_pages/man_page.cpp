// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cctype>
#include <sstream>

#include "app/help_pages/verb_help.h"

namespace tfm::help {
namespace {

constexpr const char* kTool = "transformarium-cli";

/// Text as roff prints it: its own signs are no commands, and hyphens can be copied as options.
std::string roff(const std::string& text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    begins = c == '\n';
  }
  return out;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  return text;
}

std::string head(const std::string& name, const std::string& description,
                 const std::string& version, const std::string& date) {
  return ".TH " + roff(upper(name)) + " 1 \"" + date + "\" \"Transformarium " + version +
         "\" \"User Commands\"\n.SH NAME\n" + roff(name) + " \\- " + roff(description) + "\n";
}

std::string optionLines(const std::vector<OptionHelp>& options, bool positional) {
  std::string out;
  for (const OptionHelp& option : options) {
    if (option.positional != positional) continue;
    std::string names;
    for (const std::string& name : option.names)
      names += (names.empty() ? "\\fB" : "\\fR, \\fB") + roff(name);
    out += ".TP\n" + names + "\\fR";
    if (!option.value_text.empty()) out += " " + roff(option.value_text);
    out += "\n" + roff(option.description) + "\n";
  }
  return out;
}

/// Lines as they are written.
std::string asWritten(const std::string& text) { return ".nf\n" + roff(text) + "\n.fi\n"; }

std::string body(const VerbHelp& verb) {
  std::string out = ".SH SYNOPSIS\n\\fB" + roff(verb.usage) + "\\fR\n.SH DESCRIPTION\n" +
                    roff(verb.description) + ".\n";
  const std::string arguments = optionLines(verb.options, true);
  if (!arguments.empty()) out += ".SH ARGUMENTS\n" + arguments;
  return out + ".SH OPTIONS\n" + optionLines(verb.options, false);
}

}  // namespace

std::string manPage(const std::vector<VerbHelp>& help, const std::string& version,
                    const std::string& date) {
  const VerbHelp& program = help.front();
  std::string out = head(kTool, program.description, version, date) + body(program) + ".SH VERBS\n";
  std::string also = ".SH SEE ALSO\n.BR transformarium (1)";
  for (std::size_t i = 1; i < help.size(); ++i) {
    out += ".TP\n\\fB" + roff(help[i].name) + "\\fR\n" + roff(help[i].description) + "\n";
    also += ",\n.BR " + roff(std::string(kTool) + "-" + help[i].name) + " (1)";
  }
  return out + ".SH NOTES\n" + asWritten(program.footer) + also + "\n";
}

std::string manPage(const VerbHelp& verb, const std::string& version, const std::string& date) {
  std::string out =
      head(std::string(kTool) + "-" + verb.name, verb.description, version, date) + body(verb);
  if (!verb.footer.empty()) out += ".SH NOTES\n" + asWritten(verb.footer);
  return out + ".SH SEE ALSO\n.BR " + roff(kTool) + " (1)\n";
}

std::string manPage(const std::string& program, const std::string& description,
                    const std::string& help_text, const std::string& version,
                    const std::string& date) {
  std::string out = head(program, description, version, date);
  std::istringstream lines(help_text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t gap = line.find("  ", 2);
    if (line.starts_with("Usage: "))
      out += ".SH SYNOPSIS\n\\fB" + roff(line.substr(7)) + "\\fR\n.SH DESCRIPTION\n";
    else if (line.starts_with("  ") && gap != std::string::npos)
      out += ".TP\n\\fB" + roff(line.substr(2, gap - 2)) + "\\fR\n" +
             roff(line.substr(line.find_first_not_of(' ', gap))) + "\n";
    else
      out += line.empty() ? ".PP\n" : roff(line) + "\n";
  }
  return out + ".SH SEE ALSO\n.BR " + roff(kTool) + " (1)\n";
}

}  // namespace tfm::help
