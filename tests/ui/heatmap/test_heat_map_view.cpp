// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>

#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/ui_test.h"
#include "ui/heatmap/heat_map_view.h"

using namespace tfm::ui;

namespace {

/// Distinct letters, like tokens of one character.
QStringList letters(int count) {
  QStringList texts;
  for (int i = 0; i < count; ++i) texts << QString(QChar(0x100 + i));
  return texts;
}

/// Words with distinct first letters.
QStringList wordsOf(int count) {
  QStringList texts;
  for (int i = 0; i < count; ++i)
    texts << QString("%1%2%3ings")
                 .arg(QChar('a' + i / 100))
                 .arg(QChar('a' + i / 10 % 10))
                 .arg(QChar('a' + i % 10));
  return texts;
}

/// A causal map: row i looks at columns 0..i.
HeatMap causalMap(int size) {
  HeatMap map;
  map.rows = map.cols = size;
  for (int row = 0; row < size; ++row)
    for (int col = 0; col < size; ++col) {
      map.masked.push_back(col > row);
      map.values.push_back(col > row ? 0.0F : 1.0F / static_cast<float>(row + 1));
    }
  for (int i = 0; i < size; ++i) map.row_labels << QString("t%1").arg(i);
  map.col_labels = map.row_labels;
  map.row_title = "writes";
  map.col_title = "reads";
  map.name = "layer 0, head 1";
  return map;
}

}  // namespace

class TestHeatMapView : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<Style> style_;
  std::unique_ptr<HeatMapView> view_;

  QPoint centre(int row, int col) const { return view_->cellRect(row, col).center().toPoint(); }
  void moveTo(const QPoint& point) { QTest::mouseMove(view_->viewport(), point); }
  void click(int row, int col, Qt::KeyboardModifiers keys = Qt::NoModifier) {
    QTest::mouseClick(view_->viewport(), Qt::LeftButton, keys, centre(row, col));
  }
  void press(Qt::Key key) { QTest::keyClick(view_.get(), key); }
  QColor pixel(const QPointF& point) const {
    return view_->grab().toImage().pixelColor(point.toPoint());
  }

 private slots:
  void init() {
    style_ = std::make_unique<Style>(*qobject_cast<QApplication*>(qApp));
    view_ = std::make_unique<HeatMapView>(*style_);
    view_->setMap(causalMap(4));
    view_->resize(600, 480);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
  }
  void cleanup() {
    view_.reset();
    style_.reset();
  }

  void numbersLoseDecimalsBeforeTheyDisappear() {
    HeatMap map = causalMap(18);
    map.scale = ColorScale::signedTo(0.7);
    QCOMPARE(map.scale.decimals(), 3);
    int before = 3;
    for (double side = 1600; side > 100; side -= 20) {
      const HeatMapLayout layout =
          layOutHeatMap(map, Legend::of(map), *style_, QRectF(0, 0, side, side));
      const int decimals = layout.numbers ? layout.decimals : 0;
      QVERIFY(decimals == before || decimals == before - 1);
      before = decimals;
    }
    QCOMPARE(before, 0);
    view_->setMap(map);
    const QByteArray svg = svgOf(*view_);
    QVERIFY(svg.contains(">0.5<"));
    QVERIFY(!svg.contains(">0.500<"));
  }

  void everyLabelIsShown_data() {
    QTest::addColumn<QStringList>("labels");
    QTest::addColumn<QSizeF>("size");
    QTest::addColumn<double>("scale");
    QTest::newRow("a word on a projector") << letters(12) << QSizeF(320, 260) << 1.6;
    QTest::newRow("words on a projector") << wordsOf(18) << QSizeF(520, 420) << 1.6;
    QTest::newRow("words at 1280 pixels") << wordsOf(18) << QSizeF(430, 340) << 1.0;
    QTest::newRow("a text") << letters(64) << QSizeF(520, 420) << 1.0;
    QTest::newRow("a long text") << letters(128) << QSizeF(620, 560) << 1.0;
    QTest::newRow("a long text of words") << wordsOf(128) << QSizeF(700, 620) << 1.0;
  }
  void everyLabelIsShown() {
    QFETCH(QStringList, labels);
    QFETCH(QSizeF, size);
    QFETCH(double, scale);
    style_->setScale(scale);
    HeatMap map = causalMap(int(labels.size()));
    map.row_labels = map.col_labels = labels;
    view_->setMap(map);
    const QByteArray svg = svgAt(*view_, size);
    for (const QString& label : labels) {
      // Long ones may be elided, but stay legible.
      const QByteArray start = '>' + label.left(6).toUtf8();
      QVERIFY2(svg.count(start) == 2, qPrintable(label));
    }
    const HeatMapLayout layout =
        layOutHeatMap(map, Legend::of(map), *style_, QRectF(QPointF(), size));
    QVERIFY(layout.grid.bounds().right() <= size.width());
    QVERIFY(layout.grid.bounds().bottom() <= size.height() + 1);
    // Those on one level do not touch.
    for (const AxisLabels* axis : {&layout.row_labels, &layout.col_labels}) {
      const QFontMetricsF metrics(axis->font);
      double longest = 0;
      for (const QString& text : axis->texts)
        longest = std::max(longest, metrics.horizontalAdvance(text));
      const bool along = axis == &layout.col_labels && axis->angle == 0.0;
      const double need = along ? longest : 0.9 * metrics.height();
      QVERIFY(axis->levels * layout.grid.cell_width >= need);
      QVERIFY(axis->levels == 1 || axis->level >= (along ? 0.9 * metrics.height() : longest));
    }
  }

  void longLabelsNeedRoomAndAreNotDropped() {
    const int before = view_->minimumSizeHint().height();
    HeatMap map = causalMap(300);
    map.row_labels = map.col_labels = letters(300);
    view_->setMap(map);
    const QSize least = view_->minimumSizeHint();
    QVERIFY(least.height() > 2 * before);
    const HeatMapLayout layout =
        layOutHeatMap(map, Legend::of(map), *style_, QRectF(QPointF(), QSizeF(least)));
    QVERIFY2(layout.row_labels.levels <= 4, qPrintable(QString::number(layout.row_labels.levels)));
  }

  void specialTokensAreExplained() {
    HeatMap map = causalMap(4);
    map.row_labels[3] = "<start>";
    map.col_labels[0] = "·";
    view_->setMap(map);
    QHelpEvent help(QEvent::ToolTip, centre(3, 0), view_->mapToGlobal(centre(3, 0)));
    QApplication::sendEvent(view_->viewport(), &help);
    QVERIFY(QToolTip::text().contains("<start>: the start token"));
    QVERIFY(QToolTip::text().contains("·: the end token"));
  }

  void hoverPreviewsAndLeavingEnds() {
    QSignalSpy hovered(view_.get(), &CellGrid::hovered);
    moveTo(centre(2, 1));
    QCOMPARE(hovered.takeLast(), QVariantList{9});
    QVERIFY(view_->shownCell() == (Cell{2, 1}));
    moveTo(centre(2, 1) + QPoint(2, 2));
    QVERIFY(hovered.isEmpty());  // the same cell is no news
    moveTo(QPoint(1, 1));
    QCOMPARE(hovered.takeLast(), QVariantList{-1});
    QVERIFY(!view_->shownCell());
  }

  void clickLocksAndSecondClickUnlocks() {
    QSignalSpy locked(view_.get(), &CellGrid::locked);
    QSignalSpy unlocked(view_.get(), &CellGrid::unlocked);
    QSignalSpy hovered(view_.get(), &CellGrid::hovered);
    click(2, 1);
    QCOMPARE(locked.size(), 1);
    QVERIFY(view_->lockedCell() == (Cell{2, 1}));
    hovered.clear();
    moveTo(centre(3, 3));
    QVERIFY(hovered.isEmpty());  // a lock is not disturbed by the pointer
    QVERIFY(view_->shownCell() == (Cell{2, 1}));
    click(3, 0);
    QCOMPARE(locked.takeLast(), QVariantList{12});
    QVERIFY(unlocked.isEmpty());
    click(3, 0);
    QCOMPARE(unlocked.size(), 1);
    QVERIFY(!view_->lockedCell());
  }

  void escapeUnlocksAndThenPasses() {
    QSignalSpy unlocked(view_.get(), &CellGrid::unlocked);
    click(1, 1);
    press(Qt::Key_Escape);
    QCOMPARE(unlocked.size(), 1);
    press(Qt::Key_Escape);
    QCOMPARE(unlocked.size(), 1);
  }

  void outsideTheCellsNothingLocks() {
    QSignalSpy locked(view_.get(), &CellGrid::locked);
    QTest::mouseClick(view_->viewport(), Qt::LeftButton, {}, QPoint(2, 2));
    QTest::mouseClick(view_->viewport(), Qt::RightButton, {}, centre(1, 1));
    QVERIFY(locked.isEmpty());
  }

  void arrowsWalkAndStopAtTheEdge() {
    press(Qt::Key_Down);
    QVERIFY(view_->shownCell() == (Cell{0, 0}));
    press(Qt::Key_Left);
    QVERIFY(view_->shownCell() == (Cell{0, 0}));
    press(Qt::Key_Down);
    press(Qt::Key_Right);
    QVERIFY(view_->shownCell() == (Cell{1, 1}));
    QVERIFY(!view_->lockedCell());
    press(Qt::Key_Return);
    QVERIFY(view_->lockedCell() == (Cell{1, 1}));
    QSignalSpy locked(view_.get(), &CellGrid::locked);
    press(Qt::Key_Down);
    QCOMPARE(locked.takeLast(), QVariantList{9});  // the lock moves along
    for (int i = 0; i < 9; ++i) press(Qt::Key_Down);
    QVERIFY(view_->lockedCell() == (Cell{3, 1}));
  }

  void shiftClickSelectsRows() {
    QSignalSpy rows(view_.get(), &HeatMapView::rowsSelected);
    click(2, 0, Qt::ShiftModifier);
    click(0, 0, Qt::ShiftModifier);
    QCOMPARE(rows.takeLast().first().value<QList<int>>(), (QList<int>{0, 2}));
    QVERIFY(!view_->lockedCell());
    click(2, 3, Qt::ShiftModifier);
    QCOMPARE(rows.takeLast().first().value<QList<int>>(), (QList<int>{0}));
    press(Qt::Key_Escape);
    QVERIFY(rows.takeLast().first().value<QList<int>>().isEmpty());
  }

  void followingAnotherPanelIsSilent() {
    QSignalSpy locked(view_.get(), &CellGrid::locked);
    view_->showLock(Cell{1, 0});
    QVERIFY(view_->lockedCell() == (Cell{1, 0}));
    view_->showLock(std::nullopt);
    QVERIFY(!view_->lockedCell() && locked.isEmpty());
  }

  void theLockOutlivesNewValuesButNotNewSizes() {
    click(1, 1);
    view_->setValues(std::vector<float>(16, 0.5F));
    view_->setMap(causalMap(4));
    QVERIFY(view_->lockedCell().has_value());
    QSignalSpy unlocked(view_.get(), &CellGrid::unlocked);
    view_->setMap(causalMap(5));
    QCOMPARE(unlocked.size(), 1);
    QVERIFY_THROWS_EXCEPTION(std::logic_error, view_->setValues(std::vector<float>(16)));
  }

  void maskedCellsSaySoInTheTooltip() {
    const auto tipAt = [&](int row, int col) {
      QHelpEvent help(QEvent::ToolTip, centre(row, col), view_->mapToGlobal(centre(row, col)));
      QApplication::sendEvent(view_->viewport(), &help);
      return QToolTip::text();
    };
    QCOMPARE(tipAt(0, 2), QString("layer 0, head 1, from 't0' to 't2', masked"));
    QCOMPARE(tipAt(1, 0), QString("layer 0, head 1, from 't1' to 't0', 0.50"));
  }

  void screenReadersReadTheCell() {
    QAccessibleInterface* table = QAccessible::queryAccessibleInterface(view_.get());
    QVERIFY(table);
    QCOMPARE(table->childCount(), 16);
    press(Qt::Key_Down);
    press(Qt::Key_Right);
    view_->setFocus();
    QAccessibleInterface* cell = table->child(1);
    QCOMPARE(cell->text(QAccessible::Name), QString("layer 0, head 1, from 't0' to 't1', masked"));
    QCOMPARE(table->text(QAccessible::Value), cell->text(QAccessible::Name));
    QCOMPARE(table->child(4)->text(QAccessible::Name),
             QString("layer 0, head 1, from 't1' to 't0', 0.50"));
    QCOMPARE(table->indexOfChild(cell), 1);
    QCOMPARE(cell->parent(), table);
    QVERIFY(cell->rect().contains(view_->mapToGlobal(centre(0, 1))));
    QVERIFY(!cell->rect().contains(view_->mapToGlobal(centre(0, 2))));
    QCOMPARE(table->childAt(cell->rect().center().x(), cell->rect().center().y()), cell);
    QVERIFY(!cell->state().selected);
    press(Qt::Key_Return);
    QVERIFY(cell->state().selected);
    QVERIFY(!table->child(2)->state().selected);
    view_->setMap(causalMap(1));
    QVERIFY(!cell->isValid());  // a reader may hold on to cells that are gone
  }

  void maskedLooksUnlikeZero() {
    // In the middle of a cell, between the hatching's lines or on them: never the colour of a
    // value.
    HeatMap map = causalMap(4);
    const QRgb zero = ColorTable(map.scale, style_->palette()).color(0.0);
    const QPointF inside = view_->cellRect(0, 2).topLeft() + QPointF(6, 6);
    QVERIFY(pixel(inside).rgb() != zero);
    QVERIFY(pixel(inside) != pixel(QPointF(1, 1)));  // nor simply left out
    map.masked.clear();
    view_->setMap(map);
    QCOMPARE(pixel(inside).rgb(), zero);
  }

  void theThemeIsFollowed() {
    const QPointF masked = view_->cellRect(0, 3).topLeft() + QPointF(6, 6);
    const QColor dark = pixel(masked);
    style_->setTheme(Theme::Light);
    QVERIFY(pixel(masked) != dark);
  }

  void theProjectorEnlarges() {
    const QSizeF before = view_->figureSize();
    style_->setScale(1.6);
    QVERIFY(view_->figureSize().width() > 1.4 * before.width());
  }

  void veryLargeMapsAreDrawn() {
    view_->setMap(causalMap(100));
    const QRectF cell = view_->cellRect(0, 0);
    const QRgb one = ColorTable(ColorScale(), style_->palette()).color(1.0);
    QCOMPARE(pixel(cell.center()).rgb(), one);
    click(99, 3);
    QVERIFY(view_->lockedCell() == (Cell{99, 3}));
  }

  void paperHasTextAndLegend() {
    const QByteArray svg = svgOf(*view_);
    for (const char* text : {">t0<", ">t3<", ">reads →<", ">writes →<", ">masked<", ">0.33<",
                             ">largest 1.00<", ">smallest 0.25<", ">0.00<", ">1.00<"})
      QVERIFY2(svg.contains(text), text);
    QVERIFY(!svg.contains("<image"));  // vectors, not pixels
    HeatMap map = causalMap(4);
    map.masked.clear();
    view_->setMap(map);
    QVERIFY(!svgOf(*view_).contains(">masked<"));
  }

  void hoverIsNotPrintedButTheLockIs() {
    const QByteArray gold = paperPalette().mark.name().toLatin1();
    moveTo(centre(1, 0));
    QVERIFY(!svgOf(*view_).contains(gold));
    click(1, 0);
    QVERIFY(svgOf(*view_).contains(gold));
  }

  void longLabelsAreElidedOnPaper() {
    HeatMap map = causalMap(4);
    map.row_labels[1] = QString(60, 'w');
    view_->setMap(map);
    const QByteArray svg = svgOf(*view_);
    QVERIFY(!svg.contains(QByteArray(60, 'w')));
    QVERIFY(svg.contains("www…"));
  }
};

TFM_TEST(TestHeatMapView)
#include "test_heat_map_view.moc"
