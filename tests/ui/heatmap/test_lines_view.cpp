// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>

#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/ui_test.h"
#include "ui/heatmap/line_raster.h"
#include "ui/heatmap/lines_view.h"

using namespace tfm::ui;

namespace {

constexpr Token looking(int index) { return {Token::Side::Looking, index}; }
constexpr Token lookedAt(int index) { return {Token::Side::LookedAt, index}; }

/// Every row looks only at the column of its own index, and the last column is masked.
HeatMap diagonalMap(int size) {
  HeatMap map;
  map.rows = map.cols = size;
  map.values.assign(size * size, 0.0F);
  map.masked.assign(size * size, 0);
  for (int i = 0; i < size; ++i) {
    map.values[i * size + i] = 1.0F;
    map.masked[i * size + size - 1] = 1;
    map.row_labels << QString("r%1").arg(i);
    map.col_labels << QString("c%1").arg(i);
  }
  map.name = "layer 0, head 0";
  return map;
}

int linesOnPaper(const LinesView& view) { return static_cast<int>(svgOf(view).count("<polyline")); }

}  // namespace

class TestLinesView : public UiTest {
  Q_OBJECT

 private:
  std::unique_ptr<LinesView> view_;

  QPoint centre(const Token& token) const {
    return view_->itemRect(token.side == Token::Side::Looking ? token.index : 4 + token.index)
        .center()
        .toPoint();
  }

 private slots:
  void init() {
    view_ = std::make_unique<LinesView>(style_);
    view_->setMap(diagonalMap(4));
    view_->resize(480, 360);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
  }
  void cleanup() { view_.reset(); }

  void everyTokenIsShown() {
    for (const int count : {12, 64, 128}) {
      view_->setMap(diagonalMap(count));
      const QByteArray svg = svgAt(*view_, QSizeF(620, 420));
      for (int i = 0; i < count; ++i)
        for (const char* side : {"r", "c"})
          QVERIFY2(svg.contains(QString(">%1%2<").arg(side).arg(i).toUtf8()),
                   qPrintable(QString("%1%2 of %3").arg(side).arg(i).arg(count)));
    }
  }

  void tokensOfBothSidesAreHovered() {
    QSignalSpy hovered(view_.get(), &CellGrid::hovered);
    QTest::mouseMove(view_->viewport(), centre(lookedAt(2)));
    QVERIFY(view_->tokenOf(hovered.takeLast().first().toInt()) == lookedAt(2));
    QTest::mouseClick(view_->viewport(), Qt::LeftButton, {}, centre(looking(1)));
    QVERIFY(view_->lockedToken() == looking(1));
  }

  void arrowsWalkTokensAndSides() {
    QTest::keyClick(view_.get(), Qt::Key_Down);
    QVERIFY(view_->shownToken() == looking(0));
    QTest::keyClick(view_.get(), Qt::Key_Down);
    QTest::keyClick(view_.get(), Qt::Key_Right);
    QVERIFY(view_->shownToken() == lookedAt(1));
    QTest::keyClick(view_.get(), Qt::Key_Return);
    QVERIFY(view_->lockedToken() == lookedAt(1));
  }

  void onlyRealWeightsAreLines() {
    // Four rows; zero weights and the masked last column have no line.
    QCOMPARE(linesOnPaper(*view_), 3);
    view_->showLock(looking(1));
    QCOMPARE(linesOnPaper(*view_), 1);
    view_->showLock(lookedAt(3));
    QCOMPARE(linesOnPaper(*view_), 0);
  }

  void manyTokensShowLinesOfTheLockedOneOnly() {
    view_->setMap(diagonalMap(LinesView::kMaxTokens));
    QCOMPARE(linesOnPaper(*view_), LinesView::kMaxTokens - 1);
    view_->setMap(diagonalMap(LinesView::kMaxTokens + 1));
    QCOMPARE(linesOnPaper(*view_), 0);
    view_->showLock(looking(5));
    QCOMPARE(linesOnPaper(*view_), 1);
  }

  void screenReadersReadTheStrongestPartner() {
    QAccessibleInterface* table = QAccessible::queryAccessibleInterface(view_.get());
    QCOMPARE(table->childCount(), 8);
    QCOMPARE(table->child(1)->text(QAccessible::Name), QString("'r1' looks most at 'c1', 1.00"));
    QCOMPARE(table->child(4 + 2)->text(QAccessible::Name),
             QString("'c2' is looked at most by 'r2', 1.00"));
    QCOMPARE(table->child(4 + 3)->text(QAccessible::Name), QString("'c3', everything masked"));
  }

  void theTableEqualsTheMap() {
    const DataTable table = view_->figureData();
    QCOMPARE(table.rows.size(), std::size_t(16));
    QCOMPARE(table.rows[5][4].toDouble(), 1.0);
    QCOMPARE(table.rows[6][4].toDouble(), 0.0);
    QVERIFY(table.rows[7][4].isEmpty());
  }

  void rasteredLinesBlendByWeight() {
    QImage image(20, 20, QImage::Format_ARGB32_Premultiplied);
    const CrossingLine half{qRgba(255, 0, 0, 128), 10.0, 10.0};
    rasterLines(image, std::span(&half, 1), 2.0);
    QCOMPARE(qAlpha(image.pixel(5, 9)), 128);
    QCOMPARE(qAlpha(image.pixel(15, 10)), 128);
    QCOMPARE(qAlpha(image.pixel(5, 12)), 0);
    const CrossingLine twice[] = {half, half};
    rasterLines(image, twice, 2.0);
    QCOMPARE(qAlpha(image.pixel(5, 9)), 192);
    const CrossingLine beyond{qRgba(255, 0, 0, 255), -50.0, 90.0};
    rasterLines(image, std::span(&beyond, 1), 2.0);  // is cut off at the edges
    QCOMPARE(qAlpha(image.pixel(0, 19)), 0);
  }
};

TFM_TEST(TestLinesView)
#include "test_lines_view.moc"
