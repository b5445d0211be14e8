// SPDX-License-Identifier: GPL-3.0-or-later
// Interventions in the views: the list with its answers, the form, gestures, and maps of studies.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include "tests/test_program.h"
#include "tests/ui/views/attention_bench.h"
#include "ui/document/demonstration.h"
#include "ui/scene/matrix_wall.h"
#include "ui/study/study_controls.h"
#include "ui/style/style.h"
#include "ui/views/experiment/importance_dialog.h"
#include "ui/views/experiment/patch_dialog.h"
#include "ui/views/experiment/what_if_form.h"
#include "ui/views/experiment/what_if_panel.h"
#include "ui/views/matrices/matrices_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/token_line.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

constexpr const char* kBlock = "decoder.layers.0.cross_attention";

observe::Intervention off(const std::string& target) { return changeOf(target); }

QString textOf(const TokenLine& line) {
  QString text;
  for (const ShadedToken& token : line.tokens()) text += token.text;
  return text;
}

train::UnitImportance unitOf(Stack stack, std::int64_t layer, const std::string& block,
                             std::int64_t number, double loss, bool done) {
  train::UnitImportance unit;
  unit.unit.stack = stack;
  unit.unit.layer = layer;
  unit.unit.block = block;
  unit.unit.number = number;
  unit.score.loss = loss;
  unit.done = done;
  return unit;
}

}  // namespace

class TestWhatIf : public QObject, private AttentionBench {
  Q_OBJECT

 private slots:
  void init() {
    setUp();
    document_->adopt(demonstration());
    QVERIFY(ask("there"));
  }
  void cleanup() { tearDown(); }

  void theListFollowsTheDocument() {
    WhatIfPanel panel(*style_, *document_);
    panel.show();
    QCOMPARE(panel.rowCount(), 0);
    QVERIFY(panel.clearButton().isHidden());
    changes().add(off(kBlock));
    changes().add(off("decoder.layers.0.self_attention.head.2"));
    QCOMPARE(panel.rowCount(), 2);
    QVERIFY(panel.switchOf(0).isChecked());
    QCOMPARE(panel.switchOf(1).accessibleName(),
             QString("decoder, layer 1, self attention, head 3: off"));
    panel.switchOf(1).click();
    QVERIFY(!changes().list()[1].on);
    document_->changes().undo();
    QTRY_VERIFY(panel.switchOf(1).isChecked());
    panel.removeButton(0).click();
    QCOMPARE(panel.rowCount(), 1);
    QCOMPARE(changes().list().front().what, off("decoder.layers.0.self_attention.head.2"));
    panel.clearButton().click();
    QCOMPARE(panel.rowCount(), 0);
  }

  void answersStandSideBySide() {
    WhatIfPanel panel(*style_, *document_);
    panel.show();
    QVERIFY(!panel.with().isVisible());
    changes().add(off(kBlock));
    QTRY_VERIFY(panel.with().isVisible());
    QVERIFY(textOf(panel.without()).startsWith("gurer"));
    QVERIFY(!textOf(panel.with()).startsWith("gurer"));
    QVERIFY(panel.numbers().text().contains("right answer"));
    QVERIFY(panel.numbers().text().contains("held-out"));
    QVERIFY(panel.problem().isHidden());
    panel.switchOf(0).click();
    QVERIFY(!panel.with().isVisible());
  }

  void whatThisTextLacksIsSaid() {
    WhatIfPanel panel(*style_, *document_);
    panel.show();
    changes().add(off("encoder.embedding[2, .]"));
    QTRY_VERIFY(panel.with().isVisible());
    QVERIFY(panel.problem().isHidden());
    QVERIFY(ask("hi"));  // has no such position
    QTRY_VERIFY(panel.problem().isVisible());
    QVERIFY(ask("there"));
    QTRY_VERIFY(!panel.problem().isVisible());
  }

  void theFormExplainsWhatIsWrong() {
    WhatIfForm form(*style_, *document_, off("decoder.layers.0.self_attention.head.2"), {});
    form.show();
    QVERIFY(form.applyButton().isEnabled() && form.problem().isHidden());
    form.target().setText("decoder.layers.0.self_attention.head.7");
    QVERIFY(!form.applyButton().isEnabled() && !form.problem().isHidden());
    form.target().setText("output.weight[3, 0]");
    QVERIFY(form.applyButton().isEnabled());
    form.action().setCurrentIndex(1);  // set
    form.number().setText("much");
    QVERIFY(!form.applyButton().isEnabled());
    QVERIFY(form.problem().text().contains("much"));
    form.number().setText("0.25");
    form.applyButton().click();
    QCOMPARE(form.result(), int(QDialog::Accepted));
    QCOMPARE(changes().inForce().size(), std::size_t(1));
    QCOMPARE(changes().inForce().front().number, 0.25);

    WhatIfForm other(*style_, *document_, changes().list()[0].what, 0);
    QCOMPARE(other.number().text(), QString("0.25"));
    other.action().setCurrentIndex(4);  // another text
    QVERIFY(!other.applyButton().isEnabled());
    other.target().setText("encoder.layers.0");
    other.text().setText("hello");
    other.accept();
    QCOMPARE(changes().list().size(), std::size_t(1));
    QCOMPARE(changes().list()[0].what.text, std::string("hello"));
  }

  void aKeySwitchesTheShownHeadOffAndOn() {
    QTRY_VERIFY(view_->lock({2, 0, 4}, std::nullopt));
    press(Qt::Key_O);
    QCOMPARE(changes().inForce(), std::vector{off("decoder.layers.0.cross_attention.head.4")});
    // A figure says so where it is exported.
    QTRY_VERIFY(view_->forms().figureTitle().endsWith("head 5: off"));
    press(Qt::Key_O);
    QVERIFY(changes().inForce().empty());
    QTRY_VERIFY(!view_->forms().figureTitle().contains("off"));
    QCOMPARE(changes().list().size(), std::size_t(1));
    QVERIFY(view_->lock({1, 0, 0}, std::nullopt));
    press(Qt::Key_O);
    QCOMPARE(changes().inForce(), std::vector{off("decoder.layers.0.self_attention.head.0")});
  }

  void lettersOfAChangedAnswerAreMarked() {
    const auto answer = [&]() -> ElidedLabel& {
      for (auto* label : view_->findChildren<ElidedLabel*>())
        if (label->accessibleName().startsWith("Answer: →")) return *label;
      throw std::runtime_error("there is no answer");
    };
    const auto underlined = [&] {
      const QImage picture = answer().grab().toImage();
      int dots = 0;
      for (int x = 0; x < picture.width(); ++x)
        for (int y = 0; y < picture.height(); ++y)
          dots += picture.pixelColor(x, y) == style_->palette().mark;
      return dots;
    };
    QTRY_VERIFY(view_->lock({2, 0, 4}, std::nullopt));
    const QString before = answer().text();
    QCOMPARE(underlined(), 0);
    changes().add(off("decoder.layers.0.cross_attention"));
    QTRY_VERIFY(answer().text() != before);
    QVERIFY(underlined() > 0);
    QVERIFY(answer().toolTip().endsWith(before));
    changes().switchAllOff();
    QTRY_COMPARE(answer().text(), before);
    QCOMPARE(underlined(), 0);
  }

  void aCellIsProposedWithItsValue() {
    QTRY_VERIFY(view_->lock({2, 0, 4}, Cell{1, 2}));
    const QSignalSpy proposed(&changes(), &Interventions::proposed);
    QContextMenuEvent event(QContextMenuEvent::Mouse, centre(1, 2),
                            cells().viewport()->mapToGlobal(centre(1, 2)));
    QApplication::sendEvent(cells().viewport(), &event);
    QMenu* menu = nullptr;
    for (QMenu* each : view_->findChildren<QMenu*>())
      if (each->isVisible()) menu = each;
    QVERIFY(menu != nullptr);
    QCOMPARE(menu->actions().size(), 4);
    menu->actions()[1]->trigger();
    menu->close();
    QCOMPARE(proposed.size(), 1);
    const auto draft = proposed.front().front().value<observe::Intervention>();
    QCOMPARE(draft.target, std::string("decoder.layers.0.cross_attention.probabilities[4, 1, 2]"));
    QCOMPARE(float(draft.number), cells().map().value(1, 2));
    QVERIFY(changes().list().empty());
  }

  void aWeightIsTriedInMatrices() {
    MatricesView matrices(*style_, *document_);
    matrices.show();
    matrices.inspector()->show();
    auto* edit = matrices.inspector()->findChild<QLineEdit*>();
    QTRY_VERIFY(document_->observing().snapshot()->state);
    QVERIFY(edit->isHidden());
    const auto& slabs = matrices.wall().slabs();
    const auto bias = std::ranges::find_if(
        slabs, [](const MatrixSlab& slab) { return slab.name == "output.bias"; });
    QVERIFY(bias != slabs.end());
    const int slab = int(bias - slabs.begin());
    const CellRef cell{slab, bias->cols == 1 ? 3 : 0, bias->cols == 1 ? 0 : 3};
    QTRY_VERIFY(bias->value(cell.row, cell.col) != 0.0F);
    matrices.wall().setPickedCell(cell);
    QVERIFY(!edit->isHidden());
    for (const char* typed : {"x", "7"}) {
      QVERIFY(changes().list().empty());
      edit->selectAll();
      QTest::keyClicks(edit, typed);
      QTest::keyClick(edit, Qt::Key_Return);
    }
    observe::Intervention seven = off("output.bias[0, 3]");
    seven.number = 7.0;
    QCOMPARE(changes().inForce(), std::vector{seven});
    const auto shown = [&] {
      return matrices.wall().slabs()[std::size_t(slab)].value(cell.row, cell.col);
    };
    QTRY_COMPARE(shown(), 7.0F);
    changes().clear();
    QTRY_VERIFY(shown() != 7.0F);
  }

  void importanceIsARowForEachBlock() {
    train::ImportanceMap map;
    map.whole.loss = 1.0;
    map.units = {unitOf(Stack::Encoder, 0, "self_attention", 0, 1.5, true),
                 unitOf(Stack::Encoder, 0, "self_attention", 1, 3.0, true),
                 unitOf(Stack::Decoder, 0, "self_attention", 0, 0.5, true),
                 unitOf(Stack::Decoder, 0, "cross_attention", 0, 9.0, false)};
    const HeatMap picture = importanceHeatMap(map, true);
    QCOMPARE(picture.rows, 3);
    QCOMPARE(picture.cols, 2);
    QCOMPARE(picture.row_labels, QStringList({"enc 1 self", "dec 1 self", "dec 1 cross"}));
    QCOMPARE(picture.value(0, 0), 0.5F);
    QCOMPARE(picture.value(0, 1), 2.0F);
    QCOMPARE(picture.value(1, 0), -0.5F);
    QVERIFY(picture.isMasked(1, 1));  // there is no such head
    QVERIFY(picture.isMasked(2, 0));  // not yet measured
    QVERIFY(!picture.isMasked(1, 0));
  }

  void importanceIsMeasuredAndPutInForce() {
    ImportanceDialog dialog(*style_, *document_);
    dialog.show();
    QVERIFY(!dialog.offButton().isEnabled());
    dialog.run().button()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.study().isRunning() && dialog.study().result(), 60'000);
    QVERIFY(!dialog.study().problem());
    QCOMPARE(dialog.map().map().rows, 3);
    QCOMPARE(dialog.map().map().cols, 7);
    QVERIFY(!dialog.map().map().hasMasked());
    QVERIFY(dialog.study().result()->whole.accuracy() > 0.9);
    dialog.measures().setCurrent(1);
    QTest::mouseClick(dialog.map().viewport(), Qt::LeftButton, {},
                      dialog.map().cellRect(2, 4).center().toPoint());
    QVERIFY(dialog.offButton().isEnabled());
    dialog.offButton().click();
    QCOMPARE(changes().inForce(), std::vector{off("decoder.layers.0.cross_attention.head.4")});
    // A figure says what was in force while it was measured, not what is now.
    QVERIFY(!dialog.map().figureTitle().contains("off"));
  }

  /// What was measured stays; the window closes only when nothing runs any more.
  void cancellingImportanceKeepsWhatWasMeasured() {
    ImportanceDialog dialog(*style_, *document_);
    dialog.show();
    dialog.run().button()->click();
    const auto all = dialog.findChildren<Segmented*>();
    const auto kinds = std::ranges::find(all, "Parts to switch off", &QWidget::accessibleName);
    QVERIFY(kinds != all.end());
    QVERIFY(dialog.study().isRunning() && !(*kinds)->isEnabled());
    dialog.reject();  // before its first measurement, as no event has been handled since
    QVERIFY(dialog.isVisible() && dialog.study().isEnding());
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.study().isRunning(), 60'000);
    QVERIFY(!dialog.study().problem() && (*kinds)->isEnabled());
    const auto& map = dialog.study().result();
    QVERIFY(map != nullptr && dialog.study().progress() < 1.0);
    QVERIFY(std::ranges::none_of(map->units, &train::UnitImportance::done));
    QVERIFY(dialog.map().map().hasMasked());
    QVERIFY(changes().inForce().empty());
    dialog.run().button()->click();  // and it can be measured again
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.study().isRunning(), 60'000);
    QVERIFY(std::ranges::all_of(dialog.study().result()->units, &train::UnitImportance::done));
    QVERIFY(!dialog.map().map().hasMasked());
    dialog.reject();
    QVERIFY(!dialog.isVisible());
  }

  void patchesAreARowForEachLayer() {
    train::PatchMap map;
    map.from_label = "u";
    map.from_logit_before = 2.0;
    train::PatchedRow input, after, decoder;
    input.stack = after.stack = Stack::Encoder;
    input.labels = {"t", "h", "e"};
    input.from_probability = {0.0, 0.9, 0.1};
    input.from_logit = {2.0, 5.0, 1.0};
    after.layer = 0;  // not measured yet
    decoder.stack = Stack::Decoder;
    map.rows = {input, after, decoder};
    const HeatMap picture = patchHeatMap(map, Stack::Encoder, false);
    QCOMPARE(picture.rows, 2);
    QCOMPARE(picture.cols, 3);
    QCOMPARE(picture.col_labels.join(""), QString("the"));
    QCOMPARE(picture.value(0, 1), 0.9F);
    QVERIFY(picture.isMasked(1, 1) && !picture.isMasked(0, 1));
    QCOMPARE(patchHeatMap(map, Stack::Encoder, true).value(0, 1), 3.0F);
    QCOMPARE(patchHeatMap(map, Stack::Decoder, false).rows, 0);
  }

  void oneTextIsPatchedIntoAnother() {
    PatchDialog dialog(*style_, *document_);
    dialog.show();
    dialog.from().setText("thxre");
    dialog.into().setText("th3re");
    QVERIFY(!dialog.run().button()->isEnabled());
    dialog.into().setText("there");
    QVERIFY(dialog.run().button()->isEnabled());
    dialog.run().button()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.study().isRunning() && dialog.study().result(), 60'000);
    QVERIFY(!dialog.study().problem());
    const HeatMap& map = dialog.map().map();
    QVERIFY(map.rows >= 2 && map.cols >= 5);
    QVERIFY(!map.hasMasked());
    // The letter that differs makes the difference, at the input; the others do not.
    QVERIFY(map.value(0, 2) > 0.9F);
    QVERIFY(map.value(0, 0) < 0.1F);
    changes().add(off("decoder.layers.0.self_attention.head.2"));
    QVERIFY(!dialog.map().figureTitle().endsWith("head 3: off"));
    dialog.run().button()->click();
    QTRY_VERIFY_WITH_TIMEOUT(dialog.map().figureTitle().endsWith("head 3: off"), 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.study().isRunning(), 60'000);
  }

 private:
  Interventions& changes() { return document_->interventions(); }
};

TFM_TEST(TestWhatIf)
#include "test_what_if.moc"
