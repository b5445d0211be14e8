// SPDX-License-Identifier: GPL-3.0-or-later
// Pages for man(1) and completions name what --help prints, no more and no less.
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include "app/cli/command_line.h"
#include "app/help_pages/verb_help.h"
#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm;

namespace {

using Names = QSet<QString>;

Names namesIn(const QString& text, const QString& pattern) {
  Names names;
  for (auto it = QRegularExpression(pattern).globalMatch(text); it.hasNext();)
    names << it.next().captured(1);
  return names;
}

/// The long options that --help prints of a verb.
Names shown(const QString& verb) {
  Names names;
  const QString help = QString::fromUtf8(test::runCli(".", {verb, "--help"}).out);
  for (const QString& line : help.split('\n'))
    if (QRegularExpression("^ +-").match(line).hasMatch())
      for (const QString& word : line.trimmed().section(' ', 0, 0).split(','))
        if (word.startsWith("--")) names << word;
  return names;
}

const std::vector<help::VerbHelp>& allHelp() {
  static const std::vector<help::VerbHelp> all = [] {
    cli::Action none;
    return help::helpOf(*cli::makeParser(none));
  }();
  return all;
}

/// The part of a completion that is about one verb.
QString partOf(const std::string& all, const QString& begin, const QString& end) {
  const QString text = QString::fromStdString(all);
  const qsizetype at = text.indexOf(begin);
  return at < 0 ? QString() : text.mid(at, text.indexOf(end, at) - at);
}

Names inPage(const help::VerbHelp& verb) {
  QString page = QString::fromStdString(help::manPage(verb, "1.0", "2026-01-01"));
  page.replace("\\-", "-");
  return namesIn(page, "\\\\fB(--[a-z0-9-]+)");
}

}  // namespace

class TestHelpPages : public QObject {
  Q_OBJECT

 private slots:
  void everyVerbHasItsOptionsEverywhere_data() {
    QTest::addColumn<int>("place");
    for (std::size_t i = 1; i < allHelp().size(); ++i)
      QTest::newRow(allHelp()[i].name.c_str()) << int(i);
    QCOMPARE(allHelp().size(), cli::verbs().size() + 1);
  }

  void everyVerbHasItsOptionsEverywhere() {
    QFETCH(const int, place);
    const help::VerbHelp& verb = allHelp()[std::size_t(place)];
    const QString name = QString::fromStdString(verb.name);
    const Names wanted = shown(name);
    QVERIFY(wanted.size() >= 2);
    QCOMPARE(inPage(verb), wanted);
    const QString bash =
        partOf(help::bashCompletion(allHelp()), "\n    " + name + ")\n", "\" ;;\n");
    QCOMPARE(namesIn(bash.mid(bash.lastIndexOf("options=")), "(--[a-z0-9-]+)"), wanted);
    const QString zsh = partOf(help::zshCompletion(allHelp()), "\n    " + name + ") ", " ;;\n");
    QCOMPARE(namesIn(zsh, "'\\*(--[a-z0-9-]+)\\["), wanted);
    const QString fish = QString::fromStdString(help::fishCompletion(allHelp()));
    Names of_verb;
    for (const QString& line : fish.split('\n'))
      if (line.contains("__fish_seen_subcommand_from " + name + "'"))
        for (const QString& option : namesIn(line, " -l ([a-z0-9-]+)(?= )"))
          of_verb << "--" + option;
    QCOMPARE(of_verb, wanted);
  }

  void anOptionThatIsLeftOutIsMissed() {
    help::VerbHelp verb = allHelp()[1];
    verb.options.pop_back();
    QVERIFY(inPage(verb) != shown(QString::fromStdString(verb.name)));
  }

  void valuesAreCompleted() {
    const std::string bash = help::bashCompletion(allHelp());
    for (const char* words : {"annotated-rot13", "parentheses", "sgd adam adamw"})
      QVERIFY2(QString::fromStdString(bash).contains(words), words);
    QVERIFY(partOf(bash, "\n    explain)", "\" ;;\n")
                .contains("--number) COMPREPLY=($(compgen -W "
                          "\"$(_transformarium_tensors"));
  }

  void roffDoesNotTakeTextForCommands() {
    const help::VerbHelp verb{"x", "d", "u", {{{"--a"}, "N", ".not a command\n'nor \\this"}}, ""};
    const QString page = QString::fromStdString(help::manPage(verb, "1.0", "2026-01-01"));
    QVERIFY(page.contains("\n\\&.not a command\n\\&'nor \\ethis\n"));
  }

  void anotherProgramsHelpIsAPage() {
    const QString page = QString::fromStdString(help::manPage(
        "it", "does it", "Usage: it [file]\nDoes.\n\n  file     what\n  -h, --help  it\n", "1.0",
        "2026-01-01"));
    QVERIFY(page.contains(".SH SYNOPSIS\n\\fBit [file]\\fR\n"));
    QVERIFY(page.contains(".TP\n\\fBfile\\fR\nwhat\n.TP\n\\fB\\-h, \\-\\-help\\fR\nit\n"));
  }
};

TFM_TEST(TestHelpPages)
#include "test_help_pages.moc"
