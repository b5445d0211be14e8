// SPDX-License-Identifier: GPL-3.0-or-later
// What if a number of the Flow screen were different, and the walk through its steps.
#include <QKeyEvent>
#include <QSlider>
#include <algorithm>

#include "tests/test_program.h"
#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/views/flow_bench.h"
#include "ui/style/style.h"
#include "ui/views/flow/flow_answers.h"
#include "ui/views/flow/flow_diagram.h"
#include "ui/views/flow/flow_inspector.h"
#include "ui/views/flow/flow_otherwise.h"
#include "ui/views/flow/flow_parts.h"
#include "ui/views/flow/flow_stepper.h"
#include "ui/views/flow/flow_trail.h"
#include "ui/views/flow/flow_view.h"
#include "ui/views/flow/flow_words.h"
#include "ui/widgets/bar_list.h"

using namespace tfm;
using namespace tfm::ui;
using observe::NumberPlace;

class TestFlowChanges : public QObject, private FlowBench {
  Q_OBJECT

 private:
  Interventions& changes() { return document_->interventions(); }
  QStringList targetsAt(const NumberPlace& place) {
    QStringList targets;
    for (const FlowPart& part : partsAt(run(), place))
      targets << QString::fromStdString(part.target);
    return targets;
  }
  static bool takesSpace(QWidget& widget) {
    QKeyEvent event(QEvent::ShortcutOverride, Qt::Key_Space, Qt::NoModifier);
    event.ignore();
    QCoreApplication::sendEvent(&widget, &event);
    return event.isAccepted();
  }

 private slots:
  void init() { setUpFlow(); }
  void cleanup() { tearDown(); }

  void namesSayWhatANumberIs() {
    const TensorId mixed = tensor("decoder.layers.0.cross_attention.mixed");
    QVERIFY(mixed != kNoTensor);
    QCOMPARE(run().columnAxis(mixed), std::string("head x value"));
    const NumberPlace logit{tensor("output"), 1, 20, false};
    const QString read = QString::fromStdString(run().rowLabels(logit.tensor)[1]);
    QCOMPARE(FlowWords::number(run(), logit), "logit of u, after " + read);
    QCOMPARE(FlowWords::number(run(), {tensor("output.weight"), 20, 3, false}),
             QString("weight of output layer of u, 4"));
    QCOMPARE(std::ranges::count(run().columnLabels(logit.tensor), "·"), 1);  // as on Attention
    const TensorId value = tensor("decoder.layers.0.cross_attention.value");
    QCOMPARE(FlowWords::number(run(), {value, 1, 34, false}), QString("value of h, head 7, 5"));
    QCOMPARE(FlowWords::number(run(), {value, 0, 5, false}), QString("value of t, head 2, 1"));
    const TensorId written = tensor("decoder.layers.0.cross_attention.output");
    QCOMPARE(FlowWords::number(run(), {written, 0, 5, false}),
             "output of " + QString::fromStdString(run().rowLabels(written)[0]) + ", 6");
    // Each part of the logit by a name of its own, the head first.
    QStringList names;
    for (const auto& part : observe::logitContributions(run().explained().explainer(), logit).parts)
      names << FlowWords::contribution(run(), part);
    QVERIFY(names.contains("head 7, cross-attention"));
    QVERIFY(names.contains("feed-forward"));
    QVERIFY2(names.filter(".").isEmpty(), qPrintable(names.join('\n')));
    QVERIFY2(QSet(names.begin(), names.end()).size() == names.size(), qPrintable(names.join('\n')));
  }

  /// As interventions name it, the smallest part first; the model takes each of them.
  void aNumberNamesWhatItBelongsTo() {
    const std::string block = "decoder.layers.0.cross_attention";
    const AttentionShape shape = *run().attentionOf(tensor(block + ".scores"));
    const QStringList of_score = targetsAt({tensor(block + ".scores"), 2 * shape.queries + 1, 3});
    QCOMPARE(of_score, (QStringList{"decoder.layers.0.cross_attention.probabilities[2, 1, 3]",
                                    "decoder.layers.0.cross_attention.head.2",
                                    "decoder.layers.0.cross_attention", "decoder.layers.0"}));
    const QStringList of_mixed = targetsAt({tensor(block + ".mixed"), 1, 2 * shape.value_size});
    QVERIFY(of_mixed.contains("decoder.layers.0.cross_attention.head.2"));
    QVERIFY(of_mixed.contains("decoder.layers.0.cross_attention.mixed[1, .]"));
    const QStringList of_weight = targetsAt({tensor("output.weight"), 3, 2});
    QCOMPARE(of_weight, QStringList{"output.weight[3, 2]"});
    for (const QStringList& targets : {of_score, of_mixed, of_weight})
      for (const QString& target : targets) {
        observe::Intervention off;
        off.target = target.toStdString();
        changes().require(off);
      }
  }

  void oSwitchesTheLockedNumberOffAndOnAgain() {
    QTest::keyClick(view_.get(), Qt::Key_O);
    QVERIFY(changes().list().empty());  // nothing is locked
    view_->go({tensor("output"), 1, 3});
    QTest::keyClick(view_.get(), Qt::Key_O);
    QCOMPARE(changes().inForce().size(), 1U);
    QCOMPARE(changes().inForce().front().target, std::string("output[1, 3]"));
    QTest::keyClick(view_.get(), Qt::Key_O);
    QVERIFY(changes().inForce().empty());
  }

  /// What is open, locked and on the way stays where it is.
  void aChangeMovesNothing() {
    const std::string mixed = "decoder.layers.0.cross_attention.mixed";
    view_->go({tensor("output"), 1, 3});
    view_->go({tensor(mixed), 1, 0});
    const FlowOpen open = view_->parts().diagram->open();
    QVERIFY(!run().explained().config().changes.size());
    changes().toggle("decoder.layers.0.cross_attention.head.0");
    QTRY_VERIFY(view_->isReady() && !run().explained().config().changes.empty());
    QVERIFY(view_->parts().diagram->open() == open);
    QCOMPARE(view_->parts().trail->places().size(),
             1U);  // the two have nothing to do with each other
    QVERIFY(view_->parts().diagram->lockedItem() >= 0);
    QCOMPARE(run().info(view_->parts().trail->present()->tensor).name, mixed);
    QCOMPARE(run().number(view_->parts().trail->present()->tensor, 1, 0, FlowSide::Values), 0.0F);
  }

  /// The head's columns are marked, and only where the tensor is drawn.
  void whatIsChangedIsMarked() {
    const std::string mixed = "decoder.layers.0.cross_attention.mixed";
    TensorChange change;
    change.tensor = mixed;
    change.col = 2;
    change.cols = 3;
    QVERIFY(switchesOff(change));
    FlowTile tile;
    tile.tensor = tensor(mixed);
    tile.places.rows = int(run().info(tile.tensor).rows);
    tile.places.cols = int(run().info(tile.tensor).cols);
    tile.places.cell_width = tile.places.cell_height = 10.0;
    const QRectF marked = changedCells(run(), tile, change);
    QCOMPARE(marked.left(), tile.places.cell(0, 2).left());
    QCOMPARE(marked.right(), tile.places.cell(0, 4).right());
    QCOMPARE(marked.height(), tile.places.bounds().height());
    tile.tensor = tensor("output");
    QVERIFY(changedCells(run(), tile, change).isEmpty());
    change.added = {1.0};
    QVERIFY(!switchesOff(change));
  }

  /// Trying asks the model exactly what putting in force asks it.
  void aTrialAnswersAsTheChangeDoes() {
    const auto& snapshot = document_->observing().snapshot();
    FlowSource source;
    source.state = snapshot->state;
    source.input = snapshot->probe;
    source.codec = document_->sharedCodec();
    source.framing = document_->framing();
    observe::Intervention what;
    what.target = "decoder.layers.0.cross_attention.head.0";
    what.number = 3.0;
    const FlowAnswers before = answersOf(run()), tried = answersIf(source, what);
    QVERIFY(before.rows > 0 && !(tried == before));
    double sum = 0.0;
    for (std::int64_t col = 0; col < tried.cols; ++col) sum += tried.at(0, col);
    QVERIFY(std::abs(sum - 1.0) < 1e-12);
    QVERIFY(tried.at(0, tried.ranked(0)[0]) >= tried.at(0, tried.ranked(0)[1]));
    source.interventions = {what};
    FlowRun with(source);
    QVERIFY(answersOf(with) == tried);
    QVERIFY(changes().list().empty());
  }

  void whatIsTriedIsKeptByReturnAndDroppedByEscape() {
    const TensorId output = tensor("output");
    view_->go({output, 1, 3});
    FlowOtherwise& otherwise = view_->parts().numbers->otherwise();
    QVERIFY(otherwise.isVisibleTo(view_->inspector()));
    otherwise.slider().setValue(otherwise.slider().maximum());
    QVERIFY(otherwise.isTrying());
    QTRY_VERIFY(!otherwise.answers().figureData().rows.empty());
    QVERIFY(changes().list().empty());
    QTest::keyClick(&otherwise.slider(), Qt::Key_Escape);
    QVERIFY(!otherwise.isTrying());
    QVERIFY(changes().list().empty());
    otherwise.slider().setValue(otherwise.slider().maximum());
    const double value = *otherwise.tried();
    QTest::keyClick(&otherwise.slider(), Qt::Key_Return);
    QVERIFY(!otherwise.isTrying());
    QCOMPARE(changes().inForce().size(), 1U);
    QCOMPARE(changes().inForce().front().number, value);
    // Another number takes nothing along.
    otherwise.slider().setValue(0);
    view_->go({output, 0, 1});
    QVERIFY(!otherwise.isTrying());
    QCOMPARE(changes().inForce().front().number, value);
  }

  /// Space walks during a walk, and only then.
  void keysWalkThroughTheSteps() {
    FlowStepper& stepper = *view_->parts().stepper;
    QVERIFY(!takesSpace(stepper));
    QTest::keyClick(view_.get(), Qt::Key_PageDown);
    QCOMPARE(*stepper.step(), 0U);
    QVERIFY(takesSpace(stepper));
    QTest::keyClick(&stepper, Qt::Key_Space);
    QTest::keyClick(&stepper, Qt::Key_Right);
    QCOMPARE(*stepper.step(), 2U);
    QTest::keyClick(&stepper, Qt::Key_Left);
    QCOMPARE(*stepper.step(), 1U);
    QTest::keyClick(&stepper, Qt::Key_Escape);
    QVERIFY(!stepper.step());
    QVERIFY(!takesSpace(stepper));
  }

  void aStepMovesForLessThanASecond() {
    style_->setMotion(true);
    view_->parts().stepper->next();
    QVERIFY(view_->parts().diagram->isMoving());
    QVERIFY(QTest::qWaitFor([&] { return !view_->parts().diagram->isMoving(); }, 1000));
    style_->setMotion(false);
    view_->parts().stepper->next();
    QVERIFY(!view_->parts().diagram->isMoving());
  }

  void aStepNamesTheTokens() {
    const std::size_t made =
        run().map().makers[std::size_t(tensor("decoder.layers.0.cross_attention.mixed"))];
    const auto& steps = run().program().steps;
    const std::size_t first = run().map().makers[std::size_t(steps[made].inputs[1])];
    QVERIFY(FlowWords::step(run(), first, false).contains("t-h-e-r-e"));
  }

  void dimensionsAreNamed() {
    QCOMPARE(FlowWords::axis("position", false, false), QString("tokens"));
    QCOMPARE(FlowWords::axis("head x position", true, false), QString("(heads × queries)"));
    QCOMPARE(FlowWords::axis("head x position", true, true), QString("queries"));
    view_->parts().diagram->setZoom(4.0, {});
    const QByteArray svg = svgOf(*view_->parts().diagram);
    QVERIFY(svg.contains("tokens"));
    QVERIFY(svg.contains("hidden"));
  }
};

TFM_TEST(TestFlowChanges)
#include "test_flow_changes.moc"
