// SPDX-License-Identifier: GPL-3.0-or-later
#include <QWheelEvent>
#include <QtTest>

#include "sample_slabs.h"
#include "tests/test_program.h"
#include "ui/scene/matrix_wall.h"
#include "ui/style/style.h"

using namespace tfm::ui;

class TestMatrixWallInput : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void hoverAndClickNameTheCell();
  void secondClickAndEscapeUnlock();
  void dragTurnsAndDoesNotPick();
  void wheelZooms();
  void homeComesBack();
  void doubleClickZooms();
  void arrowsTurnOrMove();
  void tabWalksTheSlabsAndLeaves();
  void motionEndsAtTheSamePlace();

 private:
  /// A place where some cell of `slab` is seen.
  QPoint placeOf(int slab) const;

  std::unique_ptr<Style> style_;
  std::unique_ptr<QWidget> window_;
  MatrixWall* wall_ = nullptr;
};

void TestMatrixWallInput::initTestCase() { style_ = std::make_unique<Style>(*qApp); }

void TestMatrixWallInput::init() {
  style_->setMotion(false);
  window_ = std::make_unique<QWidget>();
  window_->resize(800, 600);
  wall_ = new MatrixWall(*style_, window_.get());
  wall_->resize(window_->size());
  wall_->setSlabs(tfm::test::smallModel());
  window_->show();
  QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
  wall_->setFocus();
}

void TestMatrixWallInput::cleanup() { window_.reset(); }

QPoint TestMatrixWallInput::placeOf(int slab) const {
  for (int y = 0; y < wall_->height(); y += 3)
    for (int x = 0; x < wall_->width(); x += 3)
      if (const auto cell = wall_->cellAt(QPointF(x, y)); cell && cell->slab == slab) return {x, y};
  return {-1, -1};
}

void TestMatrixWallInput::hoverAndClickNameTheCell() {
  QSignalSpy hovered(wall_, &MatrixWall::cellHovered), ended(wall_, &MatrixWall::hoverEnded);
  QSignalSpy picked(wall_, &MatrixWall::cellPicked);
  const QPoint place = placeOf(2);
  const CellRef cell = *wall_->cellAt(place);
  QTest::mouseMove(wall_, place);
  QCOMPARE(hovered.size(), 1);
  QCOMPARE(hovered[0], QVariantList({cell.slab, cell.row, cell.col}));
  QTest::mouseMove(wall_, {1, 1});
  QCOMPARE(ended.size(), 1);
  QTest::mouseClick(wall_, Qt::LeftButton, {}, place);
  QCOMPARE(picked.size(), 1);
  QCOMPARE(picked[0], QVariantList({cell.slab, cell.row, cell.col}));
  QCOMPARE(wall_->focusedSlab(), std::optional(2));
  QTest::mouseClick(wall_, Qt::LeftButton, {}, {1, 1});
  QCOMPARE(wall_->pickedCell(), std::optional(cell));
}

void TestMatrixWallInput::secondClickAndEscapeUnlock() {
  QSignalSpy cleared(wall_, &MatrixWall::pickCleared);
  const QPoint place = placeOf(2);
  QTest::mouseClick(wall_, Qt::LeftButton, {}, place);
  QTest::mouseClick(wall_, Qt::LeftButton, {}, place);
  QCOMPARE(cleared.size(), 1);
  QTest::mouseClick(wall_, Qt::LeftButton, {}, place);
  QTest::keyClick(wall_, Qt::Key_Escape);
  QCOMPARE(cleared.size(), 2);
  QVERIFY(wall_->focusedSlab());
  QTest::keyClick(wall_, Qt::Key_Escape);
  QVERIFY(!wall_->focusedSlab());
}

void TestMatrixWallInput::dragTurnsAndDoesNotPick() {
  const Camera before = wall_->camera();
  const QPoint place = placeOf(2);
  QTest::mousePress(wall_, Qt::LeftButton, {}, place);
  QMouseEvent move(QEvent::MouseMove, place + QPoint(60, 20), wall_->mapToGlobal(place),
                   Qt::NoButton, Qt::LeftButton, {});
  QApplication::sendEvent(wall_, &move);
  QTest::mouseRelease(wall_, Qt::LeftButton, {}, place + QPoint(60, 20));
  QVERIFY(wall_->camera().azimuth < before.azimuth - 10);
  QVERIFY(wall_->camera().elevation > before.elevation + 3);
  QVERIFY(!wall_->pickedCell());
}

void TestMatrixWallInput::wheelZooms() {
  const float before = wall_->camera().distance;
  QWheelEvent wheel({400, 300}, wall_->mapToGlobal(QPointF(400, 300)), {}, {0, 120}, {}, {},
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(wall_, &wheel);
  QVERIFY(wall_->camera().distance < before);
}

void TestMatrixWallInput::homeComesBack() {
  const Camera home = wall_->camera();
  QTest::keyClick(wall_, Qt::Key_Left);
  QTest::keyClick(wall_, Qt::Key_T);
  QVERIFY(wall_->camera().elevation != home.elevation);
  QTest::keyClick(wall_, Qt::Key_R);
  QCOMPARE(wall_->camera().elevation, home.elevation);
  QCOMPARE(wall_->camera().azimuth, home.azimuth);
  QCOMPARE(wall_->camera().distance, home.distance);
}

void TestMatrixWallInput::doubleClickZooms() {
  const float before = wall_->camera().distance;
  QTest::mouseDClick(wall_, Qt::LeftButton, {}, placeOf(8));
  QVERIFY(wall_->camera().distance < before / 1.5f);
  QCOMPARE(wall_->focusedSlab(), std::optional(8));
  QCOMPARE(wall_->cellAt(QPointF(400, 300))->slab, 8);
}

void TestMatrixWallInput::arrowsTurnOrMove() {
  const float before = wall_->camera().azimuth;
  QTest::keyClick(wall_, Qt::Key_Right);
  QVERIFY(wall_->camera().azimuth > before);
  wall_->setFocusedSlab(2);
  QTest::keyClick(wall_, Qt::Key_Return);
  QCOMPARE(wall_->pickedCell(), std::optional(CellRef{2, 0, 0}));
  const float turned = wall_->camera().azimuth;
  QTest::keyClick(wall_, Qt::Key_Right);
  QTest::keyClick(wall_, Qt::Key_Down);
  QTest::keyClick(wall_, Qt::Key_Down);
  QCOMPARE(wall_->pickedCell(), std::optional(CellRef{2, 2, 1}));
  QCOMPARE(wall_->camera().azimuth, turned);
  for (int i = 0; i < 20; ++i) QTest::keyClick(wall_, Qt::Key_Left);
  QCOMPARE(wall_->pickedCell(), std::optional(CellRef{2, 2, 0}));
  QVERIFY(wall_->accessibleDescription().contains("query"));
}

void TestMatrixWallInput::tabWalksTheSlabsAndLeaves() {
  QTest::keyClick(wall_, Qt::Key_N);
  QCOMPARE(wall_->focusedSlab(), std::optional(0));
  QTest::keyClick(wall_, Qt::Key_Tab);
  QCOMPARE(wall_->focusedSlab(), std::optional(1));
  QTest::keyClick(wall_, Qt::Key_P);
  QCOMPARE(wall_->focusedSlab(), std::optional(0));
  QWidget next(window_.get());
  next.setFocusPolicy(Qt::StrongFocus);
  next.show();
  wall_->setFocusedSlab(static_cast<int>(wall_->slabs().size()) - 1);
  QTest::keyClick(wall_, Qt::Key_Tab);
  QVERIFY(next.hasFocus());
}

void TestMatrixWallInput::motionEndsAtTheSamePlace() {
  wall_->showView(MatrixWall::View::Top);
  const Camera top = wall_->camera();
  wall_->goHome();
  style_->setMotion(true);
  wall_->showView(MatrixWall::View::Top);
  QVERIFY(wall_->camera().elevation < top.elevation);
  QTRY_COMPARE(wall_->camera().elevation, top.elevation);
  wall_->goHome();
  wall_->showView(MatrixWall::View::Top);
  wall_->finishMove();
  QCOMPARE(wall_->camera().elevation, top.elevation);
}

TFM_TEST(TestMatrixWallInput)
#include "test_matrix_wall_input.moc"
