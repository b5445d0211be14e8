// SPDX-License-Identifier: GPL-3.0-or-later
// The first minute: the window opens with a trained model, Space retrains it, number keys change
// the screen.
#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <cmath>
#include <vector>

#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"
#include "ui/document/submodel_explorer.h"
#include "ui/elastic/nested_frames.h"
#include "ui/growth/growth_wall.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/scene/matrix_wall.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/elastic/elastic_inspector.h"
#include "ui/views/elastic/elastic_pictures.h"
#include "ui/views/elastic/elastic_setup.h"
#include "ui/views/elastic/elastic_view.h"
#include "ui/views/experiment/experiment_dock.h"
#include "ui/views/experiment/say_something.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/grow/plan_editor.h"
#include "ui/views/matrices/matrices_view.h"
#include "ui/views/train/train_view.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/prompt_field.h"

using namespace tfm;
using namespace tfm::ui;

class TestWindowScreens : public WindowTest {
  Q_OBJECT

 private slots:
  void opensOnATrainedModelWithItsAttention() {
    QVERIFY(document().isOpen());
    QVERIFY(document().training().history().evaluations.back().accuracy > 0.95);
    QCOMPARE(window().screen(), int(kAttention));
    QTRY_VERIFY(document().observing().snapshot() &&
                !document().observing().snapshot()->observed.empty());
    QVERIFY(!window().isWindowModified());
    QVERIFY(window().windowTitle().startsWith("rot13"));
    QVERIFY(messages().isVisible());
    QVERIFY(messages().accessibleName().contains("by 13 places"));
    QVERIFY(messages().accessibleDescription().contains("Space"));
  }

  void opensOnAHeadThatReadsLetterByLetter() {
    const auto* view = window().attention().findChild<HeatMapView*>();
    QTRY_VERIFY(view->map().rows > 0);
    const HeatMap& map = view->map();
    QVERIFY(map.name.contains("looks at encoder"));
    QCOMPARE(map.col_labels.join(""), QString("there"));
    for (int i = 0; i < map.cols; ++i)
      QVERIFY2(map.values[std::size_t(i * map.cols + i)] > 0.8F, qPrintable(QString::number(i)));
  }

  void aMessageMovesNothing() {
    for (const QSize size : {QSize(1600, 1000), QSize(1280, 800)}) {
      window().resize(size);
      messages().show();
      // The first layout of a window takes two rounds.
      for (int round = 0; round < 2; ++round) QApplication::processEvents();
      QWidget& view = window().attention();
      const QRect seen(view.mapTo(&window(), QPoint()), view.size());
      const QRect bar(messages().mapTo(&window(), QPoint()), messages().size());
      QVERIFY(bar.width() > 300);
      QVERIFY(window().rect().contains(bar));
      QVERIFY(messages().height() >= messages().layout()->totalHeightForWidth(bar.width()));
      const QAbstractButton& last = *tab("Flow");
      QVERIFY(bar.left() > last.mapTo(&window(), last.rect().bottomRight()).x());
      // It ends above the screen's text.
      QVERIFY(bar.bottom() < seen.top() + bench_->style().px(12));
      messages().hide();
      QApplication::processEvents();
      QCOMPARE(QRect(view.mapTo(&window(), QPoint()), view.size()), seen);
    }
  }

  void spaceRetrainsTheDemonstration() {
    const std::int64_t trained = document().training().step();
    bench_->key(Qt::Key_Space);
    QTRY_VERIFY(document().training().isRunning());
    QTRY_VERIFY(document().training().step() < trained && document().training().step() > 0);
    QVERIFY(window().isWindowModified());
    QCOMPARE(document().training().speed(), 10.0);  // slow enough to be watched
    QTRY_VERIFY(messages().accessibleName().contains("slowly"));
    bench_->key(Qt::Key_BraceRight);
    QCOMPARE(document().training().speed(), 30.0);
    bench_->key(Qt::Key_Space);
    QTRY_VERIFY(!document().training().isRunning());
    const std::int64_t paused = document().training().step();
    bench_->key(Qt::Key_Space);  // only the demonstration restarts: this continues
    QTRY_VERIFY(document().training().step() > paused);
  }

  void aGrownDemonstrationContinues() {
    const std::int64_t trained = document().training().step();
    window().showScreen(kGrow);
    GrowView& grow = window().grow();
    QTRY_VERIFY(grow.parts().planner->preview() != nullptr);
    grow.parts().editor->choose(expand::Kind::FeedForward);
    QTRY_VERIFY(grow.parts().planner->isCurrent());
    const std::int64_t small = document().moments().layout().total;
    grow.apply();
    QTRY_VERIFY(document().moments().layout().total > small);
    QVERIFY(!messages().isVisible());  // Space is no longer mentioned
    bench_->key(Qt::Key_Space);
    QTRY_VERIFY(document().training().step() > trained);
  }

  void aDemonstrationPlannedToGrowContinues() {
    const std::int64_t trained = document().training().step();
    train::TrainConfig config = document().training().config();
    config.schedule.learning_rate /= 2;
    document().training().setConfig(config);
    QVERIFY2(messages().isVisible(), "another rate is for learning again as well");
    expand::Growth growth;
    growth.size = 9;
    config.growths = {{trained + 3, growth}};
    document().training().setConfig(config);
    QVERIFY(!messages().isVisible());
    const std::int64_t small = document().moments().layout().total;
    bench_->key(Qt::Key_Space);
    QTRY_VERIFY(document().training().step() > trained + 3);
    QVERIFY(document().moments().layout().total > small);
  }

  void spacePlaysAfterAnotherScreenIsChosen() {
    window().showScreen(kGrow);
    window().grow().parts().pictures->wall().setFocus();
    QVERIFY(window().grow().parts().pictures->wall().hasFocus());
    bench_->key(Qt::Key_1);
    QCOMPARE(window().screen(), int(kTrain));
    QVERIFY(qobject_cast<QAbstractButton*>(window().focusWidget()) == nullptr);
    QTest::qWait(500);  // at once, it would be the beginning of a text
    bench_->key(Qt::Key_Space);
    QTRY_VERIFY(document().training().isRunning());
  }

  void aSteppedDemonstrationContinues() {
    train::TrainConfig config = document().training().config();
    config.stop = {};
    document().training().setConfig(config);
    const std::int64_t trained = document().training().step();
    QVERIFY(messages().isVisible());
    bench_->key(Qt::Key_Period);
    QTRY_COMPARE(document().training().step(), trained + 1);
    QTRY_VERIFY(!messages().isVisible());
    bench_->key(Qt::Key_Space);
    QTRY_VERIFY(document().training().step() > trained + 1);
  }

  void elasticOffersAModelWhoseWidthMatters() {
    window().showScreen(kElastic);
    QCOMPARE(document().codec().name(), std::string("rot13"));  // a screen replaces no model
    window().elastic().parts().example->click();
    QCOMPARE(document().codec().name(), std::string("facts"));
    QVERIFY(messages().isVisible() && !window().isWindowModified());
    const auto accuracies = [this] {
      SubmodelExplorer& explorer = window().elastic().explorer();
      std::vector<double> shares;
      if (!QTest::qWaitFor([&] { return explorer.wholeScore() && explorer.left() == 0; }, 240000))
        return shares;
      for (const matformer::Granularity& one : explorer.granularities())
        if (const TimedScore* score = explorer.score(one.submodel))
          shares.push_back(score->score.accuracy());
      return shares;
    };
    const std::vector<double> facts = accuracies();
    QCOMPARE(facts.size(), std::size_t(4));
    for (std::size_t i = 1; i < facts.size(); ++i)
      QVERIFY2(facts[i] > facts[i - 1] + 0.08, qPrintable(QString::number(facts[i])));
    QCOMPARE(window().elastic().explorer().mixes().size(), std::size_t(12));  // they fill the gaps
    const ElasticAnswers& told = window().elastic().explorer().answers();
    QTRY_VERIFY(told.question == "kim gave noah" && told.answers.size() == 4);
    QVERIFY(told.answers.front().answer.answer != "drum");
    QCOMPARE(told.answers.back().answer.answer, std::string("drum"));

    window().elastic().parts().setup->exampleButton(ElasticSetup::Example::Sentiment)->click();
    QCOMPARE(document().codec().name(), std::string("sentiment"));
    const std::vector<double> sentiment = accuracies();
    QCOMPARE(sentiment.size(), std::size_t(4));
    QVERIFY(std::abs(sentiment.back() - sentiment.front()) < 0.05);
    bench_->key(Qt::Key_Space);  // restarts, still nested
    QTRY_VERIFY(document().training().isRunning() && document().training().step() > 0 &&
                document().training().step() < 1500);
    QVERIFY(!document().training().config().nesting.widths.empty());
  }

  void aChangedModelStaysInElastic() {
    bench_->key(Qt::Key_Period);
    QTRY_VERIFY(!messages().isVisible());
    window().showScreen(kElastic);
    QCOMPARE(document().codec().name(), std::string("rot13"));
  }

  void escUnlocksAfterAClickOnAButton() {
    QTRY_VERIFY(document().observing().snapshot() &&
                !document().observing().snapshot()->observed.empty());
    auto* map = window().attention().findChild<HeatMapView*>();
    QTest::mouseClick(map->viewport(), Qt::LeftButton, {}, map->cellRect(1, 1).center().toPoint());
    QVERIFY(map->lockedCell());
    QTest::mouseClick(button("Score"), Qt::LeftButton);
    QVERIFY(map->lockedCell());
    QVERIFY(!map->hasFocus());
    bench_->key(Qt::Key_Escape);
    QVERIFY(!map->lockedCell());

    window().showScreen(kMatrices);
    MatrixWall& wall = window().matrices().wall();
    wall.setPickedCell(CellRef{0, 1, 1});
    QTest::mouseClick(button("Top"), Qt::LeftButton);
    QVERIFY(!wall.hasFocus());
    bench_->key(Qt::Key_Escape);
    QVERIFY(!wall.pickedCell());

    window().showScreen(kGrow);
    QTRY_VERIFY(window().grow().parts().planner->preview() &&
                window().grow().parts().planner->isCurrent());
    QTRY_VERIFY(!window().grow().parts().pictures->wall().shown().empty());
    window().grow().parts().pictures->wall().select(
        window().grow().parts().pictures->wall().shown().front());
    QTest::mouseClick(button("Grow"), Qt::LeftButton);
    const QSignalSpy selected(&window().grow().parts().pictures->wall(), &GrowthWall::selected);
    bench_->key(Qt::Key_Escape);
    QCOMPARE(selected.size(), 1);
    QCOMPARE(selected.front().front().toInt(), -1);

    window().showScreen(kElastic);
    NestedFrames& frames = window().elastic().parts().pictures->frames();
    QTRY_VERIFY(frames.itemCount() > 0);
    frames.showLock(Cell{0, 0});
    QTest::mouseClick(button("Elastic"), Qt::LeftButton);
    bench_->key(Qt::Key_Escape);
    QVERIFY(!frames.lockedCell());
  }

  void theTwoFieldsForATextFollowEachOther() {
    PromptField& said = window().findChild<SaySomething*>()->input();
    auto* asked = window().attention().findChild<QLineEdit*>();
    QVERIFY(asked != nullptr);
    QCOMPARE(asked->accessibleName(), said.accessibleName());
    said.selectAll();
    QTest::keyClicks(&said, "hello");
    QCOMPARE(asked->text(), QString("hello"));
    asked->selectAll();
    QTest::keyClicks(asked, "there");
    QCOMPARE(said.text(), QString("there"));
    QVERIFY(window().openFile(bench_->savedDemonstration("b.safetensors")));
    QCOMPARE(asked->text(), said.text());
  }

  void spaceContinuesAnOpenedFile() {
    QVERIFY(window().openFile(bench_->savedDemonstration("a.safetensors")));
    train::TrainConfig config = document().training().config();
    config.stop = {};
    document().training().setConfig(config);
    const std::int64_t trained = document().training().step();
    bench_->key(Qt::Key_Space);
    QTRY_VERIFY(document().training().step() > trained);
  }

  void aFocusedButtonIsPressedBySpace() {
    auto* attention_tab = tab("Attention");
    auto* train_tab = tab("Train");
    QVERIFY(attention_tab && train_tab);
    train_tab->setFocus();
    bench_->key(Qt::Key_Space);
    QCOMPARE(window().screen(), int(kTrain));
    QVERIFY(!document().training().isRunning());
  }

  void aClickedButtonLeavesSpaceToPlay() {
    QTest::mouseClick(tab("Train"), Qt::LeftButton);
    QCOMPARE(window().screen(), int(kTrain));
    bench_->key(Qt::Key_Space);
    QTRY_VERIFY(document().training().isRunning());
  }

  void numberKeysChangeTheScreen() {
    for (const int screen : {kMatrices, kTrain, kAttention}) {
      bench_->key(Qt::Key_1 + screen);
      QCOMPARE(window().screen(), screen);
      QCOMPARE(window().train().isVisible(), screen == kTrain);
      QCOMPARE(window().attention().isVisible(), screen == kAttention);
      QCOMPARE(window().matrices().isVisible(), screen == kMatrices);
    }
  }

  void keysBelongToATextFieldWhileItHasTheFocus() {
    PromptField& input = window().findChild<ExperimentDock*>()->saySomething().input();
    input.setFocus();
    input.clear();
    bench_->type("1 3.[]d");
    QCOMPARE(input.text(), QString("1 3.[]d"));
    QCOMPARE(window().screen(), int(kAttention));
    QVERIFY(!document().training().isRunning());
    QVERIFY(document().observing().questionProblem());
    bench_->key(Qt::Key_Return);
    bench_->type("3");  // the control
    QCOMPARE(window().screen(), int(kMatrices));
  }

  void trainingKeysReachTheDocument() {
    const std::int64_t step = document().training().step();
    bench_->key(Qt::Key_Period);
    QTRY_COMPARE(document().training().step(), step + 1);
    bench_->key(Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE(document().training().step(), std::int64_t(0));
    const std::uint64_t seed = document().training().config().seed;
    bench_->key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(document().training().config().seed != seed);
  }

  void divergenceIsExplainedAndUndone() {
    train::TrainConfig config = document().training().config();
    config.optimizer.kind = train::OptimizerKind::Sgd;
    config.schedule.learning_rate = 999.0;
    config.clip_norm = 0.0;
    config.stop = {};
    document().training().setConfig(config);
    document().training().play();
    QTRY_COMPARE_WITH_TIMEOUT(messages().accessibleName(), QString("Training stopped"), 60000);
    QVERIFY(messages().accessibleDescription().contains("step"));
    QAbstractButton* back = nullptr;
    for (auto* button : messages().findChildren<QAbstractButton*>())
      if (button->text().contains("last good")) back = button;
    QVERIFY(back != nullptr && back->isVisible());
    const QSignalSpy rewound(&document().training(), &Training::rewound);
    back->click();
    QTRY_COMPARE(rewound.size(), 1);
    QVERIFY(!messages().isVisible());
  }

 private:
  /// The visible button with this text, a tab of the top bar or one on the screen.
  QAbstractButton* button(const QString& words) {
    for (auto* each : window().findChildren<QAbstractButton*>())
      if (each->isVisible() && (each->text() == words || each->accessibleName() == words))
        return each;
    qFatal("there is no button %s", qPrintable(words));
  }
  QAbstractButton* tab(const QString& name) {
    for (auto* button : window().findChildren<QAbstractButton*>())
      if (button->accessibleName() == name) return button;
    return nullptr;
  }
};

TFM_TEST(TestWindowScreens)
#include "test_window_screens.moc"
