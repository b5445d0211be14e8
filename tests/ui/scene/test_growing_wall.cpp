// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/test_program.h"
#include "tests/ui/scene/sample_growth.h"
#include "ui/scene/growing_wall.h"
#include "ui/scene/mark_texture.h"
#include "ui/style/palette.h"

using namespace tfm;
using namespace tfm::ui;
using expand::Entry;

namespace {

const Palette& light() { return palette(Theme::Light); }

/// Four heads of two keys that grow by one key each, beside a matrix that stays.
struct Sample {
  std::vector<MatrixSlab> before{tfm::test::slab("key", 8, 6), tfm::test::slab("output", 5, 5)};
  std::vector<expand::GrownMatrix> growth;
  std::vector<MatrixSlab> after;

  Sample() {
    for (int i = 0; i < 48; ++i) tfm::test::put(before[0], std::size_t(i), float(i + 1));
    growth.push_back(tfm::test::grown(before[0], tfm::test::widened(8, 2, 1, Added::Zero),
                                      tfm::test::widened(6, 6, 2, Added::Free), 7.f, 1.5));
    growth.push_back(
        tfm::test::grown(before[1], tfm::test::unchanged(5), tfm::test::unchanged(5), 0.f));
    for (std::size_t i = 0; i < 2; ++i) after.push_back(tfm::test::slabAfter(before[i], growth[i]));
  }
  std::vector<GrowingSlab> slabs() const {
    auto grown = after;
    return matchGrowth(before, grown, growth);
  }
  GrowingWall wall() const { return {layOut(before, 1.25f), layOut(after, 1.25f), slabs()}; }
};

}  // namespace

class TestGrowingWall : public QObject {
  Q_OBJECT

 private slots:
  void headsAreSplitIntoStripes() {
    const auto slabs = Sample().slabs();
    QCOMPARE(slabs[0].rows().size(), std::size_t{8});
    QCOMPARE(slabs[0].cols().size(), std::size_t{2});
    QCOMPARE(slabs[0].rows()[1].at, 2);
    QVERIFY(slabs[0].rows()[1].isNew());
    QCOMPARE(slabs[0].rows()[2].source, 2);
    QCOMPARE(slabs[1].rows().size(), std::size_t{1});
    QVERIFY(slabs[0].grows() && !slabs[1].grows());
    QVERIFY(slabs[0].changesOldValues() && !slabs[1].changesOldValues());
  }

  void everyBlockHasOneMark() {
    const GrowingSlab slab = Sample().slabs()[0];
    for (const GrowthSpan& row : slab.rows())
      for (const GrowthSpan& col : slab.cols())
        for (int r = row.at; r < row.at + row.count; ++r)
          for (int c = col.at; c < col.at + col.count; ++c)
            QCOMPARE(slab.entry(r, c), slab.entry(row, col));
    QCOMPARE(slab.entry(0, 0), Entry::Scaled);
    QCOMPARE(slab.entry(2, 0), Entry::Zero);
    QCOMPARE(slab.entry(0, 7), Entry::Free);
  }

  void columnsOfAVectorAreRowsOfItsSlab() {
    MatrixSlab bias = tfm::test::slab("bias", 4, 1);
    MatrixSlab lying = tfm::test::slab("bias", 1, 4);
    const auto matrix = tfm::test::grown(lying, tfm::test::unchanged(1),
                                         tfm::test::widened(4, 2, 1, Added::Zero), 1.f);
    MatrixSlab after = tfm::test::slab("bias", 6, 1);
    const auto slabs = matchGrowth(std::vector{bias}, std::span(&after, 1), std::vector{matrix});
    QCOMPARE(slabs[0].rows().size(), std::size_t{4});
    QCOMPARE(slabs[0].entry(2, 0), Entry::Zero);
    QCOMPARE(slabs[0].entry(3, 0), Entry::Copied);
  }

  void aMismatchIsRefused() {
    Sample sample;
    auto missing = sample.growth;
    missing.pop_back();
    QVERIFY_EXCEPTION_THROWN(matchGrowth(sample.before, sample.after, missing), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(matchGrowth(sample.before, sample.before, sample.growth),
                             std::logic_error);
    sample.before[0].name = "other";
    QVERIFY_EXCEPTION_THROWN(matchGrowth(sample.before, sample.after, sample.growth),
                             std::logic_error);
  }

  void aNewParameterAppearsAsNew() {
    Sample sample;
    sample.growth[0].growth.given.assign(48, 0.5);
    sample.before.erase(sample.before.begin());
    const auto slabs = sample.slabs();
    QCOMPARE(slabs[0].before(), -1);
    const SlabFace face = sample.wall().faces(1, 0)[0];
    for (const SlabBlock& block : face.blocks) QVERIFY(block.fresh);
    QCOMPARE(sample.wall().ghosts(1)[0].before, -1);
  }

  void atTheStartOldCellsStandAsBefore() {
    const Sample sample;
    const WallLayout to = layOut(sample.after, 1.25f);
    const SlabFace face = sample.wall().faces(1, 0)[0];
    QCOMPARE(face.corner, to.slabs[0].corner);
    QCOMPARE(face.width, 6.f);
    QCOMPARE(face.height, 8.f);
    for (const SlabBlock& block : face.blocks) {
      if (block.fresh) continue;
      QCOMPARE(block.corners[0].y(), face.corner.y() - float(block.row / 3 * 2));
      QCOMPARE(block.corners[0].z(), face.corner.z());
    }
  }

  void halfWayOldCellsSlideAndNewOnesComeFromTheFront() {
    const Sample sample;
    const SlabFace face = sample.wall().faces(1, 0.3f)[0];
    QVERIFY(face.height > 8 && face.height < 12);
    const SlabFace later = sample.wall().faces(1, 0.5f)[0];
    for (std::size_t i = 0; i < face.blocks.size(); ++i) {
      const SlabBlock &now = face.blocks[i], &then = later.blocks[i];
      if (now.fresh) {
        QVERIFY(now.corners[0].z() > face.corner.z());
      } else if (now.row > 0) {
        QVERIFY(now.corners[0].y() < face.corner.y() - float(now.row / 3 * 2));
        QVERIFY(then.corners[0].y() < now.corners[0].y());
      }
    }
    QCOMPARE(GrowingWall::appearance(0.3f), 0.f);
    QVERIFY(GrowingWall::appearance(0.7f) > 0 && GrowingWall::appearance(0.7f) < 1);
  }

  void atTheEndAllIsAsInANewLayout() {
    const Sample sample;
    const WallLayout to = layOut(sample.after, 1.25f);
    const auto faces = sample.wall().faces(1, 1);
    for (std::size_t i = 0; i < faces.size(); ++i) {
      QCOMPARE(faces[i].width, to.slabs[i].width);
      QCOMPARE(faces[i].height, to.slabs[i].height);
      for (const SlabBlock& block : faces[i].blocks)
        QVERIFY(
            (block.corners[0] - to.slabs[i].point(float(block.row), float(block.col))).length() <
            1e-4f);
    }
    QVERIFY(sample.wall().after(1).slabs[0].rows == 12);
  }

  void roomIsMadeOnTheWay() {
    const Sample sample;
    const WallLayout from = layOut(sample.before, 1.25f), to = layOut(sample.after, 1.25f);
    const GrowingWall wall = sample.wall();
    QCOMPARE(wall.before(0).slabs[1].corner, from.slabs[1].corner);
    QCOMPARE(wall.before(1).slabs[1].corner, to.slabs[1].corner);
    QVERIFY(from.slabs[1].corner != to.slabs[1].corner);
    const QVector3D middle = (from.slabs[1].corner + to.slabs[1].corner) / 2;
    QVERIFY((wall.before(0.5f).slabs[1].corner - middle).length() < 1e-4f);
    QCOMPARE(wall.before(1).slabs[0].rows, 8);
  }

  void ghostsAreWhatTheSlabsWillFill() {
    const Sample sample;
    const auto ghosts = sample.wall().ghosts(1);
    QCOMPARE(ghosts.size(), std::size_t{1});  // what does not grow has none
    const auto corners = layOut(sample.after, 1.25f).slabs[0].frontCorners();
    for (std::size_t i = 0; i < 4; ++i) QCOMPARE(ghosts[0].corners[i], corners[i]);
    QCOMPARE(ghosts[0].cuts.size(), std::size_t{3});  // the last stripe comes at the edge
  }

  void oldNumbersStayUntilTheyChange() {
    const Sample sample;
    const auto values = sample.slabs()[0].valuesBefore(sample.before[0], sample.after[0]);
    QCOMPARE(values[0], 1.f);
    QCOMPARE(sample.after[0].values[0], 1.5f);
    QCOMPARE(values[3 * 8 + 1], sample.before[0].value(2, 1));
    QCOMPARE(values[7], 7.f);
  }

  void marksAreWhereTheEntriesAre_data() {
    QTest::addColumn<bool>("violated");
    QTest::newRow("zeros are zero") << false;
    QTest::newRow("one is not") << true;
  }

  void marksAreWhereTheEntriesAre() {
    QFETCH(bool, violated);
    Sample sample;
    // Black on white digits alone would hide a mark: one colour for all.
    std::vector<float> values(12 * 8, 0.f);
    const TextureGrid grid(12, 8);
    const int side = grid.pixels_per_cell, width = grid.width();
    std::vector<QRgb> plain(std::size_t(width) * std::size_t(grid.height()));
    const ColorTable colors(ColorScale::signedTo(1), light());
    paintTexture(values, grid, colors.inGlOrder(), {}, plain);
    if (violated) values[2 * 8 + 1] = 1e-6f;
    std::vector<QRgb> marked = plain;
    const GrowingSlab slab = sample.slabs()[0];
    paintMarks(slab, values, grid, light(), marked);
    const auto changed = [&](int row, int col) {
      int count = 0;
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
          const auto at = std::size_t((row * side + y) * width + col * side + x);
          count += plain[at] != marked[at];
        }
      return count;
    };
    QVERIFY(changed(0, 0) > 20);  // rescaled
    QVERIFY(changed(2, 0) > 20);  // zero
    QVERIFY(changed(0, 7) > 5);   // free
    QVERIFY(changed(0, 0) != changed(2, 0) && changed(2, 0) != changed(0, 7));
    const QColor bad = light().bad;
    bool framed = false;
    for (int i = 0; i < side; ++i) {
      const QRgb pixel = glPixel(marked[std::size_t((2 * side + i) * width + side + 1)]);
      framed |= std::abs(qRed(pixel) - bad.red()) + std::abs(qGreen(pixel) - bad.green()) < 60;
    }
    QCOMPARE(framed, violated);
    // A copied entry is as it was.
    std::vector<QRgb> copied = plain;
    const MatrixSlab& same = sample.before[1];
    const TextureGrid own(5, 5);
    std::vector<QRgb> picture(std::size_t(own.width()) * std::size_t(own.height()));
    paintTexture(same.values, own, colors.inGlOrder(), {}, picture);
    std::vector<QRgb> after = picture;
    paintMarks(sample.slabs()[1], same.values, own, light(), after);
    QCOMPARE(after, picture);
  }

  void largeMatricesAreMarkedByBlocks() {
    MatrixSlab large = tfm::test::slab("large", 400, 400);
    const auto matrix = tfm::test::grown(large, tfm::test::unchanged(400),
                                         tfm::test::widened(400, 400, 100, Added::Zero), 0.f);
    MatrixSlab after = tfm::test::slabAfter(large, matrix);
    const auto slabs = matchGrowth(std::vector{large}, std::span(&after, 1), std::vector{matrix});
    const TextureGrid grid(400, 500);
    std::vector<QRgb> plain(400 * 500);
    const ColorTable colors(ColorScale::signedTo(1), light());
    paintTexture(after.values, grid, colors.inGlOrder(), {}, plain);
    auto marked = plain;
    paintMarks(slabs[0], after.values, grid, light(), marked);
    int old = 0, fresh = 0;
    for (std::size_t i = 0; i < plain.size(); ++i)
      (i % 500 < 400 ? old : fresh) += plain[i] != marked[i];
    QCOMPARE(old, 0);
    QVERIFY(fresh > 400 * 100 / 10 && fresh < 400 * 100);
  }
};

TFM_TEST(TestGrowingWall)
#include "test_growing_wall.moc"
