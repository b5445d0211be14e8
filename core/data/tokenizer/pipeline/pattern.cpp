// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/pipeline/pattern.h"

#include <oniguruma.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/io/message_text.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

const OnigUChar* bytesOf(std::string_view text) {
  return reinterpret_cast<const OnigUChar*>(text.data());
}

std::string messageOf(int code, OnigErrorInfo* info = nullptr) {
  OnigUChar text[ONIG_MAX_ERROR_MESSAGE_LEN] = {};
  const int length = onig_error_code_to_str(text, code, info);
  return {reinterpret_cast<const char*>(text), std::size_t(length)};
}

void initializeLibrary() {
  static const int once = [] {
    OnigEncoding encodings[] = {ONIG_ENCODING_UTF8};
    return onig_initialize(encodings, 1);
  }();
  if (once != ONIG_NORMAL) throw Error(messageOf(once), "Oniguruma", "Install libonig again");
}

/// Steps of a search, many times what any tokenizer needs: expressions come from files.
constexpr unsigned long kMostRetries = 10'000'000;

}  // namespace

struct Pattern::Compiled {
  explicit Compiled(const std::string& text, const std::string& where) {
    initializeLibrary();
    OnigErrorInfo info;
    const int code = onig_new(&regex, bytesOf(text), bytesOf(text) + text.size(), ONIG_OPTION_NONE,
                              ONIG_ENCODING_UTF8, OnigDefaultSyntax, &info);
    if (code != ONIG_NORMAL)
      throw Error("the pattern " + io::inQuotes(io::shortened(text, 60)) +
                      " is no regular expression: " + messageOf(code, &info),
                  where, "Expected an expression of the tokenizers library (Oniguruma)");
  }
  ~Compiled() { onig_free(regex); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  OnigRegex regex = nullptr;
};

Pattern Pattern::expression(const std::string& text, const std::string& where) {
  Pattern pattern;
  pattern.compiled_ = std::make_shared<const Compiled>(text, where);
  return pattern;
}

Pattern Pattern::literal(std::string text) {
  Pattern pattern;
  pattern.literal_ = std::move(text);
  return pattern;
}

Pattern Pattern::fromJson(const nlohmann::json& object, const std::string& where) {
  if (object.is_object() && object.size() == 1 && object.front().is_string()) {
    const auto text = object.front().get<std::string>();
    if (object.contains("Regex")) return expression(text, where);
    if (object.contains("String")) return literal(text);
  }
  throw Error("the pattern is " + io::shortened(object.dump(), 60), where,
              R"(Expected {"Regex": "..."} or {"String": "..."})");
}

std::vector<TextPart> Pattern::parts(std::string_view text) const {
  std::vector<TextPart> parts;
  std::size_t done = 0;
  const auto add = [&](std::size_t begin, std::size_t end) {
    if (begin > done) parts.push_back({done, begin, false});
    if (end > begin) parts.push_back({begin, end, true});
    done = end;
  };
  if (!compiled_) {
    for (std::size_t at = 0; !literal_.empty() && (at = text.find(literal_, at)) != text.npos;
         at += literal_.size())
      add(at, at + literal_.size());
  } else {
    const std::unique_ptr<OnigRegion, void (*)(OnigRegion*)> region(
        onig_region_new(), [](OnigRegion* r) { onig_region_free(r, 1); });
    const std::unique_ptr<OnigMatchParam, void (*)(OnigMatchParam*)> limits(onig_new_match_param(),
                                                                            onig_free_match_param);
    onig_initialize_match_param(limits.get());
    onig_set_retry_limit_in_match_of_match_param(limits.get(), kMostRetries);
    onig_set_retry_limit_in_search_of_match_param(limits.get(), kMostRetries);
    const OnigUChar* const begin = bytesOf(text);
    const OnigUChar* const end = begin + text.size();
    for (const OnigUChar* from = begin; from < end;) {
      const int found = onig_search_with_param(compiled_->regex, begin, end, from, end,
                                               region.get(), ONIG_OPTION_NONE, limits.get());
      if (found == ONIG_MISMATCH) break;
      if (found < 0)
        throw Error("the text could not be searched: " + messageOf(found), "tokenizer",
                    "Shorten the text, or use another tokenizer: its pattern takes too many steps");
      const auto last = std::size_t(region->end[0]);
      if (last > std::size_t(found)) add(std::size_t(found), last);
      // An empty match is none, but the next search begins behind it.
      const bool empty = last == std::size_t(found);
      if (empty && last == text.size()) break;
      from = begin + last + (empty ? io::characterAt(text, last).length : 0);
    }
  }
  add(text.size(), text.size());
  return parts;
}

std::string Pattern::replaced(std::string_view text, std::string_view by) const {
  std::string result;
  for (const TextPart& part : parts(text))
    result += part.matches ? by : text.substr(part.begin, part.end - part.begin);
  return result;
}

}  // namespace tfm::data
