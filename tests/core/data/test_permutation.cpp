// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <vector>

#include "core/data/permutation.h"
#include "tests/test_program.h"

using tfm::data::Permutation;

namespace {

template <typename Map>
bool isOneToOne(std::int64_t size, const Map& map) {
  std::vector<bool> seen(static_cast<std::size_t>(size));
  for (std::int64_t i = 0; i < size; ++i) {
    const std::int64_t value = map(i);
    if (value < 0 || value >= size || seen[static_cast<std::size_t>(value)]) return false;
    seen[static_cast<std::size_t>(value)] = true;
  }
  return true;
}

std::vector<std::int64_t> order(std::int64_t size, std::uint64_t seed, std::uint64_t epoch) {
  const Permutation permutation(size, seed, epoch);
  std::vector<std::int64_t> result;
  for (std::int64_t i = 0; i < size; ++i) result.push_back(permutation(i));
  return result;
}

}  // namespace

class TestPermutation : public QObject {
  Q_OBJECT

 private slots:
  void isOneToOneForEverySize() {
    for (std::int64_t size = 1; size <= 300; ++size)
      QVERIFY2(isOneToOne(size, Permutation(size, 7, 3)), qPrintable(QString::number(size)));
    for (const std::int64_t size : {1023, 1024, 1025, 65537, 100003})
      QVERIFY2(isOneToOne(size, Permutation(size, 1, 0)), qPrintable(QString::number(size)));
  }

  void theTestSeesAMapThatIsNotOneToOne() {
    QVERIFY(!isOneToOne(10, [](std::int64_t i) { return i * 2 % 10; }));
    QVERIFY(!isOneToOne(10, [](std::int64_t i) { return i + 1; }));
  }

  void isAPureFunctionOfSeedAndEpoch() {
    QCOMPARE(order(100, 5, 2), order(100, 5, 2));
    QVERIFY(order(100, 5, 2) != order(100, 5, 3));
    QVERIFY(order(100, 5, 2) != order(100, 6, 2));
  }

  void everyElementComesEverywhere() {
    // Over 3000 epochs of 10 elements each element stands about 300 times at each place.
    std::vector<std::vector<int>> counts(10, std::vector<int>(10));
    for (std::uint64_t epoch = 0; epoch < 3000; ++epoch) {
      const std::vector<std::int64_t> elements = order(10, 0, epoch);
      for (std::size_t i = 0; i < 10; ++i) ++counts[i][static_cast<std::size_t>(elements[i])];
    }
    for (const std::vector<int>& place : counts)
      for (const int count : place)
        QVERIFY2(count > 220 && count < 380, qPrintable(QString::number(count)));
  }

  void refusesWhatIsOutside() {
    QVERIFY_EXCEPTION_THROWN(Permutation(0, 0, 0), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(Permutation(5, 0, 0)(5), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(Permutation(5, 0, 0)(-1), std::logic_error);
  }

  void holdsLargeSizes() {
    const std::int64_t size = (std::int64_t{1} << 40) - 1;
    const Permutation permutation(size, 0, 0);
    for (std::int64_t i = 0; i < 1000; ++i) {
      const std::int64_t value = permutation(size - 1 - i);
      QVERIFY(value >= 0 && value < size);
    }
  }
};

TFM_TEST(TestPermutation)
#include "test_permutation.moc"
