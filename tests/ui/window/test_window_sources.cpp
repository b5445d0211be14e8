// SPDX-License-Identifier: GPL-3.0-or-later
// From the first screen to each source document, and from there to its model, running; and to each
// preset.
#include <QAction>
#include <QListWidget>
#include <QPushButton>
#include <QTableWidget>

#include "core/model/presets.h"
#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"
#include "ui/document/screens.h"
#include "ui/study/claim_table.h"
#include "ui/study/sources_dialog.h"
#include "ui/views/shape/shape_view.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/panel.h"

using namespace tfm;
using namespace tfm::ui;

class TestWindowSources : public WindowTest {
  Q_OBJECT

 private slots:
  void theFirstScreenHasADoor() {
    QVERIFY(window().findChild<SourcesDialog*>() == nullptr);
    QPushButton* door = nullptr;
    for (auto* button : window().findChildren<QPushButton*>())
      if (button->text() == "Source documents...") door = button;
    QVERIFY(door != nullptr);
    door->click();
    auto* dialog = window().findChild<SourcesDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    QCOMPARE(&window().sources(), dialog);
  }

  void screensHaveTheNamesThatClaimsUse() {
    for (std::size_t i = 0; i < kScreens.size(); ++i) {
      QString name;
      for (const auto* action : window().findChildren<QAction*>())
        if (action->shortcut() == QKeySequence(Qt::Key_1 + int(i)))
          name = QString(action->text()).remove('&');
      QCOMPARE(name.toStdString(), std::string(kScreens[i].name));
    }
  }

  void itsModelOpensAndCanBeUndone_data() {
    QTest::addColumn<int>("place");
    int place = 0;
    for (const reproduce::Source& source : reproduce::sources())
      QTest::newRow(std::string(source.name).c_str()) << place++;
  }
  void itsModelOpensAndCanBeUndone() {
    QFETCH(const int, place);
    const ModelConfig before = document().moments().model();
    window().showScreen(kTrain);
    open(place);
    const reproduce::Source& source = window().sources().source();
    const ModelConfig wanted = reproduce::recipeOf(source).state.config;
    QTRY_COMPARE_WITH_TIMEOUT(document().moments().model(), wanted, 30000);
    QTRY_COMPARE(window().screen(), int(kAttention));
    QVERIFY(!window().sources().isVisible());
    QCOMPARE(document().training().step(), std::int64_t{0});
    QVERIFY(document().task() != nullptr);
    QCOMPARE(document().task()->config().kind, source.task().kind);
    QVERIFY(messages().isVisible());
    QVERIFY(messages().accessibleName().contains(
        QString::fromUtf8(source.title.data(), qsizetype(source.title.size()))));
    QTRY_VERIFY(document().observing().snapshot() &&
                !document().observing().snapshot()->observed.empty());
    QCOMPARE(document().observing().snapshot()->problem, std::string());
    for (const int screen : screens()) {
      window().showScreen(screen);
      QTest::qWait(50);
      QVERIFY(!window().grab().isNull());
    }
    QVERIFY(document().changes().canUndo());
    document().changes().undo();
    QTRY_COMPARE(document().moments().model(), before);
  }

  void presetsAreOnTheMenu() {
    for (const Preset& preset : presets())
      QVERIFY2(presetAction(preset.name.data()) != nullptr, preset.name.data());
  }

  void aPresetOpensAndIsSeenOnEveryScreen_data() {
    QTest::addColumn<bool>("has_task");
    for (const char* name : {"annotated-decoder", "annotated-attention", "funnel-tagger"})
      QTest::newRow(name) << true;
    for (const char* name : {"annotated-encoder", "small-translator"}) QTest::newRow(name) << false;
  }
  void aPresetOpensAndIsSeenOnEveryScreen() {
    QFETCH(const bool, has_task);
    const char* name = QTest::currentDataTag();
    const ModelConfig before = document().moments().model();
    presetAction(name)->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(document().moments().model() != before, 30000);
    QCOMPARE(document().task() != nullptr, has_task);
    QVERIFY(messages().accessibleName().contains(
        QString::fromUtf8(presetNamed(name).description.data())));
    document().observing().setQuestion("ab");
    QTRY_VERIFY(document().observing().snapshot() != nullptr);
    for (const int screen : screens()) {
      window().showScreen(screen);
      QTest::qWait(50);
      QVERIFY(!window().grab().isNull());
    }
    QCOMPARE(document().observing().snapshot()->problem, std::string());
    document().changes().undo();
    QTRY_COMPARE(document().moments().model(), before);
  }

  void aClaimShowsItsScreenWithoutOpeningTwice() {
    open(1);
    QTRY_VERIFY_WITH_TIMEOUT(messages().accessibleName().contains("The encoder layer"), 30000);
    QCOMPARE(kindOfTask(), std::string("regression"));
    SourcesDialog& dialog = window().sources();
    const auto layout = document().moments().layout().total;
    emit dialog.seeRequested(dialog.source(), kMatrices, {});
    QCOMPARE(window().screen(), int(kMatrices));  // at once
    QCOMPARE(document().moments().layout().total, layout);
    document().changes().undo();
    QTRY_VERIFY(kindOfTask() != "regression");
    window().showScreen(kTrain);
    emit dialog.seeRequested(dialog.source(), kMatrices, {});  // the control: gone
    QTRY_COMPARE(kindOfTask(), std::string("regression"));
    QTRY_COMPARE(window().screen(), int(kMatrices));
  }

  void aClaimOpensTheModelThatItSpeaksOf() {
    SourcesDialog& dialog = window().sources();
    dialog.choose(1);
    emit dialog.seeRequested(dialog.source(), kMatrices, "encoder-layer-notebook-independent");
    QTRY_COMPARE_WITH_TIMEOUT(document().moments().layout().total, std::int64_t{2028}, 30000);
    QTRY_COMPARE(window().screen(), int(kMatrices));
    emit dialog.seeRequested(dialog.source(), kMatrices, {});  // its recipe is another
    QTRY_COMPARE_WITH_TIMEOUT(document().moments().layout().total, std::int64_t{676}, 30000);
  }

  /// One about the document's own preset means its recipe, with its training.
  void aClaimAboutItsOwnPresetOpensTheRecipe() {
    const reproduce::Source& source = reproduce::sourceNamed("annotated-transformer");
    emit window().sources().seeRequested(source, kMatrices, std::string(source.preset));
    QTRY_VERIFY_WITH_TIMEOUT(document().training().config() == source.training(), 30000);
  }

  /// Published models are too large to open with a click.
  void onShapeAClaimShowsOutlinesOnly() {
    const ModelConfig before = document().moments().model();
    SourcesDialog& dialog = window().sources();
    for (const reproduce::Source& source : reproduce::sources())
      for (const reproduce::Claim& claim : source.claims()) {
        if (claim.preset.empty() || screenOf(claim) != kShape) continue;
        emit dialog.seeRequested(source, kShape, claim.preset);
        QCOMPARE(window().screen(), int(kShape));
        QTRY_VERIFY(window().shape().isReady());
        const auto* panel = window().shape().findChild<Panel*>();
        QCOMPARE(panel->title(), "Shape of " + QString::fromStdString(claim.preset));
      }
    QCOMPARE(document().moments().model(), before);
    QVERIFY(!document().changes().canUndo());
  }

  /// One click, and Space: it learns.
  void aModelOfFeaturesLearns() {
    open(1);
    QTRY_COMPARE_WITH_TIMEOUT(kindOfTask(), std::string("regression"), 30000);
    document().training().play();
    QTRY_VERIFY_WITH_TIMEOUT(document().training().step() >= 20, 30000);
    document().training().pause();
  }

 private:
  std::string kindOfTask() { return document().task() ? document().task()->config().kind : ""; }

  /// That of the menu; null: none.
  QAction* presetAction(const char* name) {
    for (QAction* action : window().findChildren<QAction*>())
      if (action->text() == QString::fromUtf8(name)) return action;
    return nullptr;
  }

  void open(int place) {
    window().sources().show();
    window().sources().choose(place);
    window().sources().openButton().click();
  }
};

TFM_TEST(TestWindowSources)
#include "test_window_sources.moc"
