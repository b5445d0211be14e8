// SPDX-License-Identifier: GPL-3.0-or-later
// The log of a growth counts every entry of every parameter once.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/expand/grow.h"
#include "core/expand/growth_log.h"
#include "core/model/presets.h"
#include "tests/core/expand/small_models.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

namespace {

std::vector<ParameterLog> logOfNotebook(const Plan& plan) {
  return growthLog(expand::planGrowths(presetNamed("expansions-notebook").config(), plan));
}

/// The parameters whose name contains `part`.
std::vector<ParameterLog> named(const std::vector<ParameterLog>& log, const std::string& part) {
  std::vector<ParameterLog> some;
  std::ranges::copy_if(log, std::back_inserter(some), [&](const ParameterLog& one) {
    return one.name.find(part) != std::string::npos;
  });
  return some;
}

}  // namespace

class TestGrowthLog : public QObject {
  Q_OBJECT

 private slots:
  void keysAreRescaledAndTheirNewRowsFree() {
    const auto log = logOfNotebook({growthTo(Kind::KeySize, 9)});
    const auto keys = named(log, "key.weight");
    QCOMPARE(keys.size(), std::size_t(2));  // of two layers
    for (const ParameterLog& key : keys) {
      QCOMPARE(key.rows_before, std::int64_t{2 * 6});
      QCOMPARE(key.rows, std::int64_t{2 * 9});
      QCOMPARE(key.cols, std::int64_t{5});
      QCOMPARE(key.count(Entry::Scaled), std::int64_t{2 * 6 * 5});
      QCOMPARE(key.count(Entry::Copied), std::int64_t{0});
      QCOMPARE(key.count(Entry::Zero) + key.count(Entry::Free), std::int64_t{2 * 3 * 5});
      QVERIFY(std::abs(key.least_scale - std::sqrt(9.0 / 6.0)) < 1e-12);
      QCOMPARE(key.largest_scale, key.least_scale);
    }
    for (const ParameterLog& query : named(log, "query.weight")) {
      QCOMPARE(query.count(Entry::Copied), std::int64_t{2 * 6 * 5});
      QCOMPARE(query.least_scale, 1.0);
    }
    for (const ParameterLog& other : named(log, "value.weight"))
      QCOMPARE(other.count(Entry::Copied), other.rows * other.cols);
  }

  void everyEntryIsCountedOnce() {
    const Plan plan{growthTo(Kind::Hidden, 8), growthTo(Kind::Heads, 5), growthTo(Kind::Layers, 3)};
    const auto changes = expand::planGrowths(presetNamed("expansions-notebook").config(), plan);
    const auto log = growthLog(changes);
    std::int64_t all = 0;
    for (const ParameterLog& one : log) {
      const std::int64_t sum =
          std::accumulate(one.entries.begin(), one.entries.end(), std::int64_t{0});
      QCOMPARE(sum, one.rows * one.cols);
      all += sum;
    }
    QCOMPARE(all, changes.back().layout_after.total);
    QCOMPARE(log.size(), changes.back().layout_after.parameters.size());
    QVERIFY(std::ranges::any_of(log, [](const auto& one) { return one.rows_before == 0; }));
  }

  void theTableHasALineForEach() {
    const auto log = logOfNotebook({growthTo(Kind::FeedForward, 9)});
    const std::string table = growthLogTsv(log);
    QCOMPARE(std::size_t(std::ranges::count(table, '\n')), log.size() + 1);
    QVERIFY(
        table.starts_with("parameter\trows_before\tcols_before\trows\tcols\tcopied\trescaled\t"
                          "adjusted\tzero\tfree\tmean\tpadding\tleast_scale"));
    const std::size_t columns =
        std::size_t(std::ranges::count(table.substr(0, table.find('\n')), '\t'));
    QCOMPARE(std::size_t(std::ranges::count(table, '\t')), columns * (log.size() + 1));
  }
};

TFM_TEST(TestGrowthLog)
#include "test_growth_log.moc"
