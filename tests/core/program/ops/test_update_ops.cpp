// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <any>
#include <cmath>
#include <limits>
#include <vector>

#include "core/backend/cpu/cpu_backend.h"
#include "core/program/ops/update_ops.h"
#include "tests/test_program.h"

using Numbers = std::vector<float>;

class TestUpdateOps : public QObject {
  Q_OBJECT

 private slots:
  void fillLeavesWhatLiesBetweenTheRows() {
    Numbers y(8, 1.0F);
    tfm::ops::fill(*backend_, {y.data() + 1, 2, 3, 4}, 7.5);
    QCOMPARE(y, (Numbers{1, 7.5, 7.5, 7.5, 1, 7.5, 7.5, 7.5}));
    tfm::ops::fill(*backend_, {y.data(), 2, 3}, 0.0);
    QCOMPARE(y, (Numbers{0, 0, 0, 0, 0, 0, 7.5, 7.5}));
  }
  void scaleAndAddTo() {
    Numbers y{1, -2, 4};
    const Numbers x{0.25, 0.5, 0.75};
    tfm::ops::scale(*backend_, y, 0.5);
    QCOMPARE(y, (Numbers{0.5, -1, 2}));
    tfm::ops::addTo(*backend_, y, x);
    QCOMPARE(y, (Numbers{0.75, -0.5, 2.75}));
  }
  /// In double precision, and the same however it is cut.
  void squaresAreAddedInOrder() {
    const Numbers x{1e15F, 1, 3, 1e30F, 2};
    double expected = 0.0, whole = -1.0, cut = -1.0;
    for (const float each : x) expected += double(each) * double(each);
    tfm::ops::addSquares(*backend_, x, &whole, true);
    QCOMPARE(whole, expected);
    tfm::ops::addSquares(*backend_, std::span(x).first(2), &cut, true);
    tfm::ops::addSquares(*backend_, std::span(x).subspan(2), &cut, false);
    QCOMPARE(cut, expected);
  }
  void whatIsNotFiniteIsNotClippedButLeftOut() {
    std::vector<double> squares{9, 16};
    const auto numbersAfter = [&](float loss, double limit) {
      Numbers numbers{7, 8, 9};
      tfm::ops::clipFactor(*backend_, &loss, squares, limit, numbers);
      return numbers;
    };
    QCOMPARE(numbersAfter(1, 2), (Numbers{0.4F, 8, 9}));
    QCOMPARE(numbersAfter(1, 5), (Numbers{1, 8, 9}));
    QCOMPARE(numbersAfter(1, 0), (Numbers{1, 8, 9}));
    const auto none = [](const Numbers& numbers) {
      return std::ranges::all_of(numbers, [](float x) { return std::isnan(x); });
    };
    const float infinity = std::numeric_limits<float>::infinity();
    QVERIFY(none(numbersAfter(infinity, 2)) && none(numbersAfter(std::nanf(""), 0)));
    squares[1] = std::numeric_limits<double>::infinity();
    QVERIFY(none(numbersAfter(1, 2)));
    // Nothing changes then.
    const Numbers nothing(3, std::nanf("")), g{1, -2};
    Numbers y{0.5, 3}, m{1, 2}, v{3, 4};
    tfm::ops::scale(*backend_, y, std::span(nothing).first(1));
    tfm::ops::sgd(*backend_, y, g, m, std::any(tfm::SgdRule{}), nothing);
    tfm::ops::adam(*backend_, y, g, m, v, std::any(tfm::AdamRule{}), nothing);
    QCOMPARE(y, (Numbers{0.5, 3}));
    QCOMPARE(m, (Numbers{1, 2}));
    QCOMPARE(v, (Numbers{3, 4}));
  }
  void argmaxTakesTheFirstOfEquals() {
    const Numbers x{1, 3, 3, -1, -2, -9, 0, 0, 5};
    std::vector<std::int32_t> indices(3);
    tfm::ops::argmax(*backend_, {x.data(), 3, 3}, indices);
    QCOMPARE(indices, (std::vector<std::int32_t>{1, 0, 2}));
  }

 private:
  std::unique_ptr<tfm::Backend<float>> backend_ = tfm::makeCpuBackend<float>();
};

TFM_TEST(TestUpdateOps)
#include "test_update_ops.moc"
