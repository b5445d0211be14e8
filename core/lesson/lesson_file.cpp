// SPDX-License-Identifier: GPL-3.0-or-later
#include <md4c.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "core/base/number_text.h"
#include "core/io/read_file.h"
#include "core/lesson/check.h"
#include "core/lesson/lesson.h"
#include "core/lesson/live_values.h"
#include "core/lesson/source_lines.h"
#include "core/lesson/targets.h"

namespace tfm::lesson {
namespace {

constexpr std::array<std::string_view, 5> kParts{"warm-up", "play", "page", "question",
                                                 "experiment"};

/// Collects what is wrong.
class Reader {
 public:
  Reader(std::string name, std::vector<Error>& problems)
      : name_(std::move(name)), problems_(problems) {}

  void report(std::int64_t line, const std::string& what, const std::string& mend) {
    problems_.emplace_back(what, placeOf(name_, line), mend);
  }
  /// Runs `read` and reports what it throws at that line.
  void at(std::int64_t line, const std::function<void()>& read) {
    if (const auto problem = problemOf(read)) report(line, problem->problem(), problem->hint());
  }

 private:
  std::string name_;
  std::vector<Error>& problems_;
};

/// A value in YAML, with what its key is called and the line that its block begins at.
struct Given {
  const YAML::Node& node;
  std::string key;
  std::int64_t first_line;
  Reader& reader;

  std::int64_t line() const { return first_line + node.Mark().line; }
  void refuse(const std::string& expected) const {
    reader.report(line(), "'" + key + "' is not " + expected, "Write " + key + ": ...");
  }
  std::string text() const {
    if (node.IsScalar()) return node.Scalar();
    refuse("a text");
    return {};
  }
  /// A list, or a single text.
  std::vector<std::pair<std::string, std::int64_t>> texts() const {
    if (node.IsScalar()) return {{node.Scalar(), line()}};
    std::vector<std::pair<std::string, std::int64_t>> all;
    if (!node.IsSequence()) refuse("a text or a list of texts");
    for (const YAML::Node& one : node)
      if (one.IsScalar())
        all.emplace_back(one.Scalar(), first_line + one.Mark().line);
      else
        refuse("a list of texts");
    return all;
  }
  std::vector<std::string> plainTexts() const {
    std::vector<std::string> all;
    for (auto& [text, where] : texts()) all.push_back(std::move(text));
    return all;
  }
  bool yes() const {
    const std::string word = text();
    if (word != "yes" && word != "no")
      reader.report(line(), "'" + key + "' is '" + word + "'", "Write yes or no");
    return word == "yes";
  }
  double number() const {
    const auto number = realNumberIn(text());
    if (!number || *number < 0) refuse("a number from 0");
    return number.value_or(0.0);
  }
};

/// A key of a block: its name, its meaning, and what reads it.
template <class Target>
struct Key {
  KeyWords words;
  void (*read)(Target&, const Given&);
};

bool isScreen(const std::string& name) { return std::ranges::count(screens(), name) > 0; }

std::string namesOf(auto&& names) {
  std::string all;
  for (const std::string_view name : names) all += (all.empty() ? "" : ", ") + std::string(name);
  return all;
}

std::string screenFrom(const std::string& name, std::int64_t line, Reader& reader) {
  if (isScreen(name)) return name;
  reader.report(line, "there is no screen '" + name + "'", "Write one of " + namesOf(screens()));
  return {};
}

/// Reads the keys in the order of their table, as later ones may depend on earlier ones.
template <class Target, std::size_t count>
void readKeys(const YAML::Node& block, const Key<Target> (&keys)[count], Target& target,
              std::int64_t first_line, Reader& reader, const std::string& of) {
  const auto named = [](const auto& entry, const Key<Target>& key) {
    return entry.first.IsScalar() && entry.first.Scalar() == key.words.name;
  };
  for (const auto& entry : block) {
    if (std::ranges::any_of(keys, [&](const Key<Target>& key) { return named(entry, key); }))
      continue;
    const std::int64_t line = first_line + entry.first.Mark().line;
    std::vector<std::string_view> names;
    for (const Key<Target>& key : keys) names.push_back(key.words.name);
    if (entry.first.IsScalar())
      reader.report(line, of + " knows no '" + entry.first.Scalar() + "'",
                    "Write one of " + namesOf(names));
    else
      reader.report(line, of + " has a key that is no word", "Write one key a line: title: ...");
  }
  for (const Key<Target>& key : keys)
    for (const auto& entry : block)
      if (named(entry, key))
        key.read(target, {entry.second, std::string(key.words.name), first_line, reader});
}

const Key<Question> kQuestionKeys[] = {
    {{"ask", "The question."}, [](Question& q, const Given& g) { q.ask = g.text(); }},
    {{"choices", "Two or more answers to choose from; without them the answer is a number."},
     [](Question& q, const Given& g) { q.choices = g.plainTexts(); }},
    {{"right", "The right choice, or a number or live value such as \"{loss}\"."},
     [](Question& q, const Given& g) { q.right = g.text(); }},
    {{"within", "How far from the right number an answer may be."},
     [](Question& q, const Given& g) { q.within = g.number(); }},
};

std::optional<Question> questionFrom(const Given& given, bool must_be_right) {
  Question question;
  question.line = given.line();
  if (!given.node.IsMap()) {
    given.refuse("a block with ask, choices and right");
    return std::nullopt;
  }
  readKeys(given.node, kQuestionKeys, question, given.first_line, given.reader,
           "'" + given.key + "'");
  const auto refuse = [&](const std::string& what, const std::string& mend) {
    given.reader.report(question.line, what, mend);
  };
  if (question.ask.empty()) refuse("'" + given.key + "' asks nothing", "Add ask: ...");
  if (question.choices.size() == 1)
    refuse("'" + given.key + "' has a single choice", "Add another to choices");
  if (!question.choices.empty() && !question.right.empty() &&
      std::ranges::count(question.choices, question.right) == 0)
    refuse("the right answer '" + question.right + "' is not among the choices",
           "Copy it from choices, letter for letter");
  if (question.choices.empty() && !question.right.empty() && valuesIn(question.right).empty() &&
      !realNumberIn(question.right))
    refuse("the right answer '" + question.right + "' is not a number",
           "Write a number, a live value such as \"{loss}\", or choices");
  if (must_be_right && question.right.empty())
    refuse("'" + given.key + "' has no right answer", "Add right: ..., or make it a prediction");
  return question;
}

/// `deed`: what is done with them, as a verb.
std::vector<Pointed> targetsFrom(const Given& given, std::string_view screen,
                                 const std::string& deed) {
  std::vector<Pointed> found;
  for (const auto& [name, line] : given.texts())
    if (const auto target = targetNamed(name, screen))
      found.push_back({*target, line});
    else
      given.reader.report(line, "there is nothing called '" + name + "' to " + deed,
                          "transformarium-cli lesson words lists all; where several screens have "
                          "it, write the screen first: Grow, The matrices");
  return found;
}

const Key<Lesson> kHeadKeys[] = {
    {{"title", "The name of the lesson."}, [](Lesson& l, const Given& g) { l.title = g.text(); }},
    {{"needs", "What one has to know before."},
     [](Lesson& l, const Given& g) { l.needs = g.text(); }},
    {{"goals", "What one can do afterwards: a list."},
     [](Lesson& l, const Given& g) { l.goals = g.plainTexts(); }},
    {{"minutes", "How long it takes."},
     [](Lesson& l, const Given& g) {
       const auto minutes = wholeNumberIn(g.text());
       if (!minutes || *minutes < 1) g.refuse("a whole number from 1");
       l.minutes = minutes.value_or(0);
     }},
    {{"start",
      "The document that it begins with, relative to the lesson's folder, or preset NAME."},
     [](Lesson& l, const Given& g) { l.start = g.text(), l.start_line = g.line(); }},
    {{"data", "A text file that the preset learns from, relative to the lesson's folder."},
     [](Lesson& l, const Given& g) { l.data = g.text(); }},
    {{"text", "What the model reads at first."},
     [](Lesson& l, const Given& g) { l.text = g.text(); }},
    {{"screens", "The screens that it uses: a list; without it, all."},
     [](Lesson& l, const Given& g) {
       for (const auto& [name, line] : g.texts())
         if (std::string screen = screenFrom(name, line, g.reader); !screen.empty())
           l.screens.push_back(std::move(screen));
     }},
    {{"same numbers",
      "yes: the same numbers on every machine, at half the speed; see --same-numbers."},
     [](Lesson& l, const Given& g) { l.same_numbers = g.yes(); }},
    {{"locked", "What cannot be used while it is open, by the names that F1 and the menu give."},
     [](Lesson& l, const Given& g) { l.locked = targetsFrom(g, {}, "lock"); }},
    {{"password", "Unlocks it: as lesson password gives it, or in plain text."},
     [](Lesson& l, const Given& g) { l.password = g.text(); }},
    {{"exam", "yes: a clock runs, no hints, and leaving is recorded."},
     [](Lesson& l, const Given& g) { l.exam = g.yes(); }},
};

const Key<Page> kPageKeys[] = {
    {{"part", "What the page is for: warm-up, play, page, question or experiment."},
     [](Page& p, const Given& g) {
       const std::string word = g.text();
       const auto found = std::ranges::find(kParts, word);
       if (found == kParts.end())
         g.reader.report(g.line(), "there is no part '" + word + "'",
                         "Write one of " + namesOf(kParts));
       else
         p.part = Part(found - kParts.begin());
     }},
    {{"screen", "The screen that opens with the page."},
     [](Page& p, const Given& g) { p.screen = screenFrom(g.text(), g.line(), g.reader); }},
    {{"inspector", "yes: the right panel opens with the page."},
     [](Page& p, const Given& g) { p.inspector = g.yes(); }},
    {{"point", "What the page points at, by the names that F1 gives: a list."},
     [](Page& p, const Given& g) { p.point = targetsFrom(g, p.screen, "point at"); }},
    {{"do", "What to do, in one sentence."}, [](Page& p, const Given& g) { p.deed = g.text(); }},
    {{"check", "What the program has to see before the page is done: one or a list."},
     [](Page& p, const Given& g) {
       for (const auto& [text, line] : g.texts())
         g.reader.at(line, [&, text = text, line = line] {
           p.checks.push_back(checkFromText(text));
           p.checks.back().line = line;
         });
     }},
    {{"predict", "What to predict before doing it: ask, choices, right, within."},
     [](Page& p, const Given& g) { p.prediction = questionFrom(g, false); }},
    {{"question", "What to answer: ask, choices, right, within."},
     [](Page& p, const Given& g) { p.question = questionFrom(g, true); }},
    {{"hints", "Shown one by one, when asked for or after a wrong answer: a list."},
     [](Page& p, const Given& g) { p.hints = g.plainTexts(); }},
    {{"solution", "Shown after the last hint."},
     [](Page& p, const Given& g) { p.solution = g.text(); }},
    {{"notes", "For the teacher alone."}, [](Page& p, const Given& g) { p.notes = g.text(); }},
};

/// The text of a lesson, and what md4c finds in it. Its texts are places in the source.
class Outline {
 public:
  explicit Outline(std::string_view source) : source_(source) {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
      static_cast<Outline*>(self)->enter(type, detail);
      return 0;
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
      static_cast<Outline*>(self)->leave(type);
      return 0;
    };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
      static_cast<Outline*>(self)->enterSpan(type, detail);
      return 0;
    };
    parser.leave_span = [](MD_SPANTYPE, void*, void*) { return 0; };
    parser.text = [](MD_TEXTTYPE, const MD_CHAR* text, MD_SIZE size, void* self) {
      static_cast<Outline*>(self)->take({text, size});
      return 0;
    };
    md_parse(source.data(), MD_SIZE(source.size()), &parser, this);
  }

  /// A heading of level 1, or a block ```page with its fences, as lines counted from 0.
  struct Found {
    bool block = false;
    std::size_t first_line = 0, last_line = 0;
  };
  const std::vector<Found>& found() const { return found_; }
  /// Links and pictures, with their lines counted from 0.
  struct Link {
    std::string target;
    std::size_t line = 0;
  };
  const std::vector<Link>& links() const { return links_; }

 private:
  void enterSpan(MD_SPANTYPE type, void* detail) {
    if (type != MD_SPAN_A && type != MD_SPAN_IMG) return;
    const MD_ATTRIBUTE& target = type == MD_SPAN_A ? static_cast<MD_SPAN_A_DETAIL*>(detail)->href
                                                   : static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src;
    links_.push_back({std::string(target.text, target.size)});
    link_waits_ = true;  // for the line of its words
  }
  void enter(MD_BLOCKTYPE type, void* detail) {
    inside_ = false;
    if (type == MD_BLOCK_H && static_cast<MD_BLOCK_H_DETAIL*>(detail)->level == 1) {
      inside_ = true;
      now_ = {};
    } else if (type == MD_BLOCK_CODE) {
      const MD_ATTRIBUTE& info = static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->info;
      inside_ = std::string_view(info.text, info.size) == "page";
      now_ = {.block = true};
    }
    begun_ = false;
  }
  void take(std::string_view text) {
    // Line ends of code are md4c's own text.
    if (text.data() < source_.data() || text.data() > source_.data() + source_.size()) return;
    if (!inside_ && !link_waits_) return;
    const auto line = std::size_t(std::count(source_.data(), text.data(), '\n'));
    if (std::exchange(link_waits_, false)) links_.back().line = line;
    if (!inside_) return;
    if (!begun_) now_.first_line = line;
    begun_ = true;
    now_.last_line = line;
  }
  void leave(MD_BLOCKTYPE type) {
    if (!inside_ || (type != MD_BLOCK_H && type != MD_BLOCK_CODE)) return;
    inside_ = false;
    if (!begun_) return;
    if (now_.block) --now_.first_line, ++now_.last_line;
    found_.push_back(now_);
  }

  std::string_view source_;
  std::vector<Found> found_;
  std::vector<Link> links_;
  Found now_;
  bool inside_ = false, begun_ = false, link_waits_ = false;
};

/// Lines `first` to `last` as one text.
std::string joined(const std::vector<std::string_view>& lines, std::size_t first,
                   std::size_t last) {
  std::string text;
  for (std::size_t i = first; i < last; ++i) text += std::string(lines[i]) + "\n";
  return text;
}

/// Reads YAML whose first line is this one of the file. Null where it is none.
YAML::Node yamlFrom(const std::string& text, std::int64_t first_line, Reader& reader) {
  try {
    YAML::Node node = YAML::Load(text);
    if (node.IsMap() || node.IsNull()) return node;
    reader.report(first_line, "this is no list of keys", "Write one key a line: title: ...");
  } catch (const YAML::Exception& problem) {
    reader.report(first_line + std::max(0, problem.mark.line), "this is no YAML: " + problem.msg,
                  "Put texts with : or # into quotation marks, and indent lists by two blanks");
  }
  return {};
}

/// Reports what values of a text the program does not know.
void requireValues(const std::string& text, std::int64_t first_line, Reader& reader) {
  for (const UsedValue& used : valuesIn(text)) {
    if (isTensorNumber(used.name)) continue;
    const auto line =
        first_line + std::count(text.begin(), text.begin() + std::ptrdiff_t(used.begin), '\n');
    if (std::ranges::find(valueKinds(), used.name, &ValueKind::name) == valueKinds().end())
      reader.report(line, "there is no value {" + used.name + "}",
                    "transformarium-cli lesson words lists all; a brace that means itself is "
                    "written \\{");
  }
}

/// The head: the lines between the first two of ---. Returns the line after it.
std::size_t readHead(const std::vector<std::string_view>& lines, Lesson& lesson, Reader& reader) {
  constexpr std::string_view kFence = "---";
  if (lines.empty() || lines.front() != kFence) {
    reader.report(1, "the lesson has no head", "Begin it with a line ---, then title: ...");
    return 0;
  }
  const auto end = std::find(lines.begin() + 1, lines.end(), kFence);
  if (end == lines.end()) {
    reader.report(1, "the head does not end", "Put a line --- after it");
    return lines.size();
  }
  const auto last = std::size_t(end - lines.begin());
  constexpr std::int64_t kFirst = 2;
  readKeys(yamlFrom(joined(lines, 1, last), kFirst, reader), kHeadKeys, lesson, kFirst, reader,
           "the head");
  const auto require = [&](bool there, const char* key) {
    if (!there)
      reader.report(1, "the head has no '" + std::string(key) + "'",
                    "Add " + std::string(key) + ": ...");
  };
  require(!lesson.title.empty(), "title");
  require(!lesson.start.empty(), "start");
  require(lesson.minutes > 0, "minutes");
  return last + 1;
}

void readPages(const std::vector<std::string_view>& lines, std::size_t begin, Lesson& lesson,
               Reader& reader) {
  // The outline counts lines from where the pages begin.
  const std::string body = joined(lines, begin, lines.size());
  const Outline outline(body);
  std::vector<bool> had_block;
  std::size_t next = begin;
  const auto take_text = [&](std::size_t end) {
    const std::string text = joined(lines, next, end);
    if (!lesson.pages.empty()) {
      requireValues(text, std::int64_t(next) + 1, reader);
      lesson.pages.back().markdown += text;
    } else if (text.find_first_not_of(" \n") != std::string::npos) {
      reader.report(std::int64_t(next) + 1, "this text belongs to no page",
                    "Begin the page with its question: # What ...?");
    }
  };
  for (const Outline::Found& found : outline.found()) {
    const std::size_t first = begin + found.first_line, last = begin + found.last_line;
    take_text(first);
    next = last + 1;
    const auto line = std::int64_t(first) + 1;
    if (!found.block) {
      std::string_view title = lines[first];
      title.remove_prefix(std::min(title.find_first_not_of("# "), title.size()));
      Page page;
      page.title = title;
      page.line = line;
      lesson.pages.push_back(std::move(page));
      had_block.push_back(false);
      continue;
    }
    if (lesson.pages.empty()) {
      reader.report(line, "this block belongs to no page",
                    "Begin the page with its question: # What ...?");
      continue;
    }
    if (had_block.back()) reader.report(line, "the page has two blocks", "Put their keys into one");
    had_block.back() = true;
    lesson.pages.back().markdown.append(last - first + 1, '\n');  // keeps lines countable
    readKeys(yamlFrom(joined(lines, first + 1, last), line + 1, reader), kPageKeys,
             lesson.pages.back(), line + 1, reader, "a page");
  }
  take_text(lines.size());
  for (const Outline::Link& link : outline.links())
    lesson.links.push_back({link.target, std::int64_t(begin + link.line) + 1});
  if (lesson.pages.empty())
    reader.report(std::int64_t(begin) + 1, "the lesson has no pages",
                  "Begin a page with its question: # What ...?");
}

/// What one page alone does not tell.
void requireSense(const Lesson& lesson, Reader& reader) {
  for (const Page& page : lesson.pages) {
    if (!page.screen.empty() && !lesson.screens.empty() &&
        std::ranges::count(lesson.screens, page.screen) == 0)
      reader.report(page.line,
                    "the page opens " + page.screen + ", which is not one of the lesson's screens",
                    "Add it to screens in the head");
    for (const Pointed& pointed : page.point)
      if (std::ranges::count(lesson.locked, pointed.target, &Pointed::target) > 0)
        reader.report(pointed.line,
                      "the page points at '" + std::string(targets()[pointed.target].name) +
                          "', which the lesson locks",
                      "Take it from locked in the head, or from point");
    if (!page.checks.empty() && page.deed.empty())
      reader.report(page.checks.front().line, "nobody says what to do for this check",
                    "Add do: ... to the page");
    if (page.prediction && page.checks.empty())
      reader.report(page.prediction->line, "nothing follows the prediction",
                    "Add do: and check:, the deed that shows what comes out");
    if (!page.solution.empty() && page.hints.empty())
      reader.report(page.line, "the page has a solution and no hints", "Add at least one to hints");
  }
  for (std::size_t i = 1; i < lesson.pages.size(); ++i)
    if (lesson.pages[i].part < lesson.pages[i - 1].part)
      reader.report(lesson.pages[i].line,
                    "'" + std::string(partName(lesson.pages[i].part)) + "' comes after '" +
                        std::string(partName(lesson.pages[i - 1].part)) + "'",
                    "Keep the order: " + namesOf(kParts));
}

}  // namespace

std::string_view partName(Part part) { return kParts[std::size_t(part)]; }

std::string placeOf(const std::string& name, std::int64_t line) {
  return name + ":" + std::to_string(line);
}

std::vector<KeyWords> headKeys() {
  std::vector<KeyWords> keys;
  for (const auto& key : kHeadKeys) keys.push_back(key.words);
  return keys;
}

std::vector<KeyWords> pageKeys() {
  std::vector<KeyWords> keys;
  for (const auto& key : kPageKeys) keys.push_back(key.words);
  return keys;
}

ReadLesson readLesson(std::string_view text, const std::string& name) {
  ReadLesson read;
  Reader reader(name, read.problems);
  const std::vector<std::string_view> lines = linesOf(text);
  const std::size_t begin = readHead(lines, read.lesson, reader);
  readPages(lines, begin, read.lesson, reader);
  requireSense(read.lesson, reader);
  return read;
}

ReadLesson readLessonFile(const std::filesystem::path& path) {
  constexpr std::uint64_t kMostBytes = 10'000'000;
  return readLesson(io::readFile(path, kMostBytes), path.string());
}

}  // namespace tfm::lesson
