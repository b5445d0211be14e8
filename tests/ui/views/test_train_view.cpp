// SPDX-License-Identifier: GPL-3.0-or-later
// The Train screen and the transport bar on a real document that trains.
#include <QApplication>
#include <QMenu>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <memory>

#include "core/model/blocks/blocks.h"
#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"
#include "tests/ui/widgets/on_paper.h"
#include "ui/figure/number_text.h"
#include "ui/plots/line_plot.h"
#include "ui/plots/loss_strip.h"
#include "ui/plots/plot_stack.h"
#include "ui/style/style.h"
#include "ui/views/train/learning_curves.h"
#include "ui/views/train/sample_stream.h"
#include "ui/views/train/train_inspector.h"
#include "ui/views/train/train_view.h"
#include "ui/views/transport/transport_bar.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/segmented.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

/// The wants of another view: there are no snapshots without need.
struct Watcher : QObject {
  explicit Watcher(ModelDocument& document) : document(document) {}
  bool getsParameters() {
    Need need;
    need.parameters = true;
    document.observing().setNeed(this, need);
    return QTest::qWaitFor(
        [&] {
          return document.observing().snapshot() &&
                 document.observing().snapshot()->state != nullptr;
        },
        5000);
  }
  ModelDocument& document;
};

QToolButton* button(TransportBar& bar, const QString& name) {
  for (auto* found : bar.findChildren<QToolButton*>())
    if (found->accessibleName().startsWith(name)) return found;
  return nullptr;
}

/// An entry of the menu at the end.
void choose(TransportBar& bar, const QString& text) {
  QMenu& menu = *bar.findChildren<QToolButton*>().back()->menu();
  emit menu.aboutToShow();
  for (QAction* action : menu.actions())
    if (action->text().startsWith(text)) return action->trigger();
  qFatal("there is no %s", qPrintable(text));
}

}  // namespace

class TestTrainView : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    style_ = std::make_unique<Style>(*qApp);
    document_ = std::make_unique<ModelDocument>(1);
    startRot13(*document_);
  }

  void trainingFillsThePlots() {
    TrainView view(*style_, *document_);
    view.inspector()->setParent(&view);
    view.resize(900, 700);
    view.show();
    const auto& loss = view.curves().plots().plot(0).curves();
    QVERIFY(loss[0].data.empty());
    auto& inspector = *static_cast<TrainInspector*>(view.inspector());
    QTRY_VERIFY(inspector.blocks().isHidden());
    QVERIFY2(inspector.blocks().figureData().rows.empty(), "no gradient is no length of 0");
    QVERIFY(trainTo(*document_, 50));
    QCOMPARE(loss[0].data.size(), std::size_t(50));
    QCOMPARE(loss[1].data.size(), std::size_t(5));
    QVERIFY(!loss[1].smoothed);
    QCOMPARE(loss[0].data.values()[49], document_->training().history().steps[49].loss);
    QCOMPARE(view.curves().plots().plot(1).curves()[0].data.size(), std::size_t(50));
    QCOMPARE(inspector.gradient().curves()[0].data.size(), std::size_t(50));
    QTRY_VERIFY(!inspector.blocks().figureData().rows.empty());
    QVERIFY(!inspector.blocks().isHidden());
  }

  void exportsNameTheirDocument() {
    TrainView view(*style_, *document_);
    view.inspector()->setParent(&view);
    view.show();
    QCOMPARE(view.curves().plots().figureTitle(),
             QString("Loss and accuracy of rot13 (not saved)"));
    QVERIFY(trainTo(*document_, 5));
    const QTemporaryDir folder;
    document_->save(folder.filePath("mine.safetensors"));
    QCOMPARE(view.curves().plots().figureTitle(), QString("Loss and accuracy of mine.safetensors"));
    auto& inspector = *static_cast<TrainInspector*>(view.inspector());
    QTRY_COMPARE(inspector.blocks().figureTitle(), QString("Gradient norms by block, step 5"));
    inspector.findChild<Segmented*>()->setCurrent(1);
    QTRY_COMPARE(inspector.blocks().figureTitle(), QString("Weight norms by block, step 5"));
  }

  void samplesShowTheRightAnswer() {
    TrainView view(*style_, *document_);
    view.show();
    QTRY_COMPARE(view.stream().lines().size(), document_->observing().samples().size());
    const SampleLine& line = view.stream().lines().front();
    QCOMPARE(line.step, std::int64_t(0));
    QCOMPARE(line.question,
             QString::fromStdString(document_->observing().samples().front().source));
    QCOMPARE(*line.target, QString::fromStdString(document_->observing().samples().front().target));
    QVERIFY(!line.right);
    QVERIFY(!line.answer.empty());
  }

  void aMomentIsMarkedAndItsAnswersAreItsOwn() {
    TrainView view(*style_, *document_);
    view.inspector()->setParent(&view);
    view.resize(900, 700);
    view.show();
    QTRY_COMPARE(view.stream().lines().size(), document_->observing().samples().size());
    document_->moments().pin(Pin::A);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::A));
    QVERIFY(trainTo(*document_, 20));
    QTRY_COMPARE(view.stream().lines().front().step, std::int64_t(20));
    const auto all = view.stream().lines().size();
    QVERIFY(all > document_->observing().samples().size());
    QVERIFY(!view.curves().plots().plot(0).moment());
    auto& inspector = *static_cast<TrainInspector*>(view.inspector());
    document_->moments().show(0);
    for (const int plot : {0, 1}) QVERIFY(view.curves().plots().plot(plot).moment() == 0.0);
    QVERIFY(inspector.gradient().moment() == 0.0);
    for (const SampleLine& line : view.stream().lines()) QCOMPARE(line.step, std::int64_t(0));
    QTRY_COMPARE(view.stream().lines().size(), document_->observing().samples().size());
    for (const SampleLine& line : view.stream().lines()) QCOMPARE(line.step, std::int64_t(0));
    document_->moments().showNow();
    QVERIFY(!view.curves().plots().plot(0).moment());
    QTRY_VERIFY(view.stream().lines().size() >= all);
    QCOMPARE(view.stream().lines().front().step, std::int64_t(20));
  }

  void startingOverRemovesThePreviousAnswers() {
    TrainView view(*style_, *document_);
    view.show();
    QVERIFY(trainTo(*document_, 20));
    QTRY_COMPARE(view.stream().lines().front().step, std::int64_t(20));
    // The newest snapshot is still of the previous run.
    std::vector<std::int64_t> seen;
    connect(&document_->training(), &Training::rewound, &view, [&] {
      emit document_->training().runningChanged(
          true);  // Play may be reported before the first new snapshot
      for (const SampleLine& line : view.stream().lines()) seen.push_back(line.step);
    });
    document_->changes().reset();
    QTRY_COMPARE(document_->training().step(), std::int64_t(0));
    QTRY_VERIFY(!view.stream().lines().empty());
    for (const SampleLine& line : view.stream().lines()) QCOMPARE(line.step, std::int64_t(0));
    for (const std::int64_t step : seen) QCOMPARE(step, std::int64_t(0));
  }

  void exportedAnswersAreBelowTheirTitle() {
    TrainView view(*style_, *document_);
    view.show();
    QTRY_VERIFY(!view.stream().lines().empty());
    QVERIFY(staysInItsArea(view.stream()));
  }

  void hiddenViewWantsNothing() {
    TrainView view(*style_, *document_);
    view.show();
    QTRY_VERIFY(document_->observing().snapshot() != nullptr);
    view.hide();
    const auto last = document_->observing().snapshot();
    QVERIFY(trainTo(*document_, 50));
    QTest::qWait(200);
    QCOMPARE(document_->observing().snapshot(), last);
    QVERIFY(view.curves().plots().plot(0).curves()[0].data.size() == 50);
    view.show();  // the control: shown, it gets a new one
    QTRY_VERIFY(document_->observing().snapshot() != last);
  }

  void aChangedRateIsFlaggedAndMovesTheSchedule() {
    TrainView view(*style_, *document_);
    view.inspector()->setParent(&view);
    QVERIFY(trainTo(*document_, 20));
    const auto flags = view.curves().plots().plot(0).flags().size();
    train::TrainConfig config = document_->training().config();
    config.schedule.learning_rate = 0.25;
    document_->training().setConfig(config);
    const LinePlot& loss = view.curves().plots().plot(0);
    QTRY_COMPARE(loss.flags().size(), flags + 1);
    QCOMPARE(loss.flags().back().text, QString("Learning rate 0.01 → 0.25"));
    auto& schedule = static_cast<TrainInspector*>(view.inspector())->schedule();
    QCOMPARE(schedule.figureData().rows.front()[1], QString("0.25"));
    QVERIFY(trainTo(*document_, 21));
    QCOMPARE(document_->training().history().steps.back().learning_rate, 0.25);
  }

  void lowWindowsKeepAnswersAndCurves_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    QTest::newRow("usual") << QSize(900, 700) << 1.0;
    QTest::newRow("low") << QSize(700, 380) << 1.0;
    QTest::newRow("low and wide") << QSize(1280, 400) << 1.0;
    QTest::newRow("projector") << QSize(1280, 571) << 1.6;
  }
  void lowWindowsKeepAnswersAndCurves() {
    QFETCH(QSize, size);
    QFETCH(double, scale);
    style_->setScale(scale);
    TrainView view(*style_, *document_);
    view.inspector()->setParent(&view);
    view.resize(size);
    view.show();
    QTRY_VERIFY(view.stream().lines().size() >= 2);
    QTest::qWait(100);
    QCOMPARE(view.size(), size);
    QVERIFY(view.stream().isVisible());
    QVERIFY(view.stream().height() >= view.stream().minimumSizeHint().height());
    QVERIFY(
        view.rect().contains(QRect(view.stream().mapTo(&view, QPoint()), view.stream().size())));
    for (const int plot : {0, 1})
      QVERIFY(view.curves().plots().plot(plot).axes().height() >= 16 * scale);
  }

  void resetReturnsToTheSameWeights() {
    TransportBar bar(*style_, *document_);
    Watcher watcher(*document_);
    QVERIFY(watcher.getsParameters());
    const auto first = document_->observing().snapshot()->state;
    QVERIFY(trainTo(*document_, 30));
    QTRY_COMPARE(document_->observing().snapshot()->step, std::int64_t(30));
    QVERIFY(document_->observing().snapshot()->state->parameters != first->parameters);
    choose(bar, "Start over with the same");
    QTRY_COMPARE(document_->observing().snapshot()->step, std::int64_t(0));
    QVERIFY(document_->observing().snapshot()->state->parameters == first->parameters);
    QVERIFY(document_->training().history().steps.empty());
    QVERIFY(bar.strip().figureData().rows.empty());
    choose(bar, "Start over with a new seed");
    QTRY_VERIFY(document_->observing().snapshot()->state->parameters != first->parameters);
  }

  void transportShowsAndSteers() {
    TransportBar bar(*style_, *document_);
    bar.resize(1280, 60);
    bar.show();
    button(bar, "One step")->click();
    QTRY_COMPARE(document_->training().step(), std::int64_t(1));
    QTest::qWait(100);
    QCOMPARE(document_->training().step(), std::int64_t(1));
    button(bar, "Speed")->menu()->actions()[1]->trigger();
    QCOMPARE(document_->training().speed(), 10.0);
    QTest::keyClick(&bar, Qt::Key_BraceRight);
    QCOMPARE(document_->training().speed(), 30.0);
    int pressed = 0;
    bar.setPlayAction([&] { ++pressed; });
    button(bar, "Play")->click();
    QCOMPARE(pressed, 1);
    QVERIFY(!document_->training().isRunning());
    for (const auto* each : bar.findChildren<QToolButton*>()) {
      if (!each->isVisible()) continue;  // of the past, which is not shown
      QVERIFY(each->toolTip().contains('('));
      QVERIFY(!each->accessibleName().isEmpty());
    }
  }

  void aSlowStartIsSlowAndThenFaster() {
    TransportBar bar(*style_, *document_);
    bar.startSlowly();
    QCOMPARE(document_->training().speed(), 10.0);
    QVERIFY(bar.isSlow());
    // Fast, for the test; the bar follows the measurements.
    document_->training().setSpeed(0);
    std::vector<double> speeds;
    const auto note = [&] {
      if (speeds.empty() || speeds.back() != document_->training().speed())
        speeds.push_back(document_->training().speed());
    };
    for (const std::int64_t step : {49, 50, 199, 200, 599, 600}) {
      document_->training().setSpeed(0);
      QVERIFY(trainTo(*document_, step));
      note();
    }
    QCOMPARE(speeds, (std::vector<double>{0, 30, 0, 100, 0}));
    QVERIFY(!bar.isSlow());
  }

  void aChosenSpeedEndsASlowStart() {
    TransportBar bar(*style_, *document_);
    bar.show();
    bar.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&bar));
    bar.startSlowly();
    QTest::keyClick(&bar, Qt::Key_BraceRight);
    QCOMPARE(document_->training().speed(), 30.0);
    QVERIFY(!bar.isSlow());
    document_->training().setSpeed(0);
    QVERIFY(trainTo(*document_, 60));
    QCOMPARE(document_->training().speed(), 0.0);  // no stage comes any more
    bar.startSlowly();
    QVERIFY(!bar.isSlow());
    startRot13(*document_);
    TransportBar other(*style_, *document_);
    other.startSlowly();
    startRot13(*document_);  // another document is not held up
    QVERIFY(!other.isSlow());
    QCOMPARE(document_->training().speed(), 0.0);
  }

  void speedChangesNoNumber() {
    QVERIFY(trainTo(*document_, 30));
    const auto fast = document_->training().history().steps;
    startRot13(*document_);
    TransportBar bar(*style_, *document_);
    bar.show();
    bar.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&bar));
    bar.startSlowly();
    QVERIFY(trainTo(*document_, 12));
    QTest::keyClick(&bar, Qt::Key_BraceRight);
    QVERIFY(trainTo(*document_, 30));
    QCOMPARE(document_->training().history().steps.size(), fast.size());
    for (std::size_t i = 0; i < fast.size(); ++i)
      QCOMPARE(document_->training().history().steps[i].loss, fast[i].loss);
  }

  void beyondTheStopRuleNothingIsDone() {
    TransportBar bar(*style_, *document_);
    bar.resize(1600, 80);
    bar.show();
    const auto left = [&] {
      for (const auto* number : bar.findChildren<NamedNumber*>())
        if (number->accessibleDescription().contains("complete")) return number->name();
      return QString();
    };
    QVERIFY(trainTo(*document_, 5));
    QTRY_COMPARE(left(), QString("step, done"));
    document_->training().play();
    QTRY_COMPARE(left(), QString("step, no end"));
    document_->training().pause();
    QTRY_COMPARE(left(), QString("step, done"));
  }

  void normsAreGrouped() {
    const Site cross{Stack::Decoder, 0, 1, CrossAttention::kKind};
    const std::vector<observe::ParameterNorm> norms{
        {"a", 1, 2, {{Stack::Encoder}, ParameterPart::Embedding}},
        {"b", 3, 6, {cross, ParameterPart::Query}},
        {"c", 4, 8, {cross, ParameterPart::Norm, Term::Gain}},
        {"d", 5, 7, {{}, ParameterPart::Output, Term::Bias}}};
    const auto rows = normGroups(norms, NormSide::Gradients);
    QCOMPARE(rows.size(), std::size_t(3));
    QCOMPARE(rows[0].label, QString("encoder embedding"));
    QCOMPARE(rows[1].label, QString("decoder 1 cross"));
    QCOMPARE(rows[2].label, QString("output"));
    QCOMPARE(rows[1].value, 10.0);
    QCOMPARE(normGroups(norms, NormSide::Values)[1].value, 5.0);
  }

  void durations() {
    QCOMPARE(durationText(7.2), QString("8 s"));
    QCOMPARE(durationText(125), QString("2 min 5 s"));
    QCOMPARE(durationText(3600 * 3 + 600), QString("3 h 10 min"));
    QCOMPARE(durationText(1e300), QString("over a year"));
  }

 private:
  std::unique_ptr<Style> style_;
  std::unique_ptr<ModelDocument> document_;
};

TFM_TEST(TestTrainView)
#include "test_train_view.moc"
