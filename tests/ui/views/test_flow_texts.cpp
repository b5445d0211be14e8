// SPDX-License-Identifier: GPL-3.0-or-later
// Which of several texts the Flow screen shows, and one minus another.
#include <cmath>
#include <stdexcept>

#include "tests/test_program.h"
#include "tests/ui/views/view_bench.h"
#include "ui/views/flow/flow_diagram.h"
#include "ui/views/flow/flow_inspector.h"
#include "ui/views/flow/flow_view.h"
#include "ui/views/flow/flow_words.h"
#include "ui/views/question_field.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/segmented.h"

using namespace tfm;
using namespace tfm::ui;

class TestFlowTexts : public QObject, private ViewBench<FlowView> {
  Q_OBJECT

 private:
  static constexpr int kTexts = 3;  // of the switch

  FlowRun& run() { return *view_->run(); }
  bool isOf(const char* question, bool difference) {
    return QTest::qWaitFor([&] {
      return view_->isReady() && run().explained().input().question == question &&
             run().texts().has_value() == difference;
    });
  }
  Segmented& sides() {
    for (Segmented* one : view_->findChildren<Segmented*>())
      if (one->accessibleName() == "Numbers shown") return *one;
    throw std::logic_error("no switch");
  }
  void setSecond(const QString& text) {
    document_->observing().addText();
    document_->observing().setText(1, text);
  }

 private slots:
  void init() {
    setUp(startRot13, {1100, 760});
    document_->observing().setQuestion("there");
    QVERIFY(isOf("there", false));
  }
  void cleanup() { tearDown(); }

  void theShownTextRunsWithItsPads() {
    setSecond("hey");
    QVERIFY(isOf("hey", false));
    QTRY_COMPARE(run().explained().input().source_pads, 2);
    document_->observing().showText(0);
    QVERIFY(isOf("there", false));
    QTRY_COMPARE(run().explained().input().source_pads, 0);
  }

  void oneTextMinusAnother() {
    const TensorId states = run().program().find("encoder.layers.0.self_attention.query");
    QVERIFY(states != kNoTensor);
    const float first = run().number(states, 0, 1, FlowSide::Values);
    setSecond("where");
    QVERIFY(isOf("where", false));
    const float second = run().number(states, 0, 1, FlowSide::Values);
    QTRY_VERIFY(document_->observing().noComparison({0, 1}).isEmpty());
    sides().setCurrent(kTexts);
    QVERIFY(isOf("where", true));
    QVERIFY(run().isDifference());
    QVERIFY(std::abs(run().number(states, 0, 1, FlowSide::Values) - (second - first)) < 1e-5F);
    QVERIFY(std::abs(second - first) > 1e-5F);
    // "here" is common to both, but only where nothing was mixed yet.
    const TensorId embedded = run().program().find("encoder.embedding");
    QCOMPARE(run().number(embedded, 1, 0, FlowSide::Values), 0.0F);
    QCOMPARE(run().rowLabels(embedded).front(), std::string("w/t"));
    QCOMPARE(run().rowLabels(embedded)[1], std::string("h"));
    QVERIFY(view_->findChild<Panel*>()->accessibleDescription().contains("Text 2 minus text 1"));
    QVERIFY(view_->parts().diagram->figureTitle().contains("text 2 − text 1"));
    view_->go({states, 0, 1, false});
    QVERIFY(inspectorSays("in text 2. In text 1 it is"));
    sides().setCurrent(0);
    QVERIFY(isOf("where", false));
    QCOMPARE(view_->parts().diagram->figureTitle(), QString("Flow"));
  }

  void otherLengthsAreNotSubtracted() {
    setSecond("hey");
    QVERIFY(isOf("hey", false));
    QTRY_VERIFY(
        document_->observing().noComparison({0, 1}).contains("text 1 has 5 tokens, text 2 has 3"));
    sides().setCurrent(kTexts);
    QTest::qWait(100);
    QTRY_VERIFY(view_->isReady());
    QVERIFY(!run().isDifference());
  }
};

TFM_TEST(TestFlowTexts)
#include "test_flow_texts.moc"
