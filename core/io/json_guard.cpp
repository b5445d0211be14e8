// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json_guard.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/io/message_text.h"
#include "core/io/utf8.h"

namespace tfm::io {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxReasonBytes = 200;

/// "line 3, column 7" of the byte at `offset`; columns count characters.
std::string positionText(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  const auto characters = std::count_if(line.begin(), line.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
  });
  return "line " + std::to_string(lines + 1) + ", column " + std::to_string(characters + 1);
}

/// The library's reason without its "[json.exception...] parse error at line 1, column 2: ".
std::string reasonOf(const json::exception& problem) {
  std::string_view reason = problem.what();
  if (const auto end = reason.find("] "); end != reason.npos) reason.remove_prefix(end + 2);
  if (reason.starts_with("parse error")) {
    if (const auto end = reason.find(": "); end != reason.npos) reason.remove_prefix(end + 2);
  }
  return shortened(reason, kMaxReasonBytes);
}

std::string placeInText(const std::string& where, const std::string& position) {
  return where.empty() ? position : where + ", " + position;
}

/// Parser callback for the limits that the library does not enforce.
class Guard {
 public:
  Guard(const std::string& where, int maxDepth) : where_(where), maxDepth_(maxDepth) {}

  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    if (event == json::parse_event_t::object_start || event == json::parse_event_t::array_start) {
      open(depth);
    } else if (event == json::parse_event_t::key) {
      addKey(parsed.get_ref<const std::string&>());
    } else if (event == json::parse_event_t::object_end ||
               event == json::parse_event_t::array_end) {
      keys_.pop_back();
    }
    return true;
  }

 private:
  void open(int depth) {
    if (depth >= maxDepth_) {
      throw Error("the JSON is nested deeper than " + std::to_string(maxDepth_) + " levels", where_,
                  "No file of this program needs that: the file is damaged or was tampered with.");
    }
    keys_.emplace_back();
  }

  void addKey(const std::string& key) {
    if (!keys_.back().insert(key).second) {
      throw Error("the key " + inQuotes(key) + " appears twice in one JSON object", where_,
                  "Remove one of them.");
    }
  }

  const std::string& where_;
  int maxDepth_;
  std::vector<std::set<std::string>> keys_;  // one set per open object or array
};

}  // namespace

json parseJson(std::string_view text, const std::string& where, int maxDepth) {
  requireUtf8(text, where);
  Guard guard(where, maxDepth);
  const auto watch = [&guard](int depth, json::parse_event_t event, json& parsed) {
    return guard(depth, event, parsed);
  };
  try {
    return json::parse(text, watch);
  } catch (const json::parse_error& problem) {
    // The library counts bytes from 1 and reports the last one read.
    const std::size_t offset = problem.byte > 0 ? problem.byte - 1 : 0;
    throw Error("not valid JSON: " + reasonOf(problem),
                placeInText(where, positionText(text, offset)),
                "Correct the text there; if a program wrote it, the file is damaged.");
  } catch (const json::exception& problem) {
    throw Error("not usable JSON: " + reasonOf(problem), where, "Correct the value named.");
  }
}

}  // namespace tfm::io
