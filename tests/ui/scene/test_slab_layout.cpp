// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPolygonF>
#include <QtTest>

#include "sample_slabs.h"
#include "tests/test_program.h"
#include "ui/scene/slab_layout.h"

using namespace tfm::ui;

namespace {

const QSizeF kView(960, 900);

QPolygonF seen(const SlabPlace& place, const Camera& camera) {
  QPolygonF polygon;
  for (const QVector3D& corner : place.frontCorners()) polygon << *camera.project(corner, kView);
  return polygon;
}

/// How many pairs of slabs cover each other.
int overlaps(const WallLayout& layout, const Camera& direction) {
  const Camera camera = direction.fitted(layout.outline, kView, {});
  int count = 0;
  for (std::size_t a = 0; a < layout.slabs.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      count += seen(layout.slabs[a], camera).intersects(seen(layout.slabs[b], camera));
  return count;
}

}  // namespace

class TestSlabLayout : public QObject {
  Q_OBJECT

 private slots:
  void noSlabHidesAnother_data();
  void noSlabHidesAnother();
  void readsLikeAPage();
  void biasesAreBesideTheirMatrix();
  void biasesOfOtherGroupsStandAlone();
  void thinVectorsAreVisible();
  void raysHitTheRightCell();
  void groupedMapsStandOnTheDiagonal();
  void emptyWallIsEmpty();
};

void TestSlabLayout::noSlabHidesAnother_data() {
  QTest::addColumn<bool>("large");
  QTest::addColumn<float>("text");
  for (const bool large : {false, true})
    for (const float text : {1.f, 1.6f})
      QTest::addRow("%s, text %.1f", large ? "large" : "small", static_cast<double>(text))
          << large << text;
}

void TestSlabLayout::noSlabHidesAnother() {
  QFETCH(bool, large);
  QFETCH(float, text);
  WallLayout layout =
      layOut(large ? tfm::test::largeModel() : tfm::test::smallModel(), 1.25f, text);
  QCOMPARE(overlaps(layout, {.azimuth = 0, .elevation = 0}), 0);
  QCOMPARE(overlaps(layout, {.azimuth = -24, .elevation = 20}), 0);
  QCOMPARE(overlaps(layout, {.azimuth = 0, .elevation = 50}), 0);
  // A slab in the place of another is detected.
  layout.slabs[0].corner = layout.slabs[4].corner;
  QVERIFY(overlaps(layout, {.azimuth = 0, .elevation = 0}) > 0);
}

void TestSlabLayout::readsLikeAPage() {
  const auto slabs = tfm::test::smallModel();
  const WallLayout layout = layOut(slabs, 1.25f);
  QCOMPARE(layout.slabs.size(), slabs.size());
  for (std::size_t i = 1; i < slabs.size(); ++i) {
    const SlabPlace &before = layout.slabs[i - 1], &place = layout.slabs[i];
    if (place.attached_to >= 0) continue;
    const bool right =
        place.corner.x() > before.corner.x() && place.corner.z() >= before.corner.z();
    const bool below = place.corner.y() - place.height < before.corner.y() - before.height;
    QVERIFY2(right || below, qPrintable(slabs[i].name));
  }
  // A new group starts a new caption.
  QCOMPARE(layout.groups.front().title, QString("embedding"));
  QCOMPARE(layout.groups.size(), std::size_t{8});
}

void TestSlabLayout::biasesAreBesideTheirMatrix() {
  const std::vector<MatrixSlab> slabs{
      tfm::test::slab("weight", 8, 35), tfm::test::slab("rows", 8, 1),
      tfm::test::slab("columns", 1, 35), tfm::test::slab("other", 1, 9)};
  const WallLayout layout = layOut(slabs, 1.25f);
  const SlabPlace &weight = layout.slabs[0], &rows = layout.slabs[1], &columns = layout.slabs[2];
  QCOMPARE(rows.attached_to, 0);
  QCOMPARE(rows.corner.y(), weight.corner.y());
  QVERIFY(rows.corner.x() > weight.corner.x() + weight.width);
  QCOMPARE(columns.attached_to, 0);
  QCOMPARE(columns.corner.x(), weight.corner.x());
  QVERIFY(columns.corner.y() < weight.corner.y() - weight.height);
  QCOMPARE(layout.slabs[3].attached_to, -1);
}

void TestSlabLayout::biasesOfOtherGroupsStandAlone() {
  const WallLayout layout = layOut(std::vector{tfm::test::slab("weight", 8, 35, "linear"),
                                               tfm::test::slab("gain", 8, 1, "norm")},
                                   1.25f);
  QCOMPARE(layout.slabs[1].attached_to, -1);
}

void TestSlabLayout::thinVectorsAreVisible() {
  const WallLayout layout = layOut(
      std::vector{tfm::test::slab("weight", 1024, 256), tfm::test::slab("bias", 1024, 1)}, 1.25f);
  QVERIFY(layout.slabs[1].width > 1024.f / 40);
  QCOMPARE(layout.slabs[1].height, 1024.f);
  QCOMPARE(layout.slabs[0].width, 256.f);
}

void TestSlabLayout::raysHitTheRightCell() {
  const WallLayout layout = layOut(tfm::test::smallModel(), 1.25f);
  const Camera camera = Camera{.azimuth = -30, .elevation = 25}.fitted(layout.outline, kView, {});
  for (int index = 0; index < static_cast<int>(layout.slabs.size()); ++index) {
    const SlabPlace& place = layout.slabs[static_cast<std::size_t>(index)];
    for (int row = 0; row < place.rows; ++row) {
      for (int col = 0; col < place.cols; ++col) {
        const auto position = camera.project(
            place.point(static_cast<float>(row) + 0.5f, static_cast<float>(col) + 0.5f), kView);
        const auto hit = cellOn(camera.rayThrough(*position, kView), layout.slabs);
        QCOMPARE(hit, std::optional(CellRef{index, row, col}));
      }
    }
  }
  QCOMPARE(cellOn(camera.rayThrough({-3000, 10}, kView), layout.slabs), std::nullopt);
  const Ray from_behind{{2, -2, -100}, {0, 0, 1}};
  QCOMPARE(cellOn(from_behind, layout.slabs), std::nullopt);
}

void TestSlabLayout::groupedMapsStandOnTheDiagonal() {
  std::vector<MatrixSlab> slabs{tfm::test::slab("map", 8, 3, "unit"),
                                tfm::test::slab("bias", 8, 1, "unit")};
  slabs[0].groups = 4;
  const WallLayout layout = layOut(slabs, 1.25f);
  const SlabPlace& place = layout.slabs[0];
  QCOMPARE(place.width, 12.f);  // of the full matrix
  QCOMPARE(place.height, 8.f);
  QCOMPARE(layout.slabs[1].attached_to, 0);
  const Camera camera = Camera().fitted(layout.outline, kView, {});
  for (int row = 0; row < 8; ++row)
    for (int col = 0; col < 12; ++col) {
      const auto position = camera.project(
          place.point(static_cast<float>(row) + 0.5f, static_cast<float>(col) + 0.5f), kView);
      const auto hit = cellOn(camera.rayThrough(*position, kView), layout.slabs);
      const bool stored = col / 3 == row / 2;
      QCOMPARE(hit, stored ? std::optional(CellRef{0, row, col % 3}) : std::nullopt);
    }
}

void TestSlabLayout::emptyWallIsEmpty() {
  const WallLayout layout = layOut({}, 1.25f);
  QVERIFY(layout.slabs.empty() && layout.groups.empty() && layout.outline.empty());
}

TFM_TEST(TestSlabLayout)
#include "test_slab_layout.moc"
