// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QApplication>
#include <QLabel>
#include <QListWidget>
#include <QSpinBox>
#include <algorithm>

#include "core/model/build_program.h"
#include "core/observe/logit_contributions.h"
#include "core/program/program_builder.h"
#include "core/train/fit_task.h"
#include "tests/test_program.h"
#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/views/flow_bench.h"
#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/views/flow/flow_diagram.h"
#include "ui/views/flow/flow_inspector.h"
#include "ui/views/flow/flow_lens.h"
#include "ui/views/flow/flow_stepper.h"
#include "ui/views/flow/flow_trail.h"
#include "ui/views/flow/flow_view.h"
#include "ui/views/flow/flow_words.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/labels.h"

using namespace tfm;
using namespace tfm::ui;
using observe::NumberPlace;

class TestFlowView : public QObject, private FlowBench {
  Q_OBJECT

 private slots:
  void init() { setUpFlow(); }
  void cleanup() { tearDown(); }

  /// What is drawn is what the engine computes.
  void cellsAreTheEnginesNumbers() {
    const TensorId output = tensor("output");
    const int item = view_->parts().diagram->flowLayout().tileOf(output, 1, 3);
    QVERIFY(item >= 0);
    const float drawn = run().number(output, 1, 3, FlowSide::Values);
    QCOMPARE(drawn, run().explained().values(output).at(1, 3));
    QVERIFY(view_->parts().diagram->itemCount() > 100);
  }

  void aPartOpensInPlaceAndBackspaceClosesIt() {
    FlowDiagram& diagram = *view_->parts().diagram;
    const TensorId query = tensor("decoder.layers.0.cross_attention.query");
    QVERIFY(diagram.flowLayout().tileOf(query, 0, 0) < 0);
    const std::size_t block =
        run().map().nodes[run().map().leaves[run().map().makers[std::size_t(query)]]].parent;
    const int card = diagram.flowLayout().cardOf(block);
    QVERIFY(card >= 0);
    QTest::mouseClick(diagram.viewport(), Qt::LeftButton, {},
                      diagram.itemRect(card).topLeft().toPoint() + QPoint(20, 14));
    QVERIFY(diagram.flowLayout().tileOf(query, 0, 0) >= 0);
    QTest::keyClick(&diagram, Qt::Key_Backspace);
    QVERIFY(diagram.flowLayout().tileOf(query, 0, 0) < 0);
  }

  /// The control is the run before, and after.
  void interventionsAreRun() {
    const std::string mixed = "decoder.layers.0.cross_attention.mixed";
    const auto is_changed = [&] {
      return view_->isReady() && run().program().find(mixed + kBefore) != kNoTensor;
    };
    const auto number = [&](const std::string& name, std::int64_t col) {
      return run().number(tensor(name.c_str()), 0, col, FlowSide::Values);
    };
    QVERIFY(!is_changed() && number(mixed, 0) != 0.0F);
    observe::Intervention off, seven;
    off.target = "decoder.layers.0.cross_attention.head.0";
    seven.target = "output.bias[0, 3]";
    seven.number = 7.0;
    document_->interventions().add(off);
    document_->interventions().add(seven);
    QTRY_VERIFY(is_changed());
    QTRY_COMPARE(number("output.bias", 3), 7.0F);
    QCOMPARE(number(mixed, 0), 0.0F);
    document_->interventions().clear();
    QTRY_VERIFY(!is_changed() && view_->isReady());
    QVERIFY(number(mixed, 0) != 0.0F && number("output.bias", 3) != 7.0F);
  }

  void aClickExplainsANumber() {
    view_->go({tensor("output"), 1, 20, false});
    QVERIFY(view_->parts().diagram->lockedItem() >= 0);
    QCOMPARE(view_->parts().trail->places().size(), 1U);
    const auto& terms = view_->parts().numbers->terms();
    QVERIFY(!terms.empty());
    double sum = 0.0;
    for (const auto& term : terms) sum += term.amount;
    QVERIFY(std::abs(sum - double(run().number(tensor("output"), 1, 20, FlowSide::Values))) < 1e-4);
    // By size.
    for (std::size_t i = 1; i < terms.size(); ++i)
      QVERIFY(std::abs(terms[i - 1].amount) >= std::abs(terms[i].amount));
    QTest::keyClick(view_->parts().diagram, Qt::Key_Escape);
    QVERIFY(view_->parts().diagram->lockedItem() < 0);
    QVERIFY(view_->parts().numbers->terms().empty());
  }

  void gradientsLeadToTheLoss() {
    QVERIFY(!run().hasGradients() && run().canGoBack());
    showSide(FlowSide::Gradients);
    QTRY_VERIFY(view_->isReady() && run().hasGradients());
    // The run is a training step's: it reads the right answer to its last counted position.
    QVERIFY(QString::fromStdString(run().lossSentence()).contains("right answer"));
    QVERIFY(FlowWords::shown(run(), FlowSide::Gradients).contains("right answer"));
    QCOMPARE(run().explained().input().batch.target_length, 15);
    const TensorId output = tensor("output");
    view_->go({output, 1, 3, true});
    QVERIFY(!view_->parts().numbers->terms().empty());
    QVERIFY(view_->parts().diagram->lockedItem() >= 0);
    QVERIFY(std::abs(double(run().number(output, 1, 3, FlowSide::Gradients)) -
                     double(run().explained().gradient(output).at(1, 3))) < 1e-9);
  }

  void itFollowsTraining() {
    // The first position, as the answer of an untrained model may become shorter.
    const TensorId output = tensor("output");
    view_->go({output, 0, 3, false});
    const float before = run().number(output, 0, 3, FlowSide::Values);
    QVERIFY(trainTo(*document_, 5));
    QTRY_VERIFY(view_->run() && run().step() == 5);
    QVERIFY(run().number(tensor("output"), 0, 3, FlowSide::Values) != before);
    QVERIFY(view_->parts().diagram->lockedItem() >= 0);
    QCOMPARE(view_->parts().trail->places().size(), 1U);
  }

  /// What a regression is compared with are numbers, from which its gradients come.
  void aRegressionHasGradients() {
    const ModelConfig model = presetNamed("encoder-layer-notebook").config();
    train::TrainConfig train;
    train.evaluation_size = 20;
    document_->start(model, train::taskLike(model, data::defaultTaskConfig("regression")), train);
    QTRY_VERIFY(view_->isReady());
    showSide(FlowSide::Gradients);
    QTRY_VERIFY(view_->isReady() && view_->run()->hasGradients());
    QVERIFY(tensor(names::kOutput) != kNoTensor);
    QVERIFY(run().has(tensor(names::kOutput), FlowSide::Gradients));
  }

  void arrowKeysReachTheNextNumberAndTheNextPicture() {
    FlowDiagram& diagram = *view_->parts().diagram;
    view_->go({tensor("output"), 1, 3, false});
    diagram.setFocus();
    QTest::keyClick(&diagram, Qt::Key_Down);
    QCOMPARE(diagram.numberOf(diagram.lockedItem())->row, 2);
    QTest::keyClick(&diagram, Qt::Key_Right);
    QCOMPARE(diagram.numberOf(diagram.lockedItem())->col, 4);
    for (int i = 0; i < 200; ++i) QTest::keyClick(&diagram, Qt::Key_Left);
    const auto reached = diagram.numberOf(diagram.lockedItem());
    QVERIFY(!reached || reached->tensor != tensor("output"));
    QVERIFY(diagram.itemText(diagram.itemCount() - 1).size() > 5);
  }

  /// From any number of the diagram, the arrow keys alone lead to every other.
  void arrowKeysReachEveryNumber() {
    struct Walked : FlowDiagram {
      using FlowDiagram::FlowDiagram;
      using FlowDiagram::stepFrom;
    };
    Walked diagram(*style_);
    diagram.resize(1100, 760);
    diagram.setRun(view_->run());
    FlowOpen everything;
    for (const auto& node : run().map().nodes) everything.paths.insert(node.path);
    for (const FlowOpen& open : {openAtFirst(run().map()), everything}) {
      showOpen(open);
      std::vector<bool> reached(std::size_t(diagram.itemCount()));
      std::vector<int> next{diagram.stepFrom(-1, {0, 1})};
      while (!next.empty()) {
        const int item = next.back();
        next.pop_back();
        if (item < 0 || reached[std::size_t(item)]) continue;
        reached[std::size_t(item)] = true;
        for (const Cell& step : {Cell{0, 1}, Cell{0, -1}, Cell{1, 0}, Cell{-1, 0}})
          next.push_back(diagram.stepFrom(item, step));
      }
      for (int item = 0; item < diagram.itemCount(); ++item)
        if (diagram.numberOf(item))
          QVERIFY2(reached[std::size_t(item)], qPrintable(diagram.itemText(item)));
    }
  }

  /// What a screen reader hears of a number: its place in the model, its name, its value, and
  /// whether it is the current one.
  void everyNumberIsRead() {
    FlowDiagram& diagram = *view_->parts().diagram;
    QAccessibleInterface* grid = QAccessible::queryAccessibleInterface(&diagram);
    QVERIFY(grid != nullptr);
    QCOMPARE(grid->childCount(), diagram.itemCount());
    QVERIFY(!grid->text(QAccessible::Name).isEmpty());
    for (const FlowTile& tile : diagram.flowLayout().tiles) {
      const Cell at = tile.numberAt({tile.places.rows - 1, tile.places.cols - 1});
      const NumberPlace place{tile.tensor, at.row, at.col, false};
      view_->go(place);
      const int item = diagram.lockedItem();
      QVERIFY(item >= 0);
      QAccessibleInterface* cell = grid->child(item);
      QVERIFY(cell != nullptr && cell->isValid() && cell->state().selected);
      QCOMPARE(cell->role(), QAccessible::Cell);
      QCOMPARE(grid->indexOfChild(cell), item);
      const QString heard = cell->text(QAccessible::Name);
      for (const QString& part :
           {FlowWords::place(run(), place), FlowWords::number(run(), place),
            shortNumber(double(run().number(tile.tensor, at.row, at.col, FlowSide::Values)))})
        QVERIFY2(heard.contains(part), qPrintable(heard + " lacks " + part));
      QVERIFY(!cell->rect().isEmpty());
      QVERIFY2(!grid->child(item == 0 ? 1 : 0)->state().selected, "only one is");
    }
    showSide(FlowSide::Gradients);
    QTRY_VERIFY(view_->isReady() && run().hasGradients());
    QTRY_VERIFY(diagram.lockedItem() >= 0);
    QVERIFY(grid->child(diagram.lockedItem())->text(QAccessible::Name).contains("gradient"));
  }

  /// Other families of models: pooling, groups, one stack, classes.
  void everyFamilyRuns_data() {
    QTest::addColumn<QString>("preset");
    for (const char* preset : {"funnel", "funnel-tagger", "delight", "small-classifier", "facts",
                               "small-tagger", "character-model", "small-llama", "small-sequence"})
      QTest::newRow(preset) << QString(preset);
  }
  void everyFamilyRuns() {
    QFETCH(QString, preset);
    const Preset& model = presetNamed(preset.toStdString());
    document_->start(model.config(), data::defaultTaskConfig(std::string(model.task)), {});
    QVERIFY(QTest::qWaitFor([&] { return view_->isReady(); }, 10000));
    FlowDiagram& diagram = *view_->parts().diagram;
    QVERIFY(!view_->grab().isNull());
    const TensorId output = tensor("output");
    view_->go({output, 0, 1, false});
    QVERIFY(diagram.lockedItem() >= 0);
    QVERIFY(!view_->parts().numbers->terms().empty());
    view_->traceToInput();
    QVERIFY(view_->parts().trail->places().size() > 4);
    FlowOpen open;
    for (const auto& node : run().map().nodes) open.paths.insert(node.path);
    showOpen(open);
    QVERIFY(!view_->grab().isNull());
    showLens(true);
    QVERIFY(QTest::qWaitFor([&] { return view_->isReady() && !run().lens().empty(); }, 10000));
    QVERIFY(!view_->grab().isNull());
    QVERIFY(view_->parts().lens->itemText(0).size() > 5);
  }

  /// A cell of an attention that is locked elsewhere is gone to, and the other way round.
  void aCellIsChosenEverywhere() {
    const std::string path = "decoder.layers.0.cross_attention";
    document_->selection().choose(ChosenCell{path, 2, 0, 3});
    const auto present = view_->parts().trail->present();
    QVERIFY(present.has_value());
    QCOMPARE(present->tensor, tensor("decoder.layers.0.cross_attention.probabilities"));
    QCOMPARE(present->col, 3);
    QCOMPARE(view_->parts().diagram->open().head, 2);
    NumberPlace other = *present;
    other.col = 1;
    view_->go(other);
    QCOMPARE(document_->selection().cell()->key, 1);
    QCOMPARE(document_->selection().cell()->head, 2);
  }

  /// So is a weight, and a head as a whole.
  void aWeightAndAHeadAreChosenEverywhere() {
    const std::string name = "decoder.layers.0.self_attention.key.weight";
    document_->selection().choose(ChosenWeight{name, 4, 2});
    const auto present = view_->parts().trail->present();
    QVERIFY(present.has_value());
    QCOMPARE(*present, (NumberPlace{tensor(name), 4, 2, false}));
    view_->go({tensor(name), 5, 1, false});
    QCOMPARE(*document_->selection().weight(), (ChosenWeight{name, 5, 1}));
    QVERIFY2(document_->selection().cell() == nullptr, "one choice at a time");
    document_->selection().choose(ChosenCell{"decoder.layers.0.cross_attention", 3});
    QCOMPARE(view_->parts().diagram->open().head, 3);
    const auto before = view_->parts().trail->present();
    document_->selection().choose(ChosenWeight{"no.such.weight", 0, 0});
    QCOMPARE(view_->parts().trail->present(), before);
  }

  void aTokenIsChosenEverywhere() {
    const NumberPlace h{tensor(names::kSourceIds), 1, 0, false};
    document_->selection().choose(ReadToken{Stack::Encoder, 1, 7});
    QCOMPARE(view_->parts().trail->present(), std::optional(h));
    view_->askWhy(1);
    view_->traceToInput();
    const NumberPlace end = *view_->parts().trail->present();
    const bool target = end.tensor == tensor(names::kTargetIds);
    const ReadToken* token = document_->selection().token();
    QVERIFY(token != nullptr);
    QCOMPARE(token->stack, target ? Stack::Decoder : Stack::Encoder);
    QCOMPARE(token->position, end.row);
    view_->go({tensor(names::kSourceIds), 3, 0, false});
    QCOMPARE(*document_->selection().token(), (ReadToken{Stack::Encoder, 3, 17}));  // an r
  }

  /// A number that is neither a weight nor of an attention map chooses the token of its position.
  void aNumberChoosesItsToken() {
    const NumberPlace query{tensor("decoder.layers.0.cross_attention.query"), 1, 4, false};
    view_->go(query);
    const ReadToken* token = document_->selection().token();
    QVERIFY(token != nullptr);
    QCOMPARE(token->stack, Stack::Decoder);
    QCOMPARE(token->position, 1);
    QCOMPARE(token->id, run().explained().input().batch.target[1]);
    QCOMPARE(*view_->parts().trail->present(), query);  // it stays, as it is itself the choice
    view_->go({tensor("encoder.layers.0.self_attention.value"), 2, 0, false});
    QCOMPARE(document_->selection().token()->stack, Stack::Encoder);
    QCOMPARE(document_->selection().token()->position, 2);
    document_->selection().choose(ReadToken{Stack::Encoder, 3, 17});
    QCOMPARE(*view_->parts().trail->present(),
             (NumberPlace{tensor(names::kSourceIds), 3, 0, false}));
  }

  /// Rows of cross-attention are named by what is written there, as on Attention, and what was
  /// read.
  void aRowOfCrossAttentionIsNamedByWhatItWrites() {
    const TensorId map = tensor("decoder.layers.0.cross_attention.scores");
    const auto& probe = run().explained().input();
    QVERIFY(probe.written_labels.size() > 1 && probe.written_labels != probe.decoder_labels);
    const std::int64_t queries = run().attentionOf(map)->queries;
    QCOMPARE(FlowWords::number(run(), {map, queries + 1, 1, false}),
             QString("score, head 2, %1, after %2, looks at h")
                 .arg(probe.written_labels[1].c_str(), probe.decoder_labels[1].c_str()));
    const TensorId own = tensor("decoder.layers.0.self_attention.scores");
    QCOMPARE(FlowWords::number(run(), {own, 1, 0, false}),
             QString("score, head 1, %1 looks at %2")
                 .arg(probe.decoder_labels[1].c_str(), probe.decoder_labels[0].c_str()));
  }

  /// A number of the list is chosen as one of the picture is, and freed everywhere.
  void theListChoosesAndEscapeFrees() {
    view_->askWhy(1);
    view_->traceToInput();
    auto* list = view_->parts().trail->findChild<QListWidget*>();
    const NumberPlace place = view_->parts().trail->indented().front();
    QCOMPARE(place.tensor, tensor("output.weight"));
    list->setCurrentRow(2);  // behind the heading and the logit
    QCOMPARE(*view_->parts().trail->present(), place);
    QCOMPARE(*document_->selection().weight(),
             (ChosenWeight{"output.weight", place.row, place.col}));
    QTest::keyClick(view_->parts().diagram, Qt::Key_Escape);
    QVERIFY(document_->selection().isEmpty());
    QVERIFY(!view_->parts().numbers->shownPlace());
    QVERIFY(list->currentItem() == nullptr);
    list->setCurrentRow(2);  // the same again
    QCOMPARE(*view_->parts().numbers->shownPlace(), place);
  }

  /// What is locked has the numbers of the newest run, drawn or not, and goes where that has none.
  void aLockedNumberIsNeverOfAnEarlierRun() {
    const TensorId map = tensor("decoder.layers.0.cross_attention.probabilities");
    const NumberPlace place{map, 6 * run().attentionOf(map)->queries, 1, false};
    view_->go(place);
    view_->findChild<QSpinBox*>()->setValue(1);
    QVERIFY2(view_->parts().diagram->lockedItem() < 0, "the picture shows another head");
    auto* value = view_->parts().numbers->findChild<NumberLabel*>();
    const auto now = [&] {  // the answer may have become shorter
      const std::int64_t row = 6 * run().attentionOf(map)->queries;
      return shortNumber(double(run().number(map, row, 1, FlowSide::Values)));
    };
    const QString before = now();
    QCOMPARE(value->text(), before);
    QVERIFY(trainTo(*document_, 5));
    QTRY_VERIFY(view_->run() && run().step() == 5);
    QVERIFY(now() != before);
    QCOMPARE(value->text(), now());
    const NumberPlace last{tensor("encoder.layers.0.self_attention.value"), 4, 0, false};
    view_->go(last);
    document_->observing().setQuestion("the");
    QTRY_VERIFY(view_->isReady() && run().explained().input().question == "the");
    QVERIFY2(view_->parts().numbers->shownPlace() != last, "there is no fifth letter");
  }

  void aHeadOfTheBoxIsChosenEverywhere() {
    const std::string attention = "decoder.layers.0.cross_attention";
    view_->go({tensor(attention + ".probabilities"), 0, 0, false});
    view_->findChild<QSpinBox*>()->setValue(5);
    QVERIFY(document_->selection().cell() != nullptr);
    QCOMPARE(*document_->selection().cell(), (ChosenCell{attention, 4, -1, -1}));
  }

  void theKeptNumberShowsItsGradient() {
    const NumberPlace place{tensor("output"), 1, 3, false};
    view_->go(place);
    showSide(FlowSide::Gradients);
    QTRY_COMPARE(view_->parts().numbers->shownPlace(),
                 std::optional(NumberPlace{place.tensor, 1, 3, true}));
    showSide(FlowSide::Values);
    QTRY_COMPARE(view_->parts().numbers->shownPlace(), std::optional(place));
    QVERIFY(!run().hasGradients());
  }

  void aSmallModelFillsALargeWindow() {
    FlowDiagram& diagram = *view_->parts().diagram;
    const double unit = diagram.flowLayout().unit;
    view_->resize(3600, 2000);
    QTRY_VERIFY(diagram.flowLayout().unit > 1.2 * unit);
    QVERIFY(diagram.flowLayout().size.width() <= diagram.viewport()->width());
    QVERIFY(diagram.flowLayout().size.height() <= diagram.viewport()->height());
    const double large = diagram.flowLayout().unit;
    view_->go({tensor("decoder.layers.0.cross_attention.query"), 0, 0, false});
    QCOMPARE(diagram.flowLayout().unit, large);  // opening a part changes no size
  }

  void everythingOpenCanBePainted() {
    FlowOpen open;
    for (const auto& node : run().map().nodes) open.paths.insert(node.path);
    showOpen(open);
    QVERIFY(!view_->grab().isNull());
    const QByteArray svg = svgOf(*view_->parts().diagram);
    QVERIFY(svg.contains("query"));
    QVERIFY(view_->parts().diagram->figureData().rows.size() > 4000);
    view_->parts().diagram->setZoom(4.0, {100, 100});
    QVERIFY(!view_->grab().isNull());
    QCOMPARE(view_->parts().diagram->zoom(), 4.0);
  }
};

TFM_TEST(TestFlowView)
#include "test_flow_view.moc"
