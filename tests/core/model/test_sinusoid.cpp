// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <stdexcept>

#include "core/model/sinusoid.h"
#include "tests/core/model/model_run.h"
#include "tests/core/numbers.h"
#include "tests/test_program.h"

class TestSinusoid : public QObject {
  Q_OBJECT

 private slots:
  void valuesOfTheAnnotatedTransformer() {
    const std::vector<double> expected{0,           1,          0.841471,   0.5403023,  0.9092974,
                                       -0.41614684, 0.14112002, -0.9899925, -0.7568025, -0.6536436};
    const std::vector<double> table = tfm::sinusoid(5, 2, 2);
    QVERIFY(tfm::test::worstDifference(table, expected) < 1e-6);
    std::vector<double> swapped = expected;
    std::swap(swapped[2], swapped[3]);
    QVERIFY(tfm::test::worstDifference(table, swapped) > 1e-6);
  }

  void laterPairsTurnSlower() {
    const std::vector<double> table = tfm::sinusoid(3, 4, 4);
    QVERIFY(std::abs(table[1 * 4 + 2] - std::sin(0.01)) < 1e-15);
    QVERIFY(std::abs(table[2 * 4 + 3] - std::cos(0.02)) < 1e-15);
  }

  void aGrownTableKeepsItsFrequencies() {
    const std::vector<double> small = tfm::sinusoid(5, 4, 4);
    const std::vector<double> grown = tfm::sinusoid(5, 7, 4);
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < 4; ++j) QCOMPARE(grown[i * 7 + j], small[i * 4 + j]);
      for (std::size_t j = 4; j < 7; ++j) QCOMPARE(grown[i * 7 + j], 0.0);
    }
    QVERIFY(tfm::sinusoid(5, 8, 8)[1 * 8 + 2] != small[1 * 4 + 2]);
  }

  void aRepeatedTableGoesRoundAndRound() {
    const std::vector<double> small = tfm::sinusoid(5, 4, 4);
    const std::vector<double> grown = tfm::sinusoid(5, 10, 4, true);
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < 10; ++j) QCOMPARE(grown[i * 10 + j], small[i * 4 + j % 4]);
    QVERIFY(grown != tfm::sinusoid(5, 10, 4));
    QCOMPARE(tfm::sinusoid(5, 4, 4, true), small);
  }

  void oddOrTooWideIsRefused() {
    QVERIFY_EXCEPTION_THROWN(tfm::sinusoid(5, 4, 3), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(tfm::sinusoid(5, 4, 6), std::logic_error);
  }
};

TFM_TEST(TestSinusoid)
#include "test_sinusoid.moc"
