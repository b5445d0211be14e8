// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>

#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/ui_test.h"
#include "tests/ui/views/elastic_bench.h"
#include "ui/document/submodel_explorer.h"
#include "ui/elastic/accuracy_scatter.h"
#include "ui/elastic/nested_frames.h"
#include "ui/elastic/width_bars.h"
#include "ui/elastic/width_slider.h"
#include "ui/scene/matrix_wall.h"
#include "ui/scene/parameter_slabs.h"
#include "ui/views/elastic/answer_rows.h"
#include "ui/views/elastic/draft_row.h"
#include "ui/views/elastic/elastic_numbers.h"
#include "ui/views/elastic/elastic_space.h"
#include "ui/views/elastic/elastic_view.h"
#include "ui/views/elastic/mix_panel.h"
#include "ui/views/elastic/nesting_form.h"
#include "ui/views/elastic/plot_pair.h"
#include "ui/views/elastic/twins_panel.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/segmented.h"

using namespace tfm;
using namespace tfm::ui;

class TestElasticView : public QObject, private ElasticBench {
  Q_OBJECT

 private slots:
  void init() { setUp(); }
  void cleanup() { tearDown(); }

  void aDifferenceIsNotAModel() {
    const auto* panel = view_->findChild<Panel*>();
    const QString before = panel->accessibleDescription();
    for (const Pin pin : {Pin::A, Pin::B}) {
      document_->moments().pin(pin);
      QTRY_VERIFY(document_->moments().pinnedStep(pin));
    }
    document_->moments().compare(Comparison::Difference);
    QTRY_VERIFY2(panel->accessibleDescription().contains("not a model"),
                 qPrintable(panel->accessibleDescription()));
    QVERIFY(panel->accessibleDescription().contains("step 0"));
    document_->moments().showNow();
    QTRY_COMPARE(panel->accessibleDescription(), before);
  }

  void aPlainModelIsExplainedAndOneButtonNestsIt() {
    QVERIFY(view_->parts().nest->isVisible());
    QVERIFY(view_->parts().nest->isEnabled());
    QVERIFY(!view_->parts().setup->twins().startButton()->isEnabled());
    QVERIFY(!view_->parts().setup->twins().startButton()->toolTip().isEmpty());
    QCOMPARE(view_->parts().setup->form().widths().text(), QString("2 4 8 16"));
    view_->parts().pictures->slider().setFocus();
    QTest::keyClick(&view_->parts().pictures->slider(), Qt::Key_PageDown);
    QVERIFY2(explorer().choiceName() == "L", "it can be dragged all the same");
    nest();
    QVERIFY(!view_->parts().nest->isVisible());
    QVERIFY(view_->parts().setup->twins().startButton()->isEnabled());
    QCOMPARE(document_->training().config().nesting.training, matformer::Training::Sampled);
    view_->parts().setup->form().stopButton()->click();
    QVERIFY(!explorer().isNested());
    QVERIFY(view_->parts().nest->isVisible());
  }

  void theButtonsTrainAsTheySay() {
    view_->parts().nest->click();
    QVERIFY(explorer().isNested());
    QTRY_VERIFY(document_->training().isRunning() && document_->training().step() > 0);
    document_->training().pause();
    QTRY_VERIFY(!document_->training().isRunning());
    const std::int64_t step = document_->training().step();
    view_->parts().setup->form().widths().setText("4 8");
    view_->parts().setup->form().applyButton()->click();  // "Apply": from the next step on
    view_->parts().setup->form().stopButton()->click();   // "Train as a whole again"
    QTRY_VERIFY(document_->training().step() > step);
    QVERIFY(!explorer().isNested());
  }

  void theFormReportsErrorsAndChangesNothing() {
    view_->parts().setup->form().training().setCurrent(1);
    view_->parts().setup->form().widths().setText("8 4");
    view_->parts().setup->form().applyButton()->click();
    QVERIFY(!explorer().isNested());
    view_->parts().setup->form().widths().setText("4 x");
    QVERIFY(!view_->parts().setup->form().applyButton()->isEnabled());
    view_->parts().setup->form().widths().setText("4 8");
    QVERIFY(view_->parts().setup->form().applyButton()->isEnabled());
    QLineEdit& weights = view_->parts().setup->form().weights();
    const QString shown = weights.text();
    for (const char* wrong : {"1 1'000", "0x2 1", "1e999"}) {
      weights.setFocus();
      weights.selectAll();
      QTest::keyClicks(&weights, wrong);
      QVERIFY2(!view_->parts().setup->form().applyButton()->isEnabled(), wrong);
      QTest::keyClick(&weights, Qt::Key_Return);  // refuses; it does not apply
      QCOMPARE(weights.text(), shown);
      QVERIFY(!explorer().isNested());
    }
    view_->parts().setup->form().widths().setText("4, 8");
    view_->parts().setup->form().weights().setText("0.5 0.25 0.25");
    view_->parts().setup->form().applyButton()->click();
    const matformer::Nesting& nesting = document_->training().config().nesting;
    QCOMPARE(nesting.widths, (std::vector<std::int64_t>{4, 8}));
    QCOMPARE(nesting.weights, (std::vector<double>{0.5, 0.25, 0.25}));
    QCOMPARE(nesting.training, matformer::Training::Joint);
    QCOMPARE(explorer().granularities().size(), std::size_t{3});
  }

  void sliderBarsAndFramesMoveTogether() {
    QTest::keyClick(&view_->parts().pictures->slider(), Qt::Key_PageDown);
    QCOMPARE(explorer().choice().widths, (std::vector<std::int64_t>{8, 8}));
    QCOMPARE(view_->parts().inspector->bars().widths(), explorer().choice().widths);
    QCOMPARE(view_->parts().pictures->frames().chosenWidth(), 8);
    QTest::keyClick(&view_->parts().inspector->bars().bar(1), Qt::Key_Down);
    QCOMPARE(explorer().choice().widths, (std::vector<std::int64_t>{8, 7}));
    QVERIFY(view_->parts().pictures->slider().accessibleDescription().contains("different"));
    QCOMPARE(view_->parts().pictures->frames().chosenWidth(), 8);
    QTest::mousePress(&view_->parts().inspector->bars().bar(1), Qt::LeftButton);
    QVERIFY(view_->parts().pictures->frames().layer().name.startsWith("decoder"));
    QCOMPARE(view_->parts().pictures->frames().chosenWidth(),
             view_->parts().inspector->bars().bar(1).value());
    emit view_->parts().pictures->frames().widthDragged(3);
    QCOMPARE(explorer().choice().widths, (std::vector<std::int64_t>{8, 3}));
    QCOMPARE(view_->parts().inspector->bars().bar(1).value(), 3);
  }

  void theNumbersAreThoseOfTheChoice() {
    nest();
    QTest::keyClick(&view_->parts().pictures->slider(), Qt::Key_Home);
    QTRY_VERIFY_WITH_TIMEOUT(explorer().choiceScore() && explorer().choiceScore()->complete,
                             kPatience);
    const train::SubmodelScore& score = explorer().choiceScore()->score;
    QCOMPARE(view_->parts().inspector->numbers().text(3, 0),
             QString::number(score.cost.parameters));
    QCOMPARE(view_->parts().inspector->numbers().text(3, 1),
             QString::number(document_->moments().layout().total));
    QCOMPARE(view_->parts().inspector->numbers().text(6, 1), QString("100.0 %"));
    QVERIFY(view_->parts().inspector->numbers().text(2, 0) !=
            view_->parts().inspector->numbers().text(2, 1));
  }

  void mixesBecomePointsAndCanBeLoaded() {
    nest();
    const auto before = view_->parts().scatter->figureData().rows.size();
    QCOMPARE(before, std::size_t{4});
    view_->parts().inspector->mixes().frontButton()->click();
    waitForAll();
    QCOMPARE(view_->parts().scatter->figureData().rows.size(), std::size_t{16});
    const Submodel mix = explorer().mixes().front();
    emit view_->parts().scatter->chosen(mix);
    QCOMPARE(explorer().choice(), mix);
    QCOMPARE(view_->parts().inspector->bars().widths(), mix.widths);
    view_->parts().inspector->mixes().budget().setValue(
        view_->parts().inspector->mixes().budget().minimum());
    view_->parts().inspector->mixes().budgetButton()->click();
    QCOMPARE(explorer().choiceName(), QString("S"));
  }

  void allAnswerTheSameQuestion() {
    view_->parts().answers->question().setFocus();
    view_->parts().answers->question().clear();
    QTest::keyClicks(&view_->parts().answers->question(), "abc");
    QCOMPARE(document_->observing().question(), QString("abc"));
    QTRY_VERIFY_WITH_TIMEOUT(explorer().answers().question == "abc", kPatience);
    QCOMPARE(view_->parts().answers->rowCount(), 4);
    QCOMPARE(view_->parts().answers->text(0, 0), QString("S"));
    QCOMPARE(view_->parts().answers->text(3, 3), QString("the whole model"));
    const auto& answers = explorer().answers().answers;
    QCOMPARE(view_->parts().answers->text(1, 3) == "same",
             answers[1].answer.answer == answers[3].answer.answer);
  }

  void theSmallestDraftsAndTheWholeChecks() {
    QVERIFY(!view_->parts().draft->isHidden());
    QCOMPARE(view_->parts().draft->startButton().text(), QString("S drafts, XL verifies"));
    QTRY_VERIFY_WITH_TIMEOUT(explorer().answers().answers.size() == 4, kPatience);
    view_->parts().draft->startButton().click();
    QVERIFY(!view_->parts().draft->draft() && !view_->parts().draft->startButton().isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(view_->parts().draft->draft(), kPatience);
    const ElasticDraft& draft = *view_->parts().draft->draft();
    QVERIFY(!draft.problem);
    const train::DraftedQuestion& d = draft.drafted;
    QVERIFY(d.same && d.seconds > 0 && d.plain_seconds > 0);
    QCOMPARE(d.answered.answer, explorer().answers().answers[3].answer.answer);
    const QString words = view_->parts().draft->words().text();
    QVERIFY2(words.startsWith(QString("XL accepted %1 of %2 tokens that S proposed")
                                  .arg(d.drafted.accepted)
                                  .arg(d.drafted.proposed)),
             qPrintable(words));
    QVERIFY(words.contains(" ms; XL alone: ") && words.endsWith("The same text."));
    document_->observing().setQuestion("abc");
    QVERIFY2(!view_->parts().draft->draft(), "numbers of another question are not shown");
  }

  void whatIsShownIsAValue() {
    const ElasticShown before = view_->state();
    explorer().chooseWidths({4, 8});
    view_->parts().pictures->showLayer(1);
    view_->parts().pictures->frames().showLock(Cell{1, 2});
    view_->parts().scatter->setCostAxis(CostAxis::Operations);
    view_->parts().scatter->showTable();
    const ElasticShown kept = view_->state();
    view_->setState(before);
    QCOMPARE(view_->state(), before);
    QVERIFY(kept != before);
    view_->setState(kept);
    QCOMPARE(view_->state(), kept);
    QCOMPARE(explorer().choice().widths, (std::vector<std::int64_t>{4, 8}));
    QCOMPARE(view_->parts().pictures->layers()->currentIndex(), 1);
  }

  void inSpaceUnreadPartsFade() {
    view_->parts().pictures->showLook(ElasticPictures::Look::Space);
    const ModelState& state = *explorer().state();
    const Submodel part{{4, 16}, {1, 2}};
    const std::vector<QSize> read = readBy(state, part);
    const std::vector<MatrixSlab> slabs = parameterSlabs(state.layout.parameters);
    for (std::size_t i = 0; i < read.size(); ++i) {
      const MatrixSlab& slab = slabs[i];
      if (slab.name == "encoder.layers.0.feed_forward.linear1.weight")
        QCOMPARE(read[i], QSize(8, 4));
      else if (slab.name == "encoder.layers.0.feed_forward.linear1.bias")
        QCOMPARE(read[i], QSize(1, 4));
      else if (slab.name == "encoder.layers.0.feed_forward.linear2.weight")
        QCOMPARE(read[i], QSize(4, 8));
      else if (slab.name == "encoder.layers.0.self_attention.query.weight")
        QCOMPARE(read[i], QSize(8, 4));
      else if (!slab.name.startsWith("encoder.layers.0.self_attention."))
        QCOMPARE(read[i], QSize(slab.cols, slab.rows));
    }
  }

  void inSpaceNestedMatricesAreShown() {
    view_->parts().pictures->showLook(ElasticPictures::Look::Space);
    const auto nested = [&] {
      QStringList names;
      for (const MatrixSlab& slab : view_->parts().pictures->space().slabs())
        names << slab.name.section('.', 3) + " of " + slab.group;
      return names;
    };
    const QStringList feed_forward{"linear1.weight of encoder layer 1: feed forward",
                                   "linear1.bias of encoder layer 1: feed forward",
                                   "linear2.weight of encoder layer 1: feed forward",
                                   "linear1.weight of decoder layer 1: feed forward",
                                   "linear1.bias of decoder layer 1: feed forward",
                                   "linear2.weight of decoder layer 1: feed forward"};
    QStringList found = nested();
    for (QString& name : found) name.remove("feed_forward.");
    QCOMPARE(found, feed_forward);
    const std::vector<SlabFrame>& frames = view_->parts().pictures->space().frames();
    QCOMPARE(frames.size(), std::size_t{16});  // four granularities of four matrices
    QCOMPARE(frames[0], (SlabFrame{0, 2, 8, "S"}));
    QCOMPARE(frames[3], (SlabFrame{0, 16, 8, "XL"}));
    QCOMPARE(frames[5], (SlabFrame{2, 8, 4, "M"}));
    QCOMPARE(view_->parts().pictures->space().slabs()[0].value(3, 2),
             explorer().state()->parameters[std::size_t(
                 explorer()
                     .state()
                     ->layout.find("encoder.layers.0.feed_forward.linear1.weight")
                     ->offset +
                 3 * 8 + 2)]);
    view_->parts().setup->form().widths().setText("4 8");
    view_->parts().setup->form().heads().setText("1 1");
    view_->parts().setup->form().applyButton()->click();
    QVERIFY2(nested().filter("query.weight").size() == 2 + 1, "attention too where heads are");
    QVERIFY(nested().filter("norm").isEmpty());
  }

  void inSpaceLayersAndMatricesAreNamed_data() {
    QTest::addColumn<int>("width");
    QTest::newRow("linear1 is higher than wide") << 64;
    QTest::newRow("square") << 32;
    QTest::newRow("wider than high") << 16;
  }
  void inSpaceLayersAndMatricesAreNamed() {
    QFETCH(int, width);
    ModelConfig model = presetNamed("small-classifier").config();
    setUniform(model, 2, 0, {4, 8, 8, width, 1e-6});
    document_->start(model, data::defaultTaskConfig("parentheses"), smallTraining());
    nest();
    view_->resize(1025, 850);  // as in a window of 1600 x 1000
    view_->parts().pictures->showLook(ElasticPictures::Look::Space);
    QCoreApplication::processEvents();
    const QByteArray svg = svgOf(view_->parts().pictures->space()).toLower();
    // Names of the frames take the place of a caption where both do not fit.
    if (width == 32)
      for (const char* name : {"encoder layer 1", "encoder layer 2"})
        QVERIFY2(svg.contains(name), name);
    for (const char* name : {"linear1", "linear2"}) QCOMPARE(svg.count(name), 2);
    // Where the frames of one matrix end too close to each other, the other one names them.
    for (const char* name : {">s<", ">l<", ">xl<"}) QVERIFY2(svg.count(name) >= 2, name);
  }

  void aProjectorHasTheNumbersInOneLine() {
    QWidget* inspector = view_->inspector();
    inspector->show();
    QVERIFY(view_->parts().line->isHidden());
    inspector->hide();
    QVERIFY(!view_->parts().line->isHidden());
    QTest::keyClick(&view_->parts().pictures->slider(), Qt::Key_PageDown);
    QTRY_VERIFY_WITH_TIMEOUT(explorer().choiceScore() && explorer().choiceScore()->complete,
                             kPatience);
    const QString line = view_->parts().line->text();
    QVERIFY2(line.startsWith("L: accuracy"), qPrintable(line));
    for (int row = 0; row < 8; ++row)
      QVERIFY(line.contains(view_->parts().inspector->numbers().text(row, 0)));
  }

  void aLowViewKeepsTheAnswersVisible() {
    nest();
    view_->resize(1250, 460);
    QTRY_VERIFY(view_->parts().answers->rowCount() > 1);
    const auto seen = [this] {
      const AnswerRows& answers = *view_->parts().answers;
      QRect part = answers.rect();
      for (const QWidget* at = &answers; at != view_.get(); at = at->parentWidget())
        part = part.translated(at->pos()) & at->parentWidget()->rect();
      return answers.isVisible() && part.height() >= answers.height();
    };
    QTRY_VERIFY(seen());
    auto* choice = view_->findChild<PlotPair*>()->findChild<Segmented*>();
    choice->setCurrent(1);
    QVERIFY(view_->parts().scatter->isVisible() && !view_->parts().answers->isVisible());
    view_->resize(1250, 900);
    QTRY_VERIFY(view_->parts().answers->isVisible() && view_->parts().scatter->isVisible());
  }

  void anExtraAnswerMovesNothing() {
    waitForAll();
    QTRY_COMPARE_WITH_TIMEOUT(explorer().answers().answers.size(), std::size_t{4}, kPatience);
    QCoreApplication::processEvents();
    const int height = view_->parts().answers->sizeHint().height();
    QTest::keyClick(&view_->parts().pictures->slider(), Qt::Key_Left);
    QTRY_COMPARE_WITH_TIMEOUT(explorer().answers().answers.size(), std::size_t{5}, kPatience);
    QCOMPARE(view_->parts().answers->text(4, 0), explorer().choiceName());
    QCOMPARE(view_->parts().answers->sizeHint().height(), height);
    QTest::keyClick(&view_->parts().pictures->slider(), Qt::Key_End);
    QTRY_COMPARE_WITH_TIMEOUT(explorer().answers().answers.size(), std::size_t{4}, kPatience);
    QVERIFY(view_->parts().answers->text(4, 0).trimmed().isEmpty());
  }

  void hiddenItWantsNothing() {
    view_->hide();
    QVERIFY(trainTo(*document_, 20));
    QTest::qWait(200);
    QCOMPARE(explorer().wholeScore()->step, std::int64_t(0));
    view_->show();
    QTRY_COMPARE_WITH_TIMEOUT(explorer().wholeScore()->step, std::int64_t(20), kPatience);
  }
};

TFM_TEST(TestElasticView)
#include "test_elastic_view.moc"
