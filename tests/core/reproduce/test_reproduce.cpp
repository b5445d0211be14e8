// SPDX-License-Identifier: GPL-3.0-or-later
// Every number of the source documents: reproduced, or with a reason why not.
#include <QTest>
#include <algorithm>
#include <limits>

#include "core/reproduce/source.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::reproduce;

class TestReproduce : public QObject {
  Q_OBJECT

 private slots:
  void everyClaimHolds_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<int>("number");
    for (const Source& source : sources()) {
      const QString name = QString::fromUtf8(source.name.data(), qsizetype(source.name.size()));
      const int count = int(source.claims().size());
      for (int i = 0; i < count; ++i) QTest::addRow("%s %d", qPrintable(name), i + 1) << name << i;
    }
  }
  void everyClaimHolds() {
    QFETCH(QString, source);
    QFETCH(int, number);
    const Claim claim = sourceNamed(source.toStdString()).claims()[std::size_t(number)];
    QVERIFY(!claim.text.empty() && !claim.how.empty() && !claim.where.empty());
    QCOMPARE(QString::fromStdString(claim.how).startsWith("not computed: "), !claim.ours);
    QVERIFY(claim.right.empty() || !claim.wrong.empty());
    if (!claim.ours || claim.trains) return;  // trainings: test_learning_rot13
    const Checked checked = check(claim);
    QString ours;
    for (const double own : *checked.ours) ours += QString::number(own, 'g', 12) + ' ';
    QVERIFY2(checked.pass, qPrintable(QString::fromStdString(claim.text) + ": " + ours));
    // Another number would not have passed.
    Claim other = claim;
    Numbers& expected = other.right.empty() ? other.printed : other.right;
    for (double& one : expected) one -= 2.0 * std::max(claim.tolerance, 1.0);
    QVERIFY(!check(other).pass);
  }

  void aWrongNumberMustBeWrong() {
    Claim claim{.text = "two", .printed = {2}, .ours = [] { return Numbers{2}; }};
    QVERIFY(check(claim).pass);
    claim.right = {2};  // it agrees with what is said to be wrong
    QVERIFY(!check(claim).pass);
    claim.printed = {3};
    QVERIFY(check(claim).pass);
    claim.right = {2, 2};
    QVERIFY(!check(claim).pass);
  }

  void aBoundIsOneSidedAndRefusesNaN() {
    Claim claim{
        .text = "small", .printed = {0.1}, .ours = [] { return Numbers{-5.0}; }, .at_most = true};
    QVERIFY(check(claim).pass);
    claim.ours = [] { return Numbers{0.05}; };
    QVERIFY(check(claim).pass);
    claim.promised = 0.01;
    QVERIFY(!check(claim).pass);
    claim.promised = 1.0;
    claim.ours = [] { return Numbers{0.2}; };
    QVERIFY(!check(claim).pass);
    claim.ours = [] { return Numbers{std::numeric_limits<double>::quiet_NaN()}; };
    QVERIFY(!check(claim).pass);
    claim.at_most = false;
    QVERIFY(!check(claim).pass);
  }

  void whatTrainsIsLeftOutUnlessWanted() {
    bool ran = false;
    const Claim claim{.text = "slow",
                      .printed = {1},
                      .ours =
                          [&] {
                            ran = true;
                            return Numbers{1};
                          },
                      .trains = true};
    QVERIFY(!check(claim, false).ours && !ran);
    QVERIFY(check(claim).pass && ran);
  }

  void recipesAreDocuments() {
    for (const Source& source : sources()) {
      if (source.task.empty()) {
        TFM_VERIFY_ERROR(recipeOf(source), "reads features");
        continue;
      }
      const train::Document document = recipeOf(source);
      QCOMPARE(document.state.step, std::int64_t{0});
      QCOMPARE(document.state.seed, source.training().seed);
      QCOMPARE(document.train, source.training());
    }
    TFM_VERIFY_ERROR(sourceNamed("another"), "there is no source document 'another'");
  }
};

TFM_TEST(TestReproduce)
#include "test_reproduce.moc"
