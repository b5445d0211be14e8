// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces of work over the used part of an arena.
#include <QTest>
#include <vector>

#include "core/program/used_parameters.h"
#include "tests/test_program.h"

using namespace tfm;

class TestUsedParameters : public QObject {
  Q_OBJECT

 private slots:
  void oneRunIsCutIntoBlocks() {
    const std::vector<EntryRun> whole{{0, 10}};
    QVERIFY(stretches(whole, 4) == (std::vector<EntryRun>{{0, 4}, {4, 4}, {8, 2}}));
    QVERIFY(stretches(whole, 5) == (std::vector<EntryRun>{{0, 5}, {5, 5}}));
    QVERIFY(stretches(whole, 64) == whole);
    QVERIFY(stretches({}, 4).empty());
  }

  /// However the used entries lie, all pieces but the last have equally many of them.
  void piecesHaveEquallyManyUsedEntries() {
    std::vector<EntryRun> runs{{3, 50}};
    for (std::int64_t row = 0; row < 40; ++row) runs.push_back({100 + 64 * row, row % 3 + 5});
    runs.push_back({5000, 200});
    std::int64_t used = 0;
    for (const EntryRun& run : runs) used += run.count;
    for (const std::int64_t most : {1, 7, 64, 100, 1000}) {
      const std::vector<EntryRun> pieces = stretches(runs, most);
      QCOMPARE(std::int64_t(pieces.size()), (used + most - 1) / most);
      std::vector<int> seen(5200, 0);
      std::int64_t end = 0;
      for (const EntryRun& piece : pieces) {
        QVERIFY(piece.first >= end);
        end = piece.first + piece.count;
        std::int64_t inside = 0;
        forEachRunIn(runs, piece.first, end, [&](std::int64_t first, std::int64_t count) {
          inside += count;
          for (std::int64_t i = first; i < first + count; ++i) ++seen[std::size_t(i)];
        });
        if (&piece != &pieces.back()) QCOMPARE(inside, most);
      }
      for (const EntryRun& run : runs)
        for (std::int64_t i = run.first; i < run.first + run.count; ++i)
          QCOMPARE(seen[std::size_t(i)], 1);
    }
  }
};

TFM_TEST(TestUsedParameters)
#include "test_used_parameters.moc"
