// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/lesson/check.h"
#include "core/lesson/lesson_check.h"
#include "core/lesson/lesson_edit.h"
#include "core/lesson/lesson_html.h"
#include "core/lesson/live_values.h"
#include "core/lesson/password.h"
#include "core/lesson/progress.h"
#include "core/lesson/targets.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::lesson;

namespace {

const std::filesystem::path kFolder =
    std::filesystem::path(TFM_TEST_DATA).parent_path() / "resources" / "lessons";

/// A lesson without mistakes; its lines are counted below.
const std::string kGood =
    "---\n"                                               // 1
    "title: T\n"                                          // 2
    "minutes: 5\n"                                        // 3
    "start: ../documents/rot13.safetensors\n"             // 4
    "text: there\n"                                       // 5
    "---\n"                                               // 6
    "# What is there?\n"                                  // 7
    "It has {parameters} numbers.\n"                      // 8
    "```page\n"                                           // 9
    "screen: Attention\n"                                 // 10
    "point: The large map\n"                              // 11
    "do: Click a cell.\n"                                 // 12
    "check: a cell of a cross-attention map is locked\n"  // 13
    "```\n"                                               // 14
    "More, and `\\{braces}`.\n"                           // 15
    "# How many heads?\n"                                 // 16
    "```page\n"                                           // 17
    "part: question\n"                                    // 18
    "question:\n"                                         // 19
    "  ask: How many?\n"                                  // 20
    "  right: \"{heads}\"\n"                              // 21
    "```\n";                                              // 22

/// The good lesson with one place changed.
std::string with(const std::string& from, const std::string& to) {
  std::string text = kGood;
  const std::size_t at = text.find(from);
  if (at == std::string::npos) qFatal("the good lesson has no '%s'", from.c_str());
  return text.replace(at, from.size(), to);
}

std::vector<Error> problemsOf(const std::string& text) {
  return play(readLesson(text, "L.md"), "L.md", kFolder, 1);
}

std::string listed(const std::vector<Error>& problems) {
  std::string text;
  for (const Error& one : problems)
    text += one.where() + ": " + one.problem() + " | " + one.hint() + "\n";
  return text;
}

/// A check of a kind.
std::string written(const CheckKind& kind) {
  static const std::map<std::string_view, std::string> kWords{
      {"<number>", "0.5"},
      {"<whole>", "1"},
      {"<text>", "\"gurer\""},
      {"<screen>", "Flow"},
      {"<attention>", "encoder self-attention"},
      {"<stage>", "scaled"},
      {"<pin>", "B"},
      {"<expansion>", "feed-forward width"}};
  if (kind.pattern == "<text> is in force") return "\"decoder.layers.0=0\" is in force";
  if (kind.pattern == "the text is not <text>") return "the text is not \"there\"";
  if (kind.pattern == "at least <whole> steps of training") return "at least 601 steps of training";
  std::string text(kind.pattern);
  for (const auto& [slot, word] : kWords)
    for (std::size_t at; (at = text.find(slot)) != std::string::npos;)
      text.replace(at, slot.size(), word);
  return text;
}

Desk opened() { return Desk(startOf(readLesson(kGood, "L.md").lesson, filesIn(kFolder))); }

}  // namespace

class TestLesson : public QObject {
  Q_OBJECT

 private slots:
  void aGoodLessonIsPlayed() {
    const ReadLesson read = readLesson(kGood, "L.md");
    std::vector<std::string> texts, rights;
    const auto problems = play(read, "L.md", kFolder, 1, [&](const PlayedPage& played) {
      texts.push_back(played.shown.markdown);
      rights.push_back(played.right);
      QVERIFY(played.done);
    });
    QCOMPARE(listed(problems), std::string());
    QCOMPARE(texts.size(), std::size_t(2));
    QVERIFY(texts[0].find("It has " + std::to_string(opened().situation().parameters) +
                          " numbers.") != std::string::npos);
    QVERIFY(texts[0].find("`{braces}`") != std::string::npos);
    QCOMPARE(
        rights[1],
        std::to_string(
            observe::unitsOf(opened().document().state.config, observe::UnitKind::Heads).size()));
  }

  void mistakesAreNamedWithLineAndMend_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("what");
    const auto add = [](const char* name, const std::string& text, int line, const char* what) {
      QTest::newRow(name) << QString::fromStdString(text) << line << QString(what);
    };
    add("no head", kGood.substr(4), 1, "the lesson has no head");
    add("a head without end", "---\ntitle: T\n", 1, "the head does not end");
    add("no YAML", with("title: T", "title: T: U"), 2, "this is no YAML");
    add("an unknown key", with("minutes: 5", "minuts: 5"), 3, "the head knows no 'minuts'");
    add("a missing key", with("title: T\n", ""), 1, "the head has no 'title'");
    add("no number", with("minutes: 5", "minutes: ten"), 3, "'minutes' is not a whole number");
    add("an unknown screen", with("screen: Attention", "screen: Attentoin"), 10,
        "there is no screen 'Attentoin'");
    add("an unknown target", with("The large map", "The big map"), 11,
        "there is nothing called 'The big map'");
    add("a target of several screens",
        with("screen: Attention\npoint: The large map", "point: The matrices"), 10,
        "there is nothing called 'The matrices'");
    add("an unknown check", with("a cell of a cross-attention map is locked", "all is well"), 13,
        "there is no check 'all is well'");
    add("a wrong word in a check", with("cross-attention", "crossed"), 13,
        "'crossed map is locked' is not cross-attention");
    add("a check without a deed", with("do: Click a cell.\n", ""), 12,
        "nobody says what to do for this check");
    add("an unknown value", with("{parameters}", "{paramters}"), 8,
        "there is no value {paramters}");
    add("a tensor that the model lacks", with("{parameters}", "{encoder.layers.7[0, 0]}"), 8,
        "'encoder.layers.7[0, 0]' names no tensor");
    add("a place outside a tensor", with("{parameters}", "{output[0, 999]}"), 8,
        "'output[0, 999]' is outside the tensor");
    add("a question without an answer", with("  right: \"{heads}\"\n", ""), 20,
        "'question' has no right answer");
    add("a right answer that is no choice",
        with("  right: \"{heads}\"\n", "  choices: [one, two]\n  right: three\n"), 20,
        "the right answer 'three' is not among the choices");
    add("a start that is missing", with("rot13.safetensors", "rot14.safetensors"), 4,
        "the start does not open");
    add("a link to nothing", with("More,", "[More](more.md),"), 15, "the link leads to 'more.md'");
    add("a check that holds already",
        with("a cell of a cross-attention map is locked", "the text is \"there\""), 13,
        "the check holds before anything was done");
    add("a check out of reach",
        with("a cell of a cross-attention map is locked", "head 999 is off"), 13,
        "this model has no head 999");
    add("a locked part that is none", with("title: T", "title: T\nlocked: [Plai]"), 3,
        "there is nothing called 'Plai' to lock");
    add("a page that points at what is locked",
        with("title: T", "title: T\nlocked: \"Attention, The large map\""), 12,
        "the page points at 'The large map', which the lesson locks");
    add("two blocks", with("More,", "```page\nscreen: Grow\n```\nMore,"), 15,
        "the page has two blocks");
    add("text before the pages", with("# What is there?", "Hello\n# What is there?"), 7,
        "this text belongs to no page");
    add("a wrong order", with("part: question", "part: warm-up"), 16,
        "'warm-up' comes after 'page'");
  }

  void mistakesAreNamedWithLineAndMend() {
    QFETCH(const QString, text);
    QFETCH(const int, line);
    QFETCH(const QString, what);
    const std::vector<Error> problems = problemsOf(text.toStdString());
    const std::string where = "L.md:" + std::to_string(line);
    const auto named = [&](const Error& problem) {
      return problem.where() == where && problem.problem().starts_with(what.toStdString());
    };
    QVERIFY2(std::ranges::any_of(problems, named), listed(problems).c_str());
    for (const Error& problem : problems) QVERIFY2(!problem.hint().empty(), problem.what());
  }

  /// Each kind of check is false at first, true after its deed, and written as its pattern.
  void everyCheckHoldsAfterItsDeedAlone() {
    for (const CheckKind& kind : checkKinds()) {
      const std::string text = written(kind);
      const Check check = checkFromText(text);
      QCOMPARE(std::string(checkKinds()[check.kind].pattern), std::string(kind.pattern));
      Desk desk = opened();
      const bool learned = text.starts_with("held-out");  // the opening model has
      QVERIFY2(holds(check, desk.situation()) == learned, text.c_str());
      perform(check, desk);
      QVERIFY2(holds(check, desk.situation()), text.c_str());
    }
  }

  /// What a recording offers: what holds after a deed and not before.
  void whatADeedHasDoneIsSeen() {
    for (const CheckKind& kind : checkKinds()) {
      const std::set<std::string> free{"at least <whole> steps of training",
                                       "held-out accuracy at least <number>",
                                       "held-out loss at most <number>", "the text is not <text>"};
      const Check check = checkFromText(written(kind));
      Desk desk = opened();
      const std::vector<std::string> before = checksThatHold(desk.situation());
      perform(check, desk);
      std::vector<std::string> seen;
      for (const std::string& text : checksThatHold(desk.situation())) {
        QVERIFY2(holds(checkFromText(text), desk.situation()), text.c_str());
        if (std::ranges::count(before, text) == 0) seen.push_back(text);
      }
      if (free.contains(std::string(kind.pattern))) continue;  // seen with numbers of their own
      QVERIFY2(std::ranges::count(seen, check.text) == 1, check.text.c_str());
    }
    const std::vector<std::string> at_first = checksThatHold(opened().situation());
    QVERIFY(std::ranges::count(at_first, "at least 600 steps of training") == 1);
    QVERIFY(std::ranges::count(at_first, "held-out accuracy at least 1") == 1);
    QVERIFY(std::ranges::count(at_first, "the text is \"there\"") == 1);
  }

  void asHtmlItNeedsNothingElse() {
    std::string source = kGood;
    source.replace(source.find("More,"), 5,
                   "<script>x</script> [softmax](manual:glossary.md#softmax),");
    const ReadLesson read = readLesson(source, "L.md");
    std::vector<Page> shown;
    const auto problems = play(read, "L.md", kFolder, 1,
                               [&](const PlayedPage& played) { shown.push_back(played.shown); });
    QCOMPARE(listed(problems), std::string());
    const std::string html = toHtml(read.lesson, shown);
    const auto has = [&](const std::string& text) { return html.find(text) != std::string::npos; };
    QVERIFY(has("It has " + std::to_string(opened().situation().parameters) + " numbers."));
    QVERIFY(has("<h2>How many heads?</h2>") && has("<summary>Answer</summary><p>21</p>"));
    QVERIFY(has("&lt;script&gt;") && !has("<script"));
    QVERIFY(has(" softmax,") && !has("manual:"));
    QVERIFY(!has("http") && !has("{parameters}") && !has("```"));
  }

  void keysAreAddedToThePageAtTheCursor() {
    const std::string source =
        "---\ntitle: T\n---\n# A?\nText.\n# B?\n\n```page\npoint: Play\n```\n";
    QVERIFY(!pageAt(source, 2));
    QCOMPARE(*pageAt(source, 5), std::size_t(0));
    QCOMPARE(*pageAt(source, 9), std::size_t(1));
    QCOMPARE(withKey(source, 4, "check", "the text is \"a: b\""),
             std::string("---\ntitle: T\n---\n# A?\nText.\n\n```page\ncheck: \"the text is "
                         "\\\"a: b\\\"\"\n```\n# B?\n\n```page\npoint: Play\n```\n"));
    std::string two = withKey(source, 9, "point", "Time");
    QVERIFY(two.ends_with("```page\npoint:\n  - Play\n  - Time\n```\n"));
    two = withKey(two, 9, "point", "Start over");
    QVERIFY(two.ends_with("point:\n  - Play\n  - Time\n  - Start over\n```\n"));
    two = withKey(two, 9, "screen", "Flow");
    two = withKey(two, 9, "screen", "Grow");  // replaced
    QVERIFY(two.ends_with("  - Start over\nscreen: Grow\n```\n"));
    const ReadLesson read = readLesson(withPage(two, 5), "L.md");
    QCOMPARE(read.lesson.pages.size(), std::size_t(3));
    QCOMPARE(read.lesson.pages[2].screen, std::string("Grow"));
    QCOMPARE(read.lesson.pages[2].point.size(), std::size_t(3));
    QVERIFY(problemOf([&] { (void)withKey(source, 1, "screen", "Flow"); }));
    QVERIFY(problemOf([&] { (void)withKey(source, 5, "screan", "Flow"); }));
  }

  void aNewLessonIsAnOpenDoor() {
    train::WindowState shown;
    shown.screen = "Attention";
    shown.texts = {"a: b # c"};
    const std::string source = newLesson("../documents/rot13.safetensors", shown);
    const ReadLesson read = readLesson(source, "L.md");
    QCOMPARE(listed(read.problems), std::string());
    QCOMPARE(read.lesson.text, std::string("a: b # c"));
    QCOMPARE(read.lesson.pages.front().screen, std::string("Attention"));
  }

  void accuracyIsTrainedFor() {
    std::string text = with("../documents/rot13.safetensors", "preset rot13");
    const std::string check = "held-out accuracy at least 0.01";
    text.replace(text.find("a cell of a cross-attention map is locked"), 41, check);
    Desk desk(startOf(readLesson(text, "L.md").lesson, filesIn(kFolder)));
    QVERIFY(!holds(checkFromText(check), desk.situation()));
    const auto problem = problemOf(
        [&] { desk.trainUntil(20, [](const Situation& now) { return now.step >= 30; }); });
    QVERIFY(problem && problem->problem() == "this is not reached within 20 steps");
    perform(checkFromText(check), desk);
    QVERIFY(desk.situation().step >= 100);
    QVERIFY(desk.document().history.evaluations.back().accuracy >= 0.01);
  }

  void aPageIsDoneByPredictionDeedAndAnswer() {
    Page page;
    page.checks.push_back(checkFromText("the Flow screen is open"));
    page.prediction = Question{"?", {"a", "b"}, {}, 0.0, 0};
    page.question = Question{"?", {}, "3", 0.1, 0};
    Desk desk = opened();
    PageProgress progress;
    const auto done = [&] { return isDone(page, desk.situation(), progress, "3"); };
    desk.window().screen = "Flow";
    QVERIFY(!done());
    progress.prediction = "b";  // right or wrong
    QVERIFY(!done());
    progress.answer = "3.2";
    QVERIFY(!done());
    progress.answer = "2.95";
    QVERIFY(done());
    desk.window().screen = "Grow";
    QVERIFY(!done());
    progress.done = true;  // once
    QVERIFY(done());
    progress.done = false;
    desk.window().screen = "Flow";
    QVERIFY(!isDone(page, desk.situation(), progress, std::nullopt));    // not known yet
    QVERIFY(!isDone(Page{}, desk.situation(), progress, std::nullopt));  // asks nothing
  }

  void locksPasswordAndExamAreRead() {
    std::string text = kGood;
    text.insert(
        text.find("---\n#"),
        "locked: [Start over, New run, \"Grow, The matrices\"]\npassword: p:w\nexam: yes\n");
    const ReadLesson read = readLesson(text, "t.lesson.md");
    QVERIFY(read.problems.empty());
    std::vector<std::string> names;
    for (const Pointed& locked : read.lesson.locked)
      names.push_back(std::string(targets()[locked.target].screen) + "/" +
                      std::string(targets()[locked.target].name));
    QCOMPARE(names, (std::vector<std::string>{"/Start over", "Menu/New run", "Grow/The matrices"}));
    QCOMPARE(read.lesson.password, std::string("p:w"));
    QVERIFY(read.lesson.exam);
  }

  void aPasswordIsKnownFromItsHashAlone() {
    const std::string hash = hashedPassword("a b"), again = hashedPassword("a b");
    QVERIFY(hash.starts_with("$y$") && hash != again && hash.find("a b") == std::string::npos);
    QVERIFY(unlocks("a b", hash) && unlocks("a b", again));
    QVERIFY(!unlocks("a b ", hash) && !unlocks("", hash) && !unlocks(hash, hash));
    QVERIFY(unlocks("plain", "plain") && !unlocks("", "plain"));
    QVERIFY(!unlocks("x", "$nonsense"));
    QVERIFY(unlocks("whatever", ""));
    QVERIFY_EXCEPTION_THROWN(hashedPassword(""), Error);
  }

  void absencesAreKept() {
    Progress progress;
    progress.pages.resize(2);
    progress.pages[1].answer = "3";
    progress.begun = 1'800'000'000;
    progress.seen = 90;
    progress.absences = {{12, 30}, {60, 5}};
    QVERIFY(progressFromJson(toJson(progress), "t") == progress);
    QCOMPARE(secondsAway(progress.absences), std::int64_t{35});
  }

  void aLiveValueIsTheModelsNumber() {
    Desk desk = opened();
    Page page;
    page.markdown = "{decoder.layers.0.cross_attention.probabilities[1, 2, 3]} {answer}";
    const auto snapshot = snapshotFor(page, desk);
    const Situation now = desk.situation();
    std::string shown;
    const ValueSource source{now, snapshot, [&](double value) {
                               shown = std::to_string(value);
                               return shown;
                             }};
    const std::string text = withValues(page.markdown, source);
    const observe::Observed& maps =
        snapshot->observed.at("decoder.layers.0.cross_attention.probabilities");
    const auto queries = std::int64_t(snapshot->probe.decoder_labels.size());
    QCOMPARE(text, std::to_string(double(maps.at(queries + 2, 3))) + " gurer");
    QVERIFY(maps.at(queries + 2, 3) != maps.at(queries + 2, 2));  // the place matters
    QCOMPARE(withValues("{answer}", {now, nullptr, source.number}), std::string("…"));
  }

  void theShippedLessonsHaveNoMistakes() {
    int lessons = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
      if (!entry.path().string().ends_with(".lesson.md")) continue;
      ++lessons;
      const ReadLesson read = readLessonFile(entry.path());
      int done = 0, asking = 0, questions = 0;
      const auto problems =
          play(read, entry.path().filename().string(), kFolder, 2, [&](const PlayedPage& played) {
            asking += int(played.page.asks());
            done += int(played.done);
            questions += int(played.page.part == Part::Question);
          });
      QCOMPARE(listed(problems), std::string());
      QCOMPARE(done, asking);
      QCOMPARE(questions, 3);
      QVERIFY(read.lesson.minutes >= 10 && read.lesson.minutes <= 20);
    }
    QCOMPARE(lessons, 8);
  }
};

TFM_TEST(TestLesson)
#include "test_lesson.moc"
