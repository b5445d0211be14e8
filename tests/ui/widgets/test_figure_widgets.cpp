// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHelpEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolTip>
#include <limits>

#include "tests/ui/ui_test.h"
#include "tests/ui/widgets/on_paper.h"
#include "ui/figure/number_text.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/token_line.h"
#include "ui/widgets/value_strip.h"

using namespace tfm::ui;

namespace {

const std::vector<BarRow> kTerms = {{"3.10×1.42", 4.4}, {"1.60×0.71", 1.14}, {"-0.40×0.50", -0.2}};

}  // namespace

class TestFigureWidgets : public QObject {
  Q_OBJECT

 private slots:
  void init() { style_ = std::make_unique<Style>(*qApp); }
  void cleanup() { style_.reset(); }

  void barsHaveTheLengthOfTheirValues() {
    BarList bars(*style_);
    bars.setRows({{"a", 4}, {"b", 2}, {"c", 0}});
    const QImage image = onPaper(bars);
    const auto length = [&](int row) {
      return pixelsOf(image, paperPalette().positive, QRect(0, row * 20 + 10, image.width(), 1));
    };
    QVERIFY(length(0) > 200);
    QVERIFY(std::abs(length(0) - 2 * length(1)) <= 4);
    QCOMPARE(length(2), 0);
    // With a limit of 8 nothing fills the row any more.
    bars.setLimit(8);
    const QImage limited = onPaper(bars);
    const int shorter =
        pixelsOf(limited, paperPalette().positive, QRect(0, 10, limited.width(), 1));
    QVERIFY(std::abs(2 * shorter - length(0)) <= 4);
  }

  void signsHaveColoursAndSides() {
    BarList bars(*style_);
    bars.setRows({{"up", 1}, {"down", -1}});
    const QImage image = onPaper(bars);
    QVERIFY(pixelsOf(image, paperPalette().positive, QRect(0, 0, 320, 20)) > 200);
    QCOMPARE(pixelsOf(image, paperPalette().negative, QRect(0, 0, 320, 20)), 0);
    QVERIFY(pixelsOf(image, paperPalette().negative, QRect(0, 20, 320, 20)) > 200);
    QCOMPARE(pixelsOf(image, paperPalette().positive, QRect(0, 20, 320, 20)), 0);
    // Opposite sides of zero: no column has both.
    for (int x = 0; x < image.width(); ++x) {
      const bool above = image.pixelColor(x, 10) == paperPalette().positive;
      const bool below = image.pixelColor(x, 30) == paperPalette().negative;
      QVERIFY(!(above && below));
    }
  }

  void barsAcceptNaN() {
    BarList bars(*style_);
    bars.setRows({{"a", std::numeric_limits<double>::quiet_NaN()},
                  {"b", std::numeric_limits<double>::infinity()},
                  {"c", 1}});
    QVERIFY(pixelsOf(onPaper(bars), paperPalette().positive) > 500);
    bars.setRows({});
    QVERIFY(!onPaper(bars).isNull());
  }

  void aRowHasABarForEachSeries() {
    BarList bars(*style_);
    bars.setSeries({"training 9", "held-out 4"});
    bars.setColumns({"training", "", "held-out"});
    bars.setRows({{"a", 0.6, {0.3}, {"6", "60 %", "3"}}, {"b", 0, {0.15}, {"0", "0 %", "1"}}});
    const QImage image = onPaper(bars);
    const auto length = [&](int series, int row) {
      const QRect line(0, 40 + 20 * row + 7 + 6 * series, image.width(), 1);
      return pixelsOf(image, paperPalette().series[std::size_t(series)], line);
    };
    const int whole = length(0, 0);  // the largest of both
    QVERIFY(whole > 60);
    QVERIFY(std::abs(whole - 2 * length(1, 0)) <= 3);
    QCOMPARE(length(0, 1), 0);  // none is no bar
    QVERIFY(std::abs(whole - 4 * length(1, 1)) <= 5);
    QVERIFY(bars.spokenText().contains("a: training 6, 60 %, held-out 3"));
    const double low = bars.figureSize().height();
    bars.setSeries({"training", "held-out"});
    bars.setColumns({"", ""});
    bars.setRows({{"a", 0.6, {0.3}, {"6", "60 %", "3", "30 %"}}, {"b", 0, {0.15}, {}}});
    QVERIFY2(bars.spokenText().contains("a: training 6, 60 %, held-out 3, 30 %"),
             qPrintable(bars.spokenText()));
    QVERIFY2(bars.figureSize().height() > low, "a line for each bar");
    QVERIFY(staysInItsArea(bars));
    QCOMPARE(bars.figureData().rows[0], QStringList({"a", "0.6"}));
    bars.setData({{"group", "training"}, {{"a", "6"}}});
    QCOMPARE(bars.figureData().rows[0], QStringList({"a", "6"}));
  }

  void theChosenBarIsGoldBelowTheHeading() {
    BarList bars(*style_);
    bars.setDecimals(std::nullopt);
    bars.setLimit(1.0);
    bars.setRows({{"u", 0.75}, {"v", 0.0002}});
    const double height = bars.figureSize().height();
    QCOMPARE(pixelsOf(onPaper(bars), paperPalette().mark), 0);
    bars.setHeading("p = softmax(logits / 0.7)");
    bars.setChosen(0);
    QVERIFY(bars.figureSize().height() > height);
    const QImage image = onPaper(bars);
    const int below = int(bars.figureSize().height() - height);
    QCOMPARE(pixelsOf(image, paperPalette().mark, QRect(0, 0, image.width(), below)), 0);
    QVERIFY(pixelsOf(image, paperPalette().mark, QRect(0, below, image.width(), 20)) > 100);
    QTest::keyClick(&bars, Qt::Key_End);
    QVERIFY(bars.spokenText().contains("0.0002"));
    bars.setRows({{"w", 1}});  // others were not chosen
    QCOMPARE(pixelsOf(onPaper(bars), paperPalette().mark), 0);
  }

  void hugeNumbersLeaveRoomForTheBars() {
    BarList bars(*style_);
    bars.setRows({{"decoder embedding", 1049479652388773.0}, {"encoder, layer 0", -404272384.0}});
    const QImage image = onPaper(bars);
    QVERIFY(pixelsOf(image, paperPalette().positive, QRect(0, 10, image.width(), 1)) > 60);
  }

  void figuresStayInTheirAreas() {
    BarList bars(*style_);
    bars.setRows(kTerms, {{"sum", 5.34}});
    QVERIFY(staysInItsArea(bars));
    TokenLine line(*style_);
    line.setTokens({{"a", 0.5}, {"b", 1}});
    QVERIFY(staysInItsArea(line));
    ValueStrip strip(*style_);
    strip.setValues({0.5, -1, 2});
    QVERIFY(staysInItsArea(strip));
  }

  void barDataIsComplete() {
    BarList bars(*style_);
    bars.setRows(kTerms, {{"sum", 1.0 / 3}});
    const DataTable table = bars.figureData();
    QCOMPARE(table.rows.size(), std::size_t(4));
    QCOMPARE(table.rows[2], QStringList({"-0.40×0.50", "-0.2"}));
    QCOMPARE(table.rows[3][1].toDouble(), 1.0 / 3);
  }

  void arrowKeysMoveAndEnterLocks() {
    BarList bars(*style_);
    bars.setRows(kTerms);
    QSignalSpy locked(&bars, &FigureWidget::locked);
    QSignalSpy hovered(&bars, &FigureWidget::hovered);
    QTest::keyClick(&bars, Qt::Key_Return);
    QCOMPARE(locked.count(), 0);  // nothing is current yet
    QTest::keyClick(&bars, Qt::Key_Down);
    QCOMPARE(bars.currentItem(), 0);
    QTest::keyClick(&bars, Qt::Key_Right);  // in one line, every arrow goes along it
    QCOMPARE(hovered.takeLast().first().toInt(), 1);
    QTest::keyClick(&bars, Qt::Key_Return);
    QCOMPARE(locked.takeFirst().first().toInt(), 1);
    QTest::keyClick(&bars, Qt::Key_End);
    QTest::keyClick(&bars, Qt::Key_Down);
    QCOMPARE(bars.lockedItem(), 2);
    QTest::keyClick(&bars, Qt::Key_Home);
    QCOMPARE(bars.lockedItem(), 0);
    QTest::keyClick(&bars, Qt::Key_Escape);
    QCOMPARE(bars.lockedItem(), -1);
    bars.showLockedItem(99);
    QCOMPARE(bars.lockedItem(), -1);
    BarList empty(*style_);
    QTest::keyClick(&empty, Qt::Key_End);
    QTest::keyClick(&empty, Qt::Key_Down);
    QCOMPARE(empty.currentItem(), -1);
  }

  void arrowsWalkAStripToTheRight() {
    ValueStrip strip(*style_);
    strip.setValues({1, 2, 3});
    QTest::keyClick(&strip, Qt::Key_Right);
    QTest::keyClick(&strip, Qt::Key_Right);
    QCOMPARE(strip.hoveredCell(), (Cell{0, 1}));
    QTest::keyClick(&strip, Qt::Key_Left);
    QCOMPARE(strip.currentItem(), 0);
  }

  void shrinkingContentForgetsWhatIsOutside() {
    BarList bars(*style_);
    bars.setRows(kTerms);
    bars.showLockedItem(2);
    const QSignalSpy unlocked(&bars, &FigureWidget::unlocked);
    bars.setRows({kTerms[0]});
    QCOMPARE(bars.lockedItem(), -1);
    QCOMPARE(unlocked.count(), 0);  // who changed the content knows
    bars.showLockedItem(0);
    bars.setRows(kTerms);
    QCOMPARE(bars.lockedItem(), 0);
  }

  void screenReadersReadNumbers() {
    BarList bars(*style_);
    bars.setTitle("query · key");
    bars.setRows(kTerms);
    QCOMPARE(bars.accessibleName(), "query · key");
    QVERIFY(bars.spokenText().contains("1.60×0.71: 1.14"));
    QVERIFY(bars.spokenText().contains("-0.2"));
    bars.showLockedItem(1);
    QCOMPARE(bars.spokenText(), "1.60×0.71: 1.14");
    ValueStrip strip(*style_);
    strip.setValues(std::vector<double>(500, 1.0));
    QVERIFY(strip.spokenText().contains("500"));
    QVERIFY(strip.spokenText().size() < 100);
  }

  void pointerFindsItemsAtEveryScale() {
    for (const double scale : {1.0, 1.6}) {
      style_->setScale(scale);
      BarList bars(*style_);
      bars.setRows(kTerms);
      bars.resize(bars.sizeHint());
      QSignalSpy hovered(&bars, &FigureWidget::hovered);
      QSignalSpy locked(&bars, &FigureWidget::locked);
      const QPoint second(bars.width() / 2, style_->px(3 + 30));
      bars.show();
      QVERIFY(QTest::qWaitForWindowExposed(&bars));
      QTest::mouseMove(&bars, second);
      QTRY_VERIFY(!hovered.isEmpty());
      QCOMPARE(hovered.takeLast().first().toInt(), 1);
      QTest::mouseClick(&bars, Qt::LeftButton, {}, second);
      QCOMPARE(locked.takeLast().first().toInt(), 1);
      QCOMPARE(bars.lockedItem(), 1);
      QTest::mouseClick(&bars, Qt::RightButton, {}, second);
      QCOMPARE(locked.count(), 0);
      QVERIFY(pixelsOf(bars.grab().toImage(), style_->palette().mark) > bars.width());
    }
  }

  void sizesAndColoursFollowTheStyle() {
    BarList bars(*style_);
    bars.setRows(kTerms);
    const QSize small = bars.sizeHint();
    style_->setScale(1.6);
    QCOMPARE(bars.sizeHint(), (QSizeF(small) * 1.6).toSize());
    style_->setTheme(Theme::Light);
    bars.resize(bars.sizeHint());
    QVERIFY(pixelsOf(bars.grab().toImage(), palette(Theme::Light).positive) > 500);
    // On paper the scale of the screen does not matter.
    QCOMPARE(bars.figureSize().height(), 60.0);
  }

  void tooltipGivesIndexAndValue() {
    ValueStrip strip(*style_);
    strip.setValues({0.25, -1.5});
    strip.resize(strip.sizeHint());
    strip.show();
    const QPoint last(strip.width() - 10, strip.height() / 2);
    QHelpEvent help(QEvent::ToolTip, last, strip.mapToGlobal(last));
    QApplication::sendEvent(&strip, &help);
    QCOMPARE(QToolTip::text(), "2: -1.5");
  }

  void stripColoursAndDigits() {
    ValueStrip strip(*style_);
    strip.setValues({1, -1, 0});
    const QImage image = onPaper(strip);
    QVERIFY(pixelsOf(image, paperPalette().positive, QRect(0, 0, 48, 24)) > 300);
    QVERIFY(pixelsOf(image, paperPalette().negative, QRect(48, 0, 48, 24)) > 300);
    QVERIFY(pixelsOf(image, paperPalette().zero, QRect(96, 0, 48, 24)) > 300);
    QVERIFY(pixelsOf(image, Qt::white, QRect(0, 0, 48, 24)) > 0);  // digits on blue
    // Three digits would not fit, one does.
    strip.setValues(std::vector<double>(20, 0.128));
    QVERIFY(strip.figureSize().width() / 20 < 40);
    QVERIFY(pixelsOf(onPaper(strip), paperPalette().positive, QRect(6, 6, 20, 12)) < 20 * 12);
    // Digits that would not fit are left out: nothing but the cell's colour is there.
    strip.setValues(std::vector<double>(128, 1.0));
    const QImage narrow = onPaper(strip);
    QCOMPARE(pixelsOf(narrow, Qt::black), 0);
    QCOMPARE(pixelsOf(narrow, paperPalette().positive), narrow.width() * narrow.height());
    // A limit makes the same value paler.
    strip.setLimit(10);
    QCOMPARE(pixelsOf(onPaper(strip), paperPalette().positive), 0);
  }

  void stripShowsNaN() {
    ValueStrip strip(*style_);
    strip.setValues({1, std::numeric_limits<double>::quiet_NaN()});
    QVERIFY(pixelsOf(onPaper(strip), paperPalette().bad) > 300);
    QCOMPARE(strip.figureData().rows[1][1], "nan");
  }

  void tokensHaveTheColourOfTheirProbability() {
    TokenLine line(*style_);
    line.setTokens({{"a", 0}, {"b", 1}});
    const QImage image = onPaper(line);
    QVERIFY(pixelsOf(image, cividis(0)) > 150);
    QVERIFY(pixelsOf(image, cividis(1)) > 150);
    line.setTokens({{"a", 0.5}});
    QVERIFY(pixelsOf(onPaper(line), cividis(0.5)) > 150);
    QVERIFY(line.figureData().rows[0] == QStringList({"a", "0.5"}));
  }

  void tokensWrap() {
    TokenLine line(*style_);
    line.setTokens(std::vector<ShadedToken>(40, {"token", 0.5}));
    QVERIFY(line.heightForWidth(200) > line.heightForWidth(800));
    const int oneLine = line.heightForWidth(100000);
    line.setTokens({{"a\n", 0.5}, {"b", 0.5}});
    QVERIFY(line.heightForWidth(100000) > oneLine);
    line.setTokens({});
    QVERIFY(line.heightForWidth(300) > 0);
  }

  void proseBreaksBetweenWords() {
    TokenLine line(*style_, TokenLine::Look::Prose);
    std::vector<ShadedToken> letters;
    for (const QChar c : QString("to be or not to be that is the question whether it is nobler"))
      letters.push_back({QString(c), 0.5});
    line.setTokens(letters);
    line.resize(240, line.heightForWidth(240));
    int lines = 1;
    for (int i = 1; i < int(letters.size()); ++i) {
      const bool same = line.itemRect(i).top() == line.itemRect(i - 1).top();
      lines += !same;
      if (!same) QCOMPARE(letters[std::size_t(i - 1)].text, QString(" "));
      QVERIFY(letters[std::size_t(i)].text == " " || line.itemRect(i).right() <= line.width());
    }
    QVERIFY(lines > 2);
    // A word longer than a line is broken somewhere.
    line.setTokens(std::vector<ShadedToken>(200, {"m", 0.5}));
    QVERIFY(line.itemRect(199).top() > line.itemRect(0).top());
    QVERIFY(line.itemRect(199).right() <= line.width());
  }

  void givenTokensHaveNoColour() {
    TokenLine line(*style_, TokenLine::Look::Prose);
    const double none = std::numeric_limits<double>::quiet_NaN();
    line.setTokens({{"mmmmm", 1}});
    QVERIFY(pixelsOf(onPaper(line), cividis(1)) > 150);
    line.setTokens({{"mmmmm", none}});
    QVERIFY(pixelsOf(onPaper(line), cividis(1)) < 150);  // of the legend
    QCOMPARE(line.figureData().rows[0], QStringList({"mmmmm", ""}));
  }

  void aTokenIsLockedAndUnlocked() {
    TokenLine line(*style_);
    line.setTokens({{"a", 0.5}, {"b", 0.5}});
    line.resize(200, 60);
    const QSignalSpy locked(&line, &TokenLine::locked), unlocked(&line, &TokenLine::unlocked);
    const QPoint second = line.itemRect(1).center().toPoint();
    QTest::mouseClick(&line, Qt::LeftButton, {}, second);
    QCOMPARE(line.lockedItem(), 1);
    QTest::mouseClick(&line, Qt::LeftButton, {}, second);
    QCOMPARE(line.lockedItem(), -1);
    QTest::mouseClick(&line, Qt::LeftButton, {}, second);
    QTest::keyClick(&line, Qt::Key_Home);
    QTest::keyClick(&line, Qt::Key_Escape);
    QCOMPARE(locked.size(), 3);
    QCOMPARE(locked[2].front().toInt(), 0);
    QCOMPARE(unlocked.size(), 2);
  }

  void aWalkedTokenIsScrolledTo() {
    QScrollArea area;
    auto* line = new TokenLine(*style_);
    std::vector<ShadedToken> tokens(200, {"word ", 0.5});
    line->setTokens(tokens);
    area.setWidget(line);
    area.setWidgetResizable(true);
    area.resize(200, 100);
    area.show();
    QVERIFY(QTest::qWaitForWindowExposed(&area));
    QCOMPARE(area.verticalScrollBar()->value(), 0);
    QTest::keyClick(line, Qt::Key_End);
    QVERIFY(area.verticalScrollBar()->value() > 0);
    const QPoint last = line->mapTo(area.viewport(), line->itemRect(199).center().toPoint());
    QVERIFY(area.viewport()->rect().contains(last));
  }

  void numbersForTheScreen() {
    QCOMPARE(fixedNumber(1.005, 2), "1.00");
    QCOMPARE(fixedNumber(-0.001, 2), "0.00");
    QCOMPARE(fixedNumber(-0.2, 2), "-0.20");
    QCOMPARE(fixedNumber(std::numeric_limits<double>::infinity(), 2), "∞");
    QCOMPARE(fixedNumber(std::numeric_limits<double>::quiet_NaN(), 2), "NaN");
    QCOMPARE(fixedNumber(-999999.4, 0), "-999999");
    QCOMPARE(fixedNumber(1049479652388773.0, 2), "1.05e15");
    QCOMPARE(fixedNumber(-69195600.0, 2), "-6.92e7");
    QCOMPARE(decimalsFor(1.5), 2);
    QCOMPARE(decimalsFor(150), 0);
    QCOMPARE(decimalsFor(0.015), 4);
    QCOMPARE(decimalsFor(0), 2);
    QCOMPARE(decimalsFor(1e-30), 6);
  }

 private:
  std::unique_ptr<Style> style_;
};

TFM_TEST(TestFigureWidgets)
#include "test_figure_widgets.moc"
