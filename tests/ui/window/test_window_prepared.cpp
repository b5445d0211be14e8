// SPDX-License-Identifier: GPL-3.0-or-later
// A document keeps what was prepared in the window.
#include <QFile>
#include <QMenu>
#include <QTest>

#include "core/expand/kinds.h"
#include "core/model/build_program.h"
#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"
#include "ui/views/attention/attention_shown.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/flow/flow_run.h"
#include "ui/views/flow/flow_view.h"
#include "ui/views/grow/grow_shown.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/grow/plan_editor.h"

using namespace tfm;
using namespace tfm::ui;

class TestWindowPrepared : public WindowTest {
  Q_OBJECT

 private slots:
  void init() { setUp(); }

  void itReopensAsItWas() {
    trainFor(40);
    Moments& moments = document().moments();
    moments.pin(Pin::A, 1);
    moments.pin(Pin::B, document().training().step());
    Observing& observing = document().observing();
    observing.setText(0, "hello");
    observing.addText();
    observing.setText(1, "world");
    observing.addText();
    observing.setText(2, "there");
    observing.showText(1);
    moments.showAt(2);

    window().showScreen(kAttention);
    AttentionShown map = window().attention().state();
    map.form = AttentionShown::Form::Lines;
    map.stage = AttentionStage::Scaled;
    window().attention().setState(map);

    window().showScreen(kFlow);
    QTRY_VERIFY_WITH_TIMEOUT(window().flow().run() != nullptr, kPatience);
    FlowShown flow = window().flow().state();
    flow.opened.toggle(window().flow().run()->map(), partNamed("encoder"));
    flow.number = observe::NumberPlace{window().flow().run()->program().find(names::kOutput), 2, 3};
    window().flow().setState(flow);
    const bool encoder_open = flow.opened.open.paths.contains("encoder");

    const std::size_t count = moments.all().size();
    const std::int64_t shown = moments.shownStep();
    const auto pins = std::array{moments.pinnedStep(Pin::A), moments.pinnedStep(Pin::B)};
    const AskedTexts texts = observing.texts();
    document().save(bench_->path("class.safetensors"));
    QVERIFY(!document().files().isModified());

    bench_->restart();
    QVERIFY(bench_->showActive());
    QVERIFY(document().observing().texts() != texts);  // the control
    window().showScreen(kTrain);
    QVERIFY(window().openFile(bench_->path("class.safetensors")));
    QVERIFY(!document().files().isModified());
    QCOMPARE(window().screen(), int(kFlow));
    QCOMPARE(document().observing().texts().all, texts.all);
    QCOMPARE(document().observing().texts().shown, texts.shown);
    QCOMPARE(document().moments().pinnedStep(Pin::A), pins[0]);
    QCOMPARE(document().moments().pinnedStep(Pin::B), pins[1]);
    QCOMPARE(document().moments().shownStep(), shown);
    QCOMPARE(document().moments().all().size(), std::min(count, train::kMostKeptMoments));
    QVERIFY(document().moments().canContinue());
    QTRY_VERIFY_WITH_TIMEOUT(window().flow().run() != nullptr && window().flow().state().number,
                             kPatience);
    const FlowShown again = window().flow().state();
    QCOMPARE(again.opened.open.paths.contains("encoder"), encoder_open);
    QCOMPARE(again.number->row, std::int64_t(2));
    QCOMPARE(again.number->col, std::int64_t(3));
    window().showScreen(kAttention);
    QVERIFY(window().attention().state().form == AttentionShown::Form::Lines);
    QVERIFY(window().attention().state().stage == AttentionStage::Scaled);

    // What one prepares is worth saving, and prepared back it is saved.
    document().observing().setText(0, "other");
    QVERIFY(document().files().isModified());
    document().observing().setText(0, "hello");
    QVERIFY(!document().files().isModified());
  }

  void aBareCopyHasNoneOfIt() {
    document().observing().setQuestion("secret");
    document().moments().pin(Pin::A, 0);
    document().saveBare(bench_->path("bare.safetensors"));
    document().save(bench_->path("whole.safetensors"));
    QVERIFY(train::openDocument(bench_->path("bare.safetensors").toStdString()).window.isEmpty());
    QVERIFY(!train::openDocument(bench_->path("whole.safetensors").toStdString()).window.isEmpty());
    QFile bare(bench_->path("bare.safetensors"));
    QVERIFY(bare.open(QIODevice::ReadOnly));
    QVERIFY(!bare.readAll().contains("secret"));
    QCOMPARE(document().files().path(), bench_->path("whole.safetensors"));
    const auto over = [&] { document().saveBare(bench_->path("whole.safetensors")); };
    QVERIFY(problemOf(over).has_value());  // its own file
  }

  /// A chosen card is the newest edit, so undo takes that back rather than what came before it.
  void editsAreOneList() {
    trainFor(5);
    QVERIFY(document().changes().canUndo());  // starting over
    const std::int64_t step = document().training().step();
    window().showScreen(kGrow);
    PlanEditor& editor = *window().grow().parts().editor;
    editor.choose(expand::Kind::FeedForward);
    QVERIFY(!window().grow().state().plan.empty());
    QVERIFY(document().changes().undoText().startsWith("Choose"));
    document().changes().undo();
    QTRY_VERIFY_WITH_TIMEOUT(window().grow().state().plan.empty(), kPatience);
    QCOMPARE(document().training().step(), step);
    QCOMPARE(document().changes().undoText(), QString("Start over"));
    QVERIFY(document().changes().redoText().startsWith("Choose"));
    document().changes().redo();
    QTRY_VERIFY_WITH_TIMEOUT(!window().grow().state().plan.empty(), kPatience);
    document().changes().undo();
    document().changes().undo();
    QTRY_COMPARE_WITH_TIMEOUT(document().training().step(), std::int64_t(600), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!document().files().isModified(), kPatience);  // as it was opened
  }

 private:
  /// Starts over and trains.
  void trainFor(std::int64_t steps) {
    document().changes().reset();
    QTRY_COMPARE_WITH_TIMEOUT(document().training().step(), std::int64_t(0), kPatience);
    for (std::int64_t step = 1; step <= steps; ++step) {
      document().training().stepOnce();
      QTRY_COMPARE_WITH_TIMEOUT(document().training().step(), step, kPatience);
    }
  }
  std::size_t partNamed(const char* path) { return window().flow().run()->map().find(path); }
};

TFM_TEST(TestWindowPrepared)
#include "test_window_prepared.moc"
