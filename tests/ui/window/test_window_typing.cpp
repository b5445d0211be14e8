// SPDX-License-Identifier: GPL-3.0-or-later
// Typed text triggers no commands, wherever the focus is, and commands type no text.
#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <algorithm>
#include <cmath>

#include "core/data/task_table.h"
#include "core/model/presets.h"
#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"
#include "ui/plots/line_plot.h"
#include "ui/plots/plot_stack.h"
#include "ui/views/attention/attention_tools.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/experiment/experiment_dock.h"
#include "ui/views/experiment/new_run_dialog.h"
#include "ui/views/experiment/say_something.h"
#include "ui/views/train/learning_curves.h"
#include "ui/views/train/sample_stream.h"
#include "ui/views/train/train_view.h"
#include "ui/views/write/next_token.h"
#include "ui/views/write/write_view.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/prompt_field.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/token_line.h"
#include "ui/window/typing_guard.h"

using namespace tfm;
using namespace tfm::ui;

class TestWindowTyping : public WindowTest {
  Q_OBJECT

 private slots:
  void init() {
    setUp();
    time_ = 0;
    window().typing().setClock([this] { return time_; });
    train::TrainConfig config = document().training().config();
    config.stop = {};
    QVERIFY(bench_->showActive());
    document().training().setConfig(config);
    QTRY_VERIFY(document().observing().snapshot());
  }

  void aSentenceOutsideAFieldDoesNothing_data() {
    QTest::addColumn<int>("screen");
    for (const int screen : screens()) QTest::addRow("screen %d", screen + 1) << screen;
  }
  void aSentenceOutsideAFieldDoesNothing() {
    QFETCH(int, screen);
    window().showScreen(screen);
    window().setFocus();
    const std::int64_t step = document().training().step();
    for (const QChar c : QString("Hello. It has 3 dots... and 1 { brace } [here].")) {
      bench_->type(QString(c));
      time_ += 200;
    }
    QCOMPARE(window().screen(), screen);
    QCOMPARE(document().training().speed(), 0.0);
    QVERIFY2(
        messages().isVisible() && messages().accessibleName().contains("listening to your typing"),
        "it says so");
    time_ += 5000;
    // Commands run in order: there was none before this one.
    bench_->type(".");
    QTRY_COMPARE(document().training().step(), step + 1);
    QVERIFY(!document().training().isRunning());
  }

  void commandsCanFollowEachOtherQuickly() {
    window().showScreen(kTrain);
    const std::int64_t step = document().training().step();
    bench_->type("...");
    QTRY_COMPARE(document().training().step(), step + 3);
    bench_->type("231");
    QCOMPARE(window().screen(), int(kTrain));
    bench_->type("3");
    QCOMPARE(window().screen(), int(kMatrices));
    time_ += 600;  // after a digit, as two commands
    bench_->type(" ");
    QTRY_VERIFY(document().training().isRunning());
  }

  void ofAWordTypedOutsideAFieldOnlyTheFirstKeyActs() {
    window().showScreen(kAttention);
    window().setFocus();
    auto& tools = *window().attention().findChild<AttentionTools*>();
    const std::int64_t step = document().training().step();
    using Form = AttentionShown::Form;
    QCOMPARE(tools.shown().form, Form::Cells);
    const int stage = int(tools.shown().stage);
    bench_->type("lbsm.");  // commands all
    QCOMPARE(tools.shown().form, Form::Lines);
    QCOMPARE(int(tools.shown().stage), stage);
    time_ += 5000;
    bench_->type("3 apples.");
    QCOMPARE(window().screen(), int(kMatrices));
    QVERIFY(!document().training().isRunning());
    time_ += 5000;
    bench_->type(".");  // commands run in order: there was none before this one
    QTRY_COMPARE(document().training().step(), step + 1);
    // With time between them, letters are commands.
    window().showScreen(kAttention);
    time_ += 5000;
    bench_->type("s");
    time_ += 600;
    bench_->type("l");
    QCOMPARE(int(tools.shown().stage), 0);
    QCOMPARE(tools.shown().form, Form::Cells);
  }

  void typingContinuesAsTextAfterAFieldLosesFocus() {
    said().setFocus();
    said().selectAll();
    bench_->type("once");
    window().setFocus();  // as if another part of the program takes it
    time_ += 60'000;      // however long it takes to notice
    bench_->type("3");
    QCOMPARE(window().screen(), int(kAttention));
    bench_->key(Qt::Key_Escape);
    bench_->type("3");
    QCOMPARE(window().screen(), int(kMatrices));
  }

  void aClickOrAPauseEndsTheText() {
    bench_->type("h");
    bench_->type("3");
    QCOMPARE(window().screen(), int(kAttention));
    time_ += 5000;
    bench_->type("3");
    QCOMPARE(window().screen(), int(kMatrices));
    bench_->type("h");
    QTest::mouseClick(&window(), Qt::LeftButton);
    bench_->type("1");
    QCOMPARE(window().screen(), int(kTrain));
  }

  void afterReturnKeysAreCommandsAgain() {
    auto* asked = window().attention().findChild<QLineEdit*>();
    const QPair<QWidget*, std::function<void()>> fields[] = {
        {&said(), [this] { said().selectAll(); }}, {asked, [asked] { asked->selectAll(); }}};
    for (const auto& [field, select] : fields) {
      window().showScreen(kAttention);
      field->setFocus();
      select();
      bench_->type("hello");
      bench_->key(Qt::Key_Return);
      QVERIFY(!field->hasFocus());
      bench_->type("3");
      QCOMPARE(window().screen(), int(kMatrices));
      QCOMPARE(document().observing().question(), QString("hello"));
    }
  }

  void aTextIsWrittenOnTheWriteScreen() {
    window().resize(1600, 1000);
    document().start(presetNamed("characters").config(), data::defaultTaskConfig("text"), {});
    window().showScreen(kAttention);
    WriteView& view = window().write();
    view.parts().pace->setCurrent(1);
    view.parts().length->setValue(200);
    say("the ");
    QCOMPARE(window().screen(), int(kWrite));
    QTRY_COMPARE(view.parts().text->tokens().size(), std::size_t(1 + 200));
    QVERIFY(view.parts().scroll->width() > window().width() / 3);
    bench_->type("1");  // and not into the field
    QCOMPARE(window().screen(), int(kTrain));
  }

  void aModelOfTextsWritesOnTheTrainScreen_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("large") << QSize(1600, 1000);
    QTest::newRow("small") << QSize(1280, 800);
  }
  void aModelOfTextsWritesOnTheTrainScreen() {
    QFETCH(QSize, size);
    window().resize(size);
    window().showScreen(kTrain);
    WriteView& text = window().liveText();
    QVERIFY(!text.isVisible() && window().train().stream().isVisible());
    document().start(presetNamed("characters").config(), data::defaultTaskConfig("text"), {});
    QVERIFY(text.isVisible() && !window().train().stream().isVisible());
    const auto written = [&] {
      return int(std::ranges::count_if(text.parts().text->tokens(), [](const ShadedToken& token) {
        return !std::isnan(token.probability);
      }));
    };
    QTRY_COMPARE(written(), text.parts().length->value());
    // Several lines of it are seen, all of its controls, and the curves.
    QVERIFY2(text.parts().scroll->height() >= 4 * 31,
             qPrintable(QString::number(text.parts().scroll->height())));
    const QWidget* const parts[] = {text.parts().write, text.parts().stop, text.parts().pace,
                                    text.parts().scroll};
    for (const QWidget* part : parts) {
      const QRect seen(part->mapTo(&window().train(), QPoint()), part->size());
      QVERIFY2(part->isVisible() && window().train().rect().contains(seen),
               part->objectName().toUtf8());
    }
    QCOMPARE(text.parts().next->bars().isVisible(), size.height() >= 1000);
    for (const int plot : {0, 1})
      QVERIFY(window().train().curves().plots().plot(plot).axes().height() >= 20);
    // Return in the field writes there.
    text.parts().pace->setCurrent(1);
    text.parts().length->setValue(33);
    say("the ");
    QCOMPARE(window().screen(), int(kTrain));
    QTRY_COMPARE(written(), 33);
  }

  void withoutTheInspectorTheNextTokenIsBesideTheText() {
    window().resize(1600, 1000);
    window().showScreen(kWrite);
    QVERIFY(!view().isAncestorOf(view().parts().next));
    bench_->key(Qt::Key_F8);
    QVERIFY(view().isAncestorOf(view().parts().next));
    bench_->key(Qt::Key_F8);
    QVERIFY(!view().isAncestorOf(view().parts().next));
  }

  void startingARunShowsItsTraining() {
    window().setUnattended(true);  // nothing asks whether to save
    window().showScreen(kGrow);
    bench_->key(Qt::Key_N, Qt::ControlModifier);
    auto* dialog = window().findChild<NewRunDialog*>();
    QVERIFY(dialog != nullptr);
    QTRY_VERIFY(dialog->startButton().isEnabled());
    dialog->startButton().click();
    QTRY_COMPARE(window().screen(), int(kTrain));
    QTRY_VERIFY(document().training().isRunning() && document().training().step() > 0);
  }

 private:
  WriteView& view() { return window().write(); }
  PromptField& said() { return window().findChild<SaySomething*>()->input(); }
  /// Types another text there and confirms it.
  void say(const QString& text) {
    said().setFocus();
    said().selectAll();
    bench_->type(text);
    bench_->key(Qt::Key_Return);
  }

  std::int64_t time_ = 0;
};

TFM_TEST(TestWindowTyping)
#include "test_window_typing.moc"
