// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QPointer>
#include <QToolButton>
#include <algorithm>

#include "core/base/error.h"
#include "tests/ui/ui_test.h"
#include "ui/figure/corner_menu.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/pin_chip.h"
#include "ui/widgets/segmented.h"

using namespace tfm::ui;

namespace {

QLabel* labelWith(const QWidget& parent, const QString& text) {
  for (QLabel* label : parent.findChildren<QLabel*>())
    if (label->text() == text) return label;
  return nullptr;
}

void activate(QWidget& window) {
  window.show();
  window.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&window));
}

}  // namespace

class TestControls : public QObject {
  Q_OBJECT

 private slots:
  void init() { style_ = std::make_unique<Style>(*qApp); }
  void cleanup() { style_.reset(); }

  void aWrappedLabelFollowsItsText() {
    const std::unique_ptr<QLabel> label(wrappedLabel("muted", "One line."));
    const int low = label->heightForWidth(200);
    QCOMPARE(label->heightForWidth(200), low);
    label->setText(QString("Many words that need a second line. ").repeated(3));
    const int high = label->heightForWidth(200);
    QVERIFY(high > low);
    QVERIFY(label->heightForWidth(100) > high);
    QFont large = label->font();
    large.setPixelSize(3 * QFontInfo(large).pixelSize());
    label->setFont(large);
    QVERIFY(label->heightForWidth(200) > high);
  }

  void panelHoldsTitleSentenceAndBody() {
    Panel panel(*style_);
    panel.setTitle("Loss");
    panel.show();
    QLabel* sentence = panel.findChildren<QLabel*>().last();
    QVERIFY(!sentence->isVisible());
    panel.setSentence("Lower is better.");
    QVERIFY(labelWith(panel, "Lower is better.")->isVisible());
    QCOMPARE(panel.title(), "Loss");
    QCOMPARE(panel.accessibleName(), "Loss");
    QCOMPARE(panel.accessibleDescription(), "Lower is better.");
    const QPointer<QWidget> first = new QWidget;
    panel.setBody(first);
    panel.setBody(new QWidget);
    QVERIFY(first.isNull());
  }

  void panelGivesItsFigureToTheMenu() {
    Panel panel(*style_);
    auto* bars = new BarList(*style_);
    panel.setBody(bars);
    QAction* copy = panel.menu().menu()->actions().first();
    QVERIFY(!copy->isEnabled());
    panel.setFigure(bars);
    QVERIFY(copy->isEnabled());
    QAction* explain = panel.menu().menu()->actions().last();
    QVERIFY(!explain->isEnabled());
    panel.setExplanation("words");
    QVERIFY(explain->isEnabled());
  }

  void panelTitleGrowsWithTheScale() {
    Panel panel(*style_);
    panel.setTitle("Loss");
    panel.show();
    const int before = QFontInfo(labelWith(panel, "Loss")->font()).pixelSize();
    style_->setScale(1.6);
    QCOMPARE(QFontInfo(labelWith(panel, "Loss")->font()).pixelSize(), qRound(before * 1.6));
  }

  void exactlyOneSegmentIsSelected() {
    Segmented choice(*style_, {"Score", "Scaled", "Softmax"});
    QSignalSpy changed(&choice, &Segmented::currentChanged);
    QCOMPARE(choice.current(), 0);
    choice.setCurrent(2);
    QCOMPARE(changed.takeFirst().first().toInt(), 2);
    QCOMPARE(changed.count(), 0);
    choice.setCurrent(2);
    QCOMPARE(changed.count(), 0);
    const auto buttons = choice.findChildren<QPushButton*>();
    QTest::mouseClick(buttons[1], Qt::LeftButton);
    QCOMPARE(choice.current(), 1);
    QTest::mouseClick(buttons[1], Qt::LeftButton);  // pressing it again does not release it
    QCOMPARE(choice.current(), 1);
    QCOMPARE(std::count_if(buttons.begin(), buttons.end(),
                           [](const QPushButton* button) { return button->isChecked(); }),
             1);
    QVERIFY_EXCEPTION_THROWN(choice.setCurrent(3), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(Segmented(*style_, {}), std::logic_error);
  }

  void arrowsChooseSegments() {
    Segmented choice(*style_, {"Score", "Scaled", "Masked", "Softmax"});
    activate(choice);
    const auto buttons = choice.findChildren<QPushButton*>();
    buttons[0]->setFocus();
    QTest::keyClick(buttons[0], Qt::Key_Right);
    QCOMPARE(choice.current(), 1);
    QVERIFY(buttons[1]->hasFocus());
    QTest::keyClick(buttons[1], Qt::Key_Left);
    QCOMPARE(choice.current(), 0);
    QTest::keyClick(buttons[0], Qt::Key_End);
    QCOMPARE(choice.current(), 3);
    QVERIFY(buttons[3]->hasFocus());
    QTest::keyClick(buttons[3], Qt::Key_Home);
    QCOMPARE(choice.current(), 0);
    // Disabled segments are skipped.
    choice.setChoiceEnabled(1, false);
    QTest::keyClick(buttons[0], Qt::Key_Right);
    QCOMPARE(choice.current(), 2);
  }

  void segmentsAreOneTabStop() {
    QWidget window;
    auto* layout = new QHBoxLayout(&window);
    auto* choice = new Segmented(*style_, {"a", "b", "c"});
    auto* after = new QPushButton("after");
    layout->addWidget(choice);
    layout->addWidget(after);
    activate(window);
    choice->setCurrent(1);
    const auto buttons = choice->findChildren<QPushButton*>();
    buttons[1]->setFocus();
    QTest::keyClick(buttons[1], Qt::Key_Tab);
    QVERIFY(after->hasFocus());
  }

  void chipEmitsClosed() {
    PinChip chip(*style_, "pinned: step 400");
    QSignalSpy closed(&chip, &PinChip::closed);
    QTest::mouseClick(chip.findChild<QToolButton*>(), Qt::LeftButton);
    QCOMPARE(closed.count(), 1);
    QTest::keyClick(&chip, Qt::Key_Delete);
    QCOMPARE(closed.count(), 2);
    QTest::keyClick(&chip, Qt::Key_A);
    QCOMPARE(closed.count(), 2);
    chip.setText("pinned: step 500");
    QVERIFY(chip.findChild<QToolButton*>()->accessibleName().contains("step 500"));
  }

  void errorsSayWhatWhereAndWhatToDo() {
    MessageBar bar(*style_);
    QVERIFY(bar.isHidden());
    bar.showError(tfm::Error("the header is too long", "<b>.safetensors", "Download it again"));
    QVERIFY(bar.isVisible());
    QVERIFY(labelWith(bar, "the header is too long"));
    QVERIFY(labelWith(bar, "<b>.safetensors\nDownload it again"));
    QCOMPARE(bar.accessibleName(), "the header is too long");
    // Names of files are shown as they are, never as markup.
    for (const QLabel* label : bar.findChildren<QLabel*>())
      if (!label->text().isEmpty()) QCOMPARE(label->textFormat(), Qt::PlainText);
    QVERIFY(!bar.findChild<QPushButton*>()->isVisible());
    QTest::keyClick(&bar, Qt::Key_Escape);
    QVERIFY(bar.isHidden());
  }

  void actionsMayShowTheNextMessage() {
    MessageBar bar(*style_);
    int calls = 0;
    bar.showMessage(
        {.kind = MessageKind::Warning, .what = "Not saved", .action = "Save", .onAction = [&] {
           ++calls;
           bar.showMessage({.kind = MessageKind::Good, .what = "Saved"});
         }});
    auto* action = bar.findChild<QPushButton*>();
    QVERIFY(action->isVisible());
    QTest::mouseClick(action, Qt::LeftButton);
    QCOMPARE(calls, 1);
    QVERIFY(bar.isVisible());
    QVERIFY(labelWith(bar, "Saved"));
    QVERIFY(!action->isVisible());
  }

  void namedNumbersReserveRoom() {
    NamedNumber number(*style_, "loss");
    number.setText("1");
    number.reserveWidthFor("0.00000");
    QLabel* shown = labelWith(number, "1");
    const auto room = [&] { return shown->fontMetrics().horizontalAdvance("0.00000"); };
    QVERIFY(number.minimumWidth() >= room());
    const double usual = style_->scale();
    const int before = room();
    style_->setScale(1.6 * usual);
    QVERIFY(room() > before);
    QVERIFY(number.minimumWidth() >= room());
    style_->setScale(usual);
  }

  void namedNumbersDoNotShake() {
    NamedNumber number(*style_, "loss");
    number.setText("1111");
    const int narrow = number.sizeHint().width();
    number.setText("8888");
    QCOMPARE(number.sizeHint().width(), narrow);
    QCOMPARE(number.text(), "8888");
    number.setTone("good");
    QCOMPARE(labelWith(number, "8888")->palette().color(QPalette::WindowText),
             style_->palette().good);
    number.setTone(nullptr);
    QCOMPARE(labelWith(number, "8888")->palette().color(QPalette::WindowText),
             style_->palette().text);
  }

 private:
  std::unique_ptr<Style> style_;
};

TFM_TEST(TestControls)
#include "test_controls.moc"
