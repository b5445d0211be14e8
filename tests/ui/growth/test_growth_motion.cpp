// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>

#include "tests/ui/growth/sample_growths.h"
#include "tests/ui/ui_test.h"
#include "ui/growth/growth_map.h"
#include "ui/growth/growth_wall.h"
#include "ui/growth/motion.h"

using namespace tfm::ui;

namespace {

constexpr double kPitch = 20.0;

GrowthPlaces placesOf(const GrownCells& cells, double progress) {
  return GrowthPlaces::of(cells, {0, 0}, kPitch, 1.0, GrowthMoment::at(progress));
}

}  // namespace

class TestGrowthMotion : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<Style> style_;

 private slots:
  void init() { style_ = std::make_unique<Style>(*qobject_cast<QApplication*>(qApp)); }
  void cleanup() { style_.reset(); }

  void newCellsAppearInTheLastPartOnly() {
    QCOMPARE(GrowthMoment::at(0.0).appear, 0.0);
    QCOMPARE(GrowthMoment::at(0.6).appear, 0.0);
    QVERIFY(GrowthMoment::at(0.8).appear > 0.4 && GrowthMoment::at(0.8).appear < 0.6);
    QCOMPARE(GrowthMoment::at(1.0).appear, 1.0);
    QCOMPARE(GrowthMoment::at(0.0).slide, 0.0);
    QCOMPARE(GrowthMoment::at(0.8).slide, 1.0);
    QCOMPARE(GrowthMoment::at(-1.0).blend, 0.0);
    QCOMPARE(GrowthMoment::at(2.0).blend, 1.0);
  }

  void oldCellsSlideFromTheirOldPlaces() {
    const GrownCells cells = keys();
    const GrowthPlaces start = placesOf(cells, 0.0), end = placesOf(cells, 1.0);
    // The first key of the second head was row 5, right behind the first head.
    QCOMPARE(start.cell(8, 0).top(), start.cell(4, 0).top() + kPitch + 10.0);
    QVERIFY(end.cell(8, 0).top() > end.cell(4, 0).top() + 3 * kPitch);
    const double half = placesOf(cells, 0.35).cell(8, 0).top();
    QVERIFY(half > start.cell(8, 0).top() && half < end.cell(8, 0).top());
    QCOMPARE(start.cell(0, 0), end.cell(0, 0));
    QCOMPARE(start.bounds().height(), start.rows.extent_before);
    QCOMPARE(end.bounds().height(), end.rows.extent_after);
    QVERIFY(start.rows.extent_before < end.rows.extent_after);
  }

  void copiesLeaveTheirOriginal() {
    const GrownCells cells = duplicated();
    const GrowthPlaces start = placesOf(cells, 0.0);
    for (int col = 0; col < 8; ++col) QCOMPARE(start.cell(0, col + 8), start.cell(0, col));
    QVERIFY(placesOf(cells, 1.0).cell(0, 8).left() > placesOf(cells, 1.0).cell(0, 7).left());
  }

  void atTheStartOnlyOldCellsAreShown() {
    GrowthMap map(*style_);
    map.setMatrix(feedForwardOut());
    map.resize(400, 330);
    map.grab();  // lays it out
    const QPoint old_cell = map.cellRect(3, 2).center().toPoint();
    const QPoint new_cell = map.cellRect(3, 7).center().toPoint();
    const auto at = [&](double progress) {
      map.setProgress(progress);
      return map.grab().toImage();
    };
    const QImage start = at(0.0), half = at(0.5), end = at(1.0);
    const QRgb ground = start.pixel(2, start.height() - 2);
    QCOMPARE(start.pixel(new_cell), ground);
    QCOMPARE(half.pixel(new_cell), ground);
    QVERIFY(end.pixel(new_cell) != ground);
    QVERIFY(start.pixel(old_cell) != ground);
    QCOMPARE(start.pixel(old_cell), end.pixel(old_cell));
  }

  void rescaledCellsBlendTheirColour() {
    const GrownCells cells = keys();
    const ColorTable table(ColorScale::signedTo(cells.limit()), style_->palette());
    const CellColors colors(cells, table, style_->palette());
    QCOMPARE(colors.at(0, 0.0), table.color(*cells.before(0, 0)));
    QCOMPARE(colors.at(0, 1.0), table.color(cells.after(0, 0)));
    QVERIFY(colors.at(0, 0.0) != colors.at(0, 1.0));
    QVERIFY(colors.at(0, 0.5) != colors.at(0, 0.0) && colors.at(0, 0.5) != colors.at(0, 1.0));
  }

  void theDriverEndsAtOne() {
    std::vector<double> seen;
    Motion animation(*style_, [&](double t) { seen.push_back(t); });
    animation.setDuration(60);
    QSignalSpy finished(&animation, &Motion::finished);
    animation.start();
    QVERIFY(animation.isRunning());
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(seen.front(), 0.0);
    QCOMPARE(seen.back(), 1.0);
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
    QVERIFY(seen.size() > 2);
  }

  void theDriverIsSkipped() {
    std::vector<double> seen;
    Motion animation(*style_, [&](double t) { seen.push_back(t); });
    QSignalSpy finished(&animation, &Motion::finished);
    animation.finish();
    QVERIFY(finished.isEmpty() && seen.empty());  // nothing runs
    animation.start();
    animation.finish();
    QVERIFY(!animation.isRunning());
    QCOMPARE(seen.back(), 1.0);
    QCOMPARE(finished.size(), 1);
  }

  void withoutMotionItJumps() {
    style_->setMotion(false);
    std::vector<double> seen;
    Motion animation(*style_, [&](double t) { seen.push_back(t); });
    QSignalSpy finished(&animation, &Motion::finished);
    animation.start();
    QVERIFY(!animation.isRunning());
    QCOMPARE(seen, (std::vector<double>{0.0, 1.0}));
    QCOMPARE(finished.size(), 1);
  }

  void manyCellsMoveFast() {
    std::vector<GrownCells> matrices;
    for (int i = 0; i < 8; ++i) matrices.push_back(square(120, 40));  // 200 thousand cells
    GrowthWall wall(*style_);
    wall.setCellSize(2.2);
    wall.setMatrices(std::move(matrices));
    wall.resize(1600, 1000);
    wall.show();
    QVERIFY(QTest::qWaitForWindowExposed(&wall));
    wall.grab();
    QElapsedTimer timer;
    timer.start();
    constexpr int kFrames = 20;
    for (int i = 0; i < kFrames; ++i) {
      wall.setProgress(static_cast<double>(i) / kFrames);
      wall.grab();
    }
    const double milliseconds = static_cast<double>(timer.elapsed()) / kFrames;
    qInfo("a frame of 200 thousand cells: %.1f ms", milliseconds);
    QVERIFY(milliseconds < 200);
  }
};

TFM_TEST(TestGrowthMotion)
#include "test_growth_motion.moc"
