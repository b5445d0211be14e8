// SPDX-License-Identifier: GPL-3.0-or-later
// What may be written in the options of transformarium-cli, of all verbs.
#include <CLI/App.hpp>
#include <QDir>
#include <QFile>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "app/cli/arm_text.h"
#include "app/cli/command_line.h"
#include "app/cli/growth_text.h"
#include "app/cli/plain_words.h"
#include "core/base/error.h"
#include "tests/app/cli/cli_program.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::cli;
using namespace tfm::test;

namespace {

const std::set<std::string> kNumbers{"N", "X"}, kLists{"N,N,...", "X,X,..."};
const std::set<std::string> kWords{"NAME", "WORD",    "KIND",   "LIST",   "STEP", "NAME=MODEL,...",
                                   "WHEN", "PATTERN", "NUMBER", "CHANGE", "FILE", "FOLDER"};

/// The name of the type that help shows, without a range.
std::string typeOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

/// Gives the option a value; the error, or nothing.
std::optional<Error> problemWith(CLI::Option& option, const std::string& value) {
  option.clear();
  option.add_result(value);
  return problemOf([&] { option.run_callback(); });
}

/// All options of all verbs that take a value.
class Options {
 public:
  Options() : parser_(makeParser(chosen_)) {
    for (CLI::App* verb : parser_->get_subcommands([](CLI::App*) { return true; })) add(*verb);
  }
  const std::vector<CLI::Option*>& all() const { return all_; }

 private:
  void add(CLI::App& app) {
    for (CLI::Option* option : app.get_options())
      if (option->get_items_expected_max() > 0) all_.push_back(option);
    for (CLI::App* group : app.get_subcommands([](CLI::App*) { return true; })) add(*group);
  }

  Action chosen_;
  std::unique_ptr<CLI::App> parser_;
  std::vector<CLI::Option*> all_;
};

/// The error of a command line, if it has one; its words may be in double quotes.
Error errorFor(const QString& line) {
  std::vector<std::string> words{"transformarium-cli"};
  for (const QString& word : QProcess::splitCommand(line)) words.push_back(word.toStdString());
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  const auto problem = problemOf([&] { actionFor(int(argv.size()), argv.data()); });
  return problem.value_or(Error("no error"));
}

}  // namespace

class TestCliGrammar : public QObject {
  Q_OBJECT

 private slots:
  void everyOptionHasAKnownType();
  void numbersAreReadInOneWay();
  void listsAreReadInOneWay();
  void emptyWordsAreRefused();
  void bytesThatAreNotUtf8AreRefused();
  void filesMayHaveAnyName();
  void whatIsMissingIsNamed_data();
  void whatIsMissingIsNamed();
  void theManualsCommandsAreRight();
  void numbersMeanWhatIsWritten();
  void growthsAreReadAndWritten_data();
  void growthsAreReadAndWritten();
  void growthsWithoutSenseAreRefused_data();
  void growthsWithoutSenseAreRefused();
  void schedulesAreReadAndWritten();
  void armsAreReadAndWritten_data();
  void armsAreReadAndWritten();
  void armsWithoutSenseAreRefused_data();
  void armsWithoutSenseAreRefused();
  void armsAreWhatIsWritten_data();
  void armsAreWhatIsWritten();
  void submodelsMustExist_data();
  void submodelsMustExist();
};

void TestCliGrammar::everyOptionHasAKnownType() {
  const Options options;
  QVERIFY(options.all().size() > 150);
  for (const CLI::Option* option : options.all()) {
    const std::string type = typeOf(*option);
    QVERIFY2(
        kNumbers.contains(type) || kLists.contains(type) || kWords.contains(type) || type == "TEXT",
        (nameOf(*option) + " has the type " + type).c_str());
  }
}

void TestCliGrammar::numbersAreReadInOneWay() {
  const Options options;
  int numbers = 0;
  for (CLI::Option* option : options.all()) {
    if (!kNumbers.contains(typeOf(*option))) continue;
    ++numbers;
    const std::string name = nameOf(*option);
    for (const char* bad : {"", " ", "0x10", "1,5", "1e400", "nan", "inf", "1 0", " 1", "1 ", "--1",
                            "+-1", "1_000", "x"}) {
      const auto problem = problemWith(*option, bad);
      QVERIFY2(problem, (name + " takes '" + bad + "'").c_str());
      QCOMPARE(problem->where(), name);
      QVERIFY2(problem->hint().starts_with("Allowed: "), problem->what());
    }
    // Where 10 is possible, 010 is it.
    const auto ten = problemWith(*option, "10"), octal = problemWith(*option, "010");
    QVERIFY2(ten.has_value() == octal.has_value(), name.c_str());
    if (!octal) QCOMPARE(option->results().front(), std::string("10"));
  }
  QVERIFY(numbers > 100);
}

void TestCliGrammar::listsAreReadInOneWay() {
  const Options options;
  int lists = 0;
  for (CLI::Option* option : options.all()) {
    if (!kLists.contains(typeOf(*option))) continue;
    ++lists;
    for (const char* bad : {"", ",", "8,", ",8", "8,,16", "8, 16", "0x8", "8;16", "8,nan"})
      QVERIFY2(problemWith(*option, bad), (nameOf(*option) + " takes " + bad).c_str());
    QVERIFY(!problemWith(*option, "08,010"));
    QCOMPARE(option->results().front(), std::string("8,10"));
  }
  QVERIFY(lists >= 3);
}

void TestCliGrammar::emptyWordsAreRefused() {
  const Options options;
  for (CLI::Option* option : options.all()) {
    if (!kWords.contains(typeOf(*option))) continue;
    const auto problem = problemWith(*option, "");
    QVERIFY2(problem, (nameOf(*option) + " takes an empty text").c_str());
    QVERIFY2(problem->where().ends_with(nameOf(*option)), problem->what());
  }
  QCOMPARE(errorFor("train --preset rot13 --lr= --out x").where(),
           std::string("--learning-rate or --lr"));
}

void TestCliGrammar::bytesThatAreNotUtf8AreRefused() {
  const Options options;
  for (CLI::Option* option : options.all()) {
    const std::string type = typeOf(*option);
    if (type == "FILE" || type == "FOLDER") continue;
    const auto problem = problemWith(*option, "a\xff");
    QVERIFY2(problem && !problem->hint().empty(), nameOf(*option).c_str());
    QVERIFY2(problem->where().ends_with(nameOf(*option)), problem->what());
  }
}

void TestCliGrammar::filesMayHaveAnyName() {
  QTemporaryDir folder;
  const auto inShell = [&](const QString& arguments) {  // QProcess passes UTF-8 alone
    QProcess shell;
    shell.setWorkingDirectory(folder.path());
    shell.start("sh", {"-c", "f=$(printf 'm\\377'); exec " + QString(TFM_CLI) + " " + arguments});
    return shell.waitForFinished(60'000) ? std::pair(shell.exitCode(), shell.readAllStandardError())
                                         : std::pair(-1, QByteArray());
  };
  const auto [code, problem] =
      inShell("train --preset rot13 --steps 1 --out \"$f.safetensors\" --log \"$f.jsonl\"");
  QVERIFY2(code == 0, problem.constData());
  const auto [again, other] =
      inShell("expand \"$f.safetensors\" --set heads=9 --out \"$f.2.safetensors\" --json");
  QVERIFY2(again == 0, other.constData());
  // A model keeps the name of its text.
  writeText(folder.filePath("book.txt"), QByteArray("the fox ").repeated(99));
  const auto [kept, named] = inShell(
      "train --preset character-model --data \"$(mv book.txt $f; echo $f)\" --steps 1 --out x");
  QCOMPARE(kept, 2);
  QVERIFY2(named.contains("where: --data"), named.constData());
  for (const auto& file : std::filesystem::directory_iterator(folder.path().toStdString()))
    std::filesystem::remove(file);  // Qt finds UTF-8 alone
}

void TestCliGrammar::whatIsMissingIsNamed_data() {
  QTest::addColumn<QString>("line");
  QTest::addColumn<QString>("problem");
  const auto row = [](const char* line, const char* problem) {
    QTest::newRow(line) << QString(line) << QString(problem);
  };
  row("train --preset rot13", "--out is required");
  row("train --preset rot13 --recipe a --out b",
      "--preset and --recipe are given, of which 1 is possible");
  row("train --preset rot13 --lr", "--learning-rate or --lr lacks its value");
  row("train --preset a --preset b --out c", "--preset is given more than once");
  row("train --preset a --epochs 1 --steps 2 --out c", "--steps is not possible with --epochs");
  row("train --preset a --matformer=maybe --out b", "--matformer is \"maybe\"");
  row("info m --json=s --json", "--json is \"s\"");
  row("train --out c", "one of --preset, --recipe, --config, --resume and --task is required");
  row("decode", "FILE is required");
  row("info", "FILE, --preset or --config is required");
  row("expand m --out x", "--plan, --set or --insert-layer is required");
  row("decode m a --length-penalty 2", "--length-penalty is only possible with --beam");
  row("importance m --of parts", "--of is \"parts\"");
}
void TestCliGrammar::whatIsMissingIsNamed() {
  QFETCH(const QString, line);
  QFETCH(const QString, problem);
  QCOMPARE(QString::fromStdString(errorFor(line).problem()), problem);
}

/// Also of commands that are not run by a test, such as those for a GPU.
void TestCliGrammar::theManualsCommandsAreRight() {
  QString text;
  const QDir docs(TFM_TEST_DATA "/../docs");
  QStringList pages{docs.filePath("../README.md")};
  for (const QString& page : docs.entryList({"*.md"})) pages << docs.filePath(page);
  for (const QString& page : pages) {
    QFile file(page);
    QVERIFY(file.open(QIODevice::ReadOnly));
    text += QString::fromUtf8(file.readAll());
  }
  text.replace(QRegularExpression(R"(\\\n\s*)"), " ");
  static const QRegularExpression kCommand(R"(\n    (?:\S*/)?transformarium-cli ([^\n|>#]*))");
  int commands = 0;
  for (auto all = kCommand.globalMatch(text); all.hasNext(); ++commands) {
    const QString line = all.next().captured(1).trimmed().replace('\'', '"');
    if (line.contains("--device")) continue;  // which looks for it
    const Error error = errorFor(line);
    QVERIFY2(error.problem() == "no error", (line + ": " + error.what()).toUtf8().constData());
  }
  QVERIFY(commands > 50);
}

void TestCliGrammar::numbersMeanWhatIsWritten() {
  QTemporaryDir folder;
  const Outcome run = runCli(folder.path(), {"train", "--preset", "rot13", "--steps", "010",
                                             "--batch-size", "010", "--json", "--out", "x"});
  QVERIFY2(run.code == 0, run.err.constData());
  QCOMPARE(run.json().value("step").toInt(), 10);
  const Outcome info = runCli(folder.path(), {"info", "x", "--json"});
  QCOMPARE(info.json().value("train").toObject().value("batch_size").toInt(), 10);
}

void TestCliGrammar::growthsAreReadAndWritten_data() {
  QTest::addColumn<QByteArray>("text");
  for (const char* text : {"feed_forward=16", "hidden=16,method=mask,mask_steps=5",
                           "layers=3,stack=decoder,position=0",
                           "key_size=8,layer=1+3,head=1+3,stack=decoder,attention=self",
                           "heads=9,unshare", "feed_forward=16,heads=9,hidden=24,allow_inexact"})
    QTest::newRow(text) << QByteArray(text);
}
void TestCliGrammar::growthsAreReadAndWritten() {
  QFETCH(const QByteArray, text);
  const auto plan = [](const std::string& written) {
    return planOf(growthsFromText(written, "--set"), "--set");
  };
  const expand::Plan read = plan(text.toStdString());
  QVERIFY(plan(textOf(read)) == read);
  QCOMPARE(plan(textOf(read)).size(), read.size());
  if (read.size() == 1)
    QCOMPARE(growthsFromText(textOf(read), "").front().choices.size(),
             std::size_t(text.count(',')));
}

void TestCliGrammar::growthsWithoutSenseAreRefused_data() {
  QTest::addColumn<QByteArray>("text");
  for (const char* text :
       {"hidden=16,mask_steps=5", "hidden=16,mask_steps=1000",
        "hidden=16,method=centre,mask_steps=5", "feed_forward=9,allow_inexact",
        "hidden=16,stack=decoder", "feed_forward=9,position=0", "heads=9,head=1",
        "hidden=16,method=mask,method=mask", "layers=3,position=1,position=2",
        "hidden=16,method=mask,mask_steps=1000,mask_steps=5", "encoder.decoder.layers=3",
        "feed_forward=0x10", "feed_forward=", "feed_forward= 16", "feed_forward=16,", "=3"})
    QTest::newRow(text) << QByteArray(text);
}
void TestCliGrammar::growthsWithoutSenseAreRefused() {
  QFETCH(const QByteArray, text);
  const auto problem =
      problemOf([&] { planOf(growthsFromText(text.toStdString(), "--set"), "--set"); });
  QVERIFY2(problem, "no error");
  QVERIFY2(problem->where().starts_with("--set"), problem->what());
}

void TestCliGrammar::schedulesAreReadAndWritten() {
  const auto read = scheduleFromTexts({"500:feed_forward=016,heads=9", "20:decoder.layers=3"});
  QCOMPARE(read.size(), std::size_t(3));
  QCOMPARE(read.front().step, std::int64_t(20));
  QCOMPARE(read[1].growth.size, std::int64_t(16));
  QVERIFY(scheduleFromTexts(textsOf(read)) == read);
  for (const char* text : {"heads=9", "5:", ":heads=9", "0x5:heads=9", "5 :heads=9", "-5:heads=9"})
    QVERIFY2(problemOf([&] { scheduleFromTexts({text}); }), text);
}

void TestCliGrammar::armsAreReadAndWritten_data() {
  QTest::addColumn<QByteArray>("text");
  for (const char* text :
       {"a=rot13", "a=rot13,hidden=16,matformer", "a=m.safetensors,granularity=S",
        "a=rot13,widths=2+4,600:feed_forward=16,900:hidden=16,method=mask"})
    QTest::newRow(text) << QByteArray(text);
}
void TestCliGrammar::armsAreReadAndWritten() {
  QFETCH(const QByteArray, text);
  const ArmText arm = armFromText(text.toStdString());
  QCOMPARE(QByteArray::fromStdString(textOf(arm)), text);
  QVERIFY(armFromText(textOf(arm)) == arm);
}

void TestCliGrammar::armsWithoutSenseAreRefused_data() {
  QTest::addColumn<QByteArray>("text");
  for (const char* text : {"rot13", "=rot13", "a=", "a=rot13,granularity",
                           "a=rot13,granularity=", "a=rot13,widths=", "a=rot13,hidden=99,hidden=16",
                           "a=rot13,granularity=Sa,granularity=S", "a=rot13,hidden",
                           "a=rot13,matformer=", "a=rot13,matformer,widths=2",
                           "a=rot13,decoder.heads=2,heads=3", "a=rot13,", "a=rot13,,hidden=16"})
    QTest::newRow(text) << QByteArray(text);
}
void TestCliGrammar::armsWithoutSenseAreRefused() {
  QFETCH(const QByteArray, text);
  const auto problem = problemOf([&] { armFromText(text.toStdString()); });
  QVERIFY2(problem, "no error");
  QCOMPARE(problem->where(), std::string("--arm"));
}

void TestCliGrammar::armsAreWhatIsWritten_data() {
  QTest::addColumn<QString>("arm");
  QTest::addColumn<QString>("problem");  // empty: none
  const auto row = [](const char* arm, const char* problem) {
    QTest::newRow(arm) << QString(arm) << QString(problem);
  };
  row("rot13,matformer=false", "");
  row("rot13,matformer=true", "");
  row("rot13,matformer=banana", "matformer is \"banana\"");
  row("rot13,hidden=016", "");
  row("rot13,hidden=0x10", "hidden is \"0x10\"");
  row("rot13,final_norm=yes", "final_norm is \"yes\"");
  row("rot13,learning_rate=1,5", "\"5\" has no value");
  row("rot13,learning_rate=nan", "learning_rate is \"nan\"");
  row("rot13,source_length=1", "source_length is 15 for this task");
  row("rot13,source_vocabulary=5", "source_vocabulary is");
  row("rot13,widths=2+44", "44 is no submodel");
}
void TestCliGrammar::armsAreWhatIsWritten() {
  QFETCH(const QString, arm);
  QFETCH(const QString, problem);
  QTemporaryDir folder;
  const Outcome run = runCli(
      folder.path(), {"study", "--arm", "a=" + arm, "--arm", "b=rot13", "--steps", "1", "--seeds",
                      "1", "--batch-size", "1", "--evaluation-size", "1", "--out", "s.tsv"});
  if (!problem.isEmpty()) {
    QCOMPARE(run.code, 2);
    QVERIFY2(run.err.contains("where: --arm") && run.err.contains(problem.toUtf8()),
             run.err.constData());
    return;
  }
  QVERIFY2(run.code == 0, run.err.constData());
  if (!arm.contains("matformer")) return;
  // A nested model has learned something else than b after a step, one that is not the same.
  QList<QByteArray> losses;
  for (const QByteArray& line :
       runCli(folder.path(),
              {"study", "--arm", "a=" + arm, "--arm", "b=rot13", "--steps", "1", "--seeds", "1",
               "--batch-size", "1", "--evaluation-size", "1", "--out", "t.tsv", "--json"})
           .out.split('{'))
    if (const auto at = line.indexOf("\"loss_mean\":"); at >= 0)
      losses.push_back(line.mid(at, line.indexOf(',', at) - at));
  QVERIFY(losses.size() >= 2);
  QCOMPARE(losses.front() == losses.back(), arm.endsWith("false"));
}

void TestCliGrammar::submodelsMustExist_data() {
  QTest::addColumn<QString>("options");
  QTest::addColumn<QString>("where");  // empty: they do
  const auto row = [](const char* options, const char* where) {
    QTest::newRow(options) << QString(options) << QString(where);
  };
  row("--widths 2,44", "--widths");
  row("--widths 2,5", "");  // the last is the whole model, as by default
  row("--widths 2,4", "");
  row("--widths 2,8 --grow 5:feed_forward=16", "");
  row("--widths 2 --nested-heads 20", "--widths");
  row("--nesting-weights 1,2", "--nesting-weights");
  row("--nested-heads 1", "--nested-heads");
  row("--nesting joint", "--nesting");
  row("--matformer --nesting joint", "");
}
void TestCliGrammar::submodelsMustExist() {
  QFETCH(const QString, options);
  QFETCH(const QString, where);
  QTemporaryDir folder;
  const Outcome run = runCli(
      folder.path(),
      QStringList{"train", "--preset", "rot13", "--steps", "0", "--out", "x"} + options.split(' '));
  QCOMPARE(run.code, where.isEmpty() ? 0 : 2);
  if (!where.isEmpty()) QVERIFY2(run.err.contains("where: " + where.toUtf8()), run.err.constData());
}

TFM_TEST(TestCliGrammar)
#include "test_cli_grammar.moc"
