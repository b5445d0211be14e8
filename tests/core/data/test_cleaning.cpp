// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/data/cleaning.h"
#include "tests/core/golden.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using tfm::data::cleanText;

class TestCleaning : public QObject {
  Q_OBJECT

 private slots:
  void cleansAsTheNotebookDoes() {
    const tfm::test::Golden cases = tfm::test::Golden::read("tokenizer").at("clean");
    QVERIFY(cases.size() > 4);
    for (std::size_t i = 0; i < cases.size(); ++i)
      QCOMPARE(cleanText(cases.at(i).at("text").text()), cases.at(i).at("cleaned").text());
    QCOMPARE(cleanText("This movie wasn't GREAT...<br />I don't recommend it!"),
             std::string("this movie wasnt great i dont recommend it"));
  }

  void cleaningAgainChangesNothing() {
    const std::string once = cleanText("  It's <br /><br /> 10/10, truly.\n");
    QCOMPARE(once, std::string("its 1010 truly"));
    QCOMPARE(cleanText(once), once);
  }

  void refusesBytesThatAreNotUtf8() {
    TFM_VERIFY_ERROR(cleanText("caf\xE9"), "UTF-8");
    TFM_VERIFY_ERROR(cleanText("caf\xC3\xA9"), "no error");
  }
};

TFM_TEST(TestCleaning)
#include "test_cleaning.moc"
