// SPDX-License-Identifier: GPL-3.0-or-later
// Going back through a training with the transport bar.
#include <QMenu>
#include <QToolButton>

#include "tests/ui/views/view_bench.h"
#include "ui/figure/number_text.h"
#include "ui/plots/loss_strip.h"
#include "ui/views/transport/transport_bar.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/segmented.h"

using namespace tfm;
using namespace tfm::ui;

class TestTransportMoments : public QObject, private ViewBench<TransportBar> {
  Q_OBJECT

 private slots:
  void init() {
    setUp(startRot13, {1280, 60});
    // Pinning keeps a moment: there is one at each of these steps.
    for (const std::int64_t step : {20, 40, 60}) {
      QVERIFY(trainTo(*document_, step));
      document_->moments().pin(Pin::A);
      QTRY_VERIFY(document_->moments().pinnedStep(Pin::A) == step);
    }
    document_->moments().unpin(Pin::A);
    QVERIFY(document_->moments().showsNow());
  }

  void cleanup() { tearDown(); }

  void draggingTheStripShowsThePast() {
    LossStrip& strip = view_->strip();
    QTest::mousePress(&strip.pointerArea(), Qt::LeftButton, {}, placeOf(30));
    QVERIFY(!document_->moments().showsNow());
    QVERIFY(document_->moments().shownStep() <= 30 && document_->moments().shownStep() >= 20);
    QCOMPARE(stepName(), QString("step, of 60"));
    QTRY_COMPARE(number(0), QString::number(document_->moments().shownStep()));
    QVERIFY(
        strip.accessibleDescription().contains(QString::number(document_->moments().shownStep())));
    QTest::mouseRelease(&strip.pointerArea(), Qt::LeftButton, {}, placeOf(30));
    QTest::qWait(QApplication::doubleClickInterval() +
                 50);  // after a new layout, and no double click
    QTest::mousePress(&strip.pointerArea(), Qt::LeftButton, {}, placeOf(60) + QPoint(10, 0));
    QVERIFY(document_->moments().showsNow());
  }

  void keysStepThroughMoments() {
    QTest::keyClick(view_.get(), Qt::Key_BracketLeft);
    const std::int64_t first = document_->moments().shownStep();
    QVERIFY(first < 60);
    QTest::keyClick(view_.get(), Qt::Key_BracketLeft);
    QVERIFY(document_->moments().shownStep() < first);
    QTest::keyClick(view_.get(), Qt::Key_BracketRight);
    QCOMPARE(document_->moments().shownStep(), first);
    QTest::keyClick(view_.get(), Qt::Key_End, Qt::ControlModifier);
    QVERIFY(document_->moments().showsNow());
    view_->strip().setFocus();
    QTest::keyClick(&view_->strip(), Qt::Key_Left);
    QCOMPARE(document_->moments().shownStep(), first);
  }

  void numbersAreOfTheMomentThatIsShown() {
    const train::History& history = document_->training().history();
    QTRY_COMPARE(number(0), QString("60"));
    const QString now = number(1);
    document_->moments().show(40);
    QTRY_COMPARE(number(0), QString("40"));
    QCOMPARE(number(1), shortNumber(history.steps[39].loss));
    QVERIFY(number(1) != now);
    document_->moments().show(0);  // nothing was measured until then
    QTRY_COMPARE(number(0), QString("0"));
    QCOMPARE(number(1), QString("–"));
    QCOMPARE(number(2), QString("–"));
    document_->moments().pin(Pin::A);
    document_->moments().show(20);
    document_->moments().pin(Pin::B);
    document_->moments().compare(Comparison::Difference);
    QTRY_COMPARE(number(0), QString("–"));
    QCOMPARE(number(1), QString("–"));
    document_->moments().compare(Comparison::Now);
    document_->moments().showNow();
    QTRY_COMPARE(number(1), now);
  }

  void fromThePastGoBackOrContinue() {
    QVERIFY(!button("Back to now")->isVisible() && !button("Continue from here")->isVisible());
    document_->moments().show(40);
    button("Back to now")->click();
    QVERIFY(document_->moments().showsNow());
    document_->moments().show(40);
    QVERIFY(button("Continue from here")->isVisible());
    QVERIFY(button("Continue from here")->toolTip().contains("20 steps, is set aside"));
    button("Continue from here")->click();
    QTRY_COMPARE(document_->training().step(), std::int64_t(40));
    QTRY_VERIFY(document_->changes().canUndo());
    QVERIFY(!button("Continue from here")->isVisible());
    QCOMPARE(view_->strip().figureData().rows.size(), 40);
  }

  void pinsAreSetComparedAndRemoved() {
    auto* comparison = view_->findChild<Segmented*>();
    QVERIFY(!comparison->isVisible());
    document_->moments().show(40);
    choose("Pin as A");
    QVERIFY(comparison->isVisible());
    document_->moments().show(20);
    QCOMPARE(comparison->current(), -1);  // neither now nor a pin
    choose("Pin as B");
    comparison->setCurrent(3);
    QCOMPARE(document_->moments().comparison(), Comparison::Difference);
    QCOMPARE(stepName(), QString("step 40 − 20"));
    QVERIFY(!button("Continue from here")->isVisible());
    comparison->setCurrent(2);
    QCOMPARE(document_->moments().shownStep(), std::int64_t(20));
    comparison->setCurrent(0);
    QVERIFY(document_->moments().showsNow());
    choose("Remove pin A (step 40)");
    choose("Remove pin B (step 20)");
    QVERIFY(!document_->moments().pinnedStep(Pin::A) && !document_->moments().pinnedStep(Pin::B));
    QVERIFY(!comparison->isVisible());
  }

  /// While one goes through the past, and for all but the strip also when pins come and go.
  void nothingMovesUnderThePointer() {
    const auto places = [&] {
      QApplication::processEvents();
      std::vector<QRect> found;
      for (QWidget* one : view_->findChildren<NamedNumber*>()) found.push_back(one->geometry());
      for (QToolButton* one : view_->findChildren<QToolButton*>())
        if (!one->text().startsWith("Back") && !one->text().startsWith("Continue"))
          found.push_back(one->geometry());
      found.push_back({QPoint(), view_->size()});
      return found;
    };
    const auto before = places();
    const QRect strip = view_->strip().geometry();
    document_->moments().show(20);
    QCOMPARE(places(), before);
    QCOMPARE(view_->strip().geometry(), strip);
    document_->moments().pin(Pin::A);
    QCOMPARE(places(), before);
    const QRect shorter = view_->strip().geometry();
    QCOMPARE(shorter.topLeft(), strip.topLeft());
    document_->moments().show(40);
    document_->moments().pin(Pin::B);
    QCOMPARE(places(), before);
    document_->moments().compare(Comparison::Difference);
    QCOMPARE(places(), before);
    document_->moments().showNow();
    document_->moments().unpin(Pin::A);
    QCOMPARE(places(), before);
  }

  /// One row, in which what has no room is hidden.
  void itIsOneRowHoweverNarrow() {
    for (const int width : {1600, 980, 700, 520}) {
      view_->resize(width, 60);
      QApplication::processEvents();
      document_->moments().show(20);
      QCOMPARE(view_->height(), 60);
      QVERIFY(view_->findChildren<QToolButton*>().front()->isVisible());  // Play
      for (QWidget* one : view_->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
        if (one->isVisible())
          QVERIFY2(view_->rect().contains(one->geometry()), qPrintable(QString::number(width)));
      document_->moments().showNow();
    }
  }

  void thePresentIsPinnedWithAKey() {
    QTest::keyClick(view_.get(), Qt::Key_P, Qt::ShiftModifier);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::A) == std::int64_t(60));
    QTest::keyClick(view_.get(), Qt::Key_P, Qt::ShiftModifier);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::B) == std::int64_t(60));
  }

 private:
  QString stepName() { return view_->findChildren<NamedNumber*>().front()->name(); }
  /// Step, loss, share of right answers.
  QString number(int place) { return view_->findChildren<NamedNumber*>()[place]->text(); }
  QToolButton* button(const QString& text) {
    for (auto* found : view_->findChildren<QToolButton*>())
      if (found->text() == text) return found;
    return nullptr;
  }
  /// An entry of the menu at the end.
  void choose(const QString& text) {
    QMenu& menu = *view_->findChildren<QToolButton*>().back()->menu();
    emit menu.aboutToShow();
    for (QAction* action : menu.actions())
      if (action->text() == text) return action->trigger();
    qFatal("there is no %s", qPrintable(text));
  }
  /// Where the strip draws a step of 1 to 60.
  QPoint placeOf(int step) {
    const int width = view_->strip().width();
    return {6 + (width - 12) * (step - 1) / 59, view_->strip().height() / 2};
  }
};

TFM_TEST(TestTransportMoments)
#include "test_transport_moments.moc"
