// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the Grow screen for a plan, a plan in preparation, and moments across a growth.
#include <QAbstractButton>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

#include "tests/core/expand/growth_to.h"
#include "tests/ui/ui_test.h"
#include "tests/ui/views/grow_bench.h"
#include "tests/ui/views/view_bench.h"
#include "tests/ui/widgets/on_paper.h"
#include "ui/growth/growth_legend.h"
#include "ui/growth/growth_pair.h"
#include "ui/growth/growth_wall.h"
#include "ui/scene/matrix_wall.h"
#include "ui/style/palette.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/grow/growth_cards.h"
#include "ui/views/grow/growth_form.h"
#include "ui/views/grow/growth_words.h"
#include "ui/views/grow/proof_panel.h"
#include "ui/views/matrices/matrices_view.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/section.h"

using namespace tfm;
using namespace tfm::ui;
using expand::HiddenMethod;
using expand::Kind;
using tfm::test::growthTo;

namespace {

expand::Growth hidden(std::int64_t size, HiddenMethod method) {
  expand::Growth growth = growthTo(Kind::Hidden, size);
  growth.hidden_method = method;
  return growth;
}

}  // namespace

class TestGrowSays : public QObject, private GrowBench {
  Q_OBJECT

 private:
  void startSmallSequence() {
    view_.reset();
    document_->start(presetNamed("small-sequence").config(), data::defaultTaskConfig("sort"), {});
    makeView();
  }
  bool says(const QString& text) const { return tfm::ui::says(*view_->inspector(), text); }
  QString sentence() const { return view_->findChild<Panel*>()->accessibleDescription(); }
  void set(const expand::Growth& growth) {
    view_->parts().planner->setPlan({growth});
    QTRY_VERIFY_WITH_TIMEOUT(view_->parts().planner->isCurrent(), kPatience);
  }
  void apply() {
    const std::int64_t before = document_->moments().layout().total;
    view_->parts().planner->apply([](const auto&) {});
    QTRY_VERIFY_WITH_TIMEOUT(document_->moments().layout().total > before, kPatience);
  }
  void pin(Pin slot) {
    document_->moments().pin(slot);
    QTRY_VERIFY(document_->moments().pinnedStep(slot));
  }

  QPushButton& inspectorButton(const QString& text) {
    for (auto* found : view_->inspector()->findChildren<QPushButton*>())
      if (found->text() == text) return *found;
    qFatal("no button %s", qPrintable(text));
  }

 private slots:
  void init() { setUp(); }
  void cleanup() { tearDown(); }

  void aRefusedGrowthHasNoRule() {
    set(hidden(11, HiddenMethod::Mask));
    QVERIFY(says("norm counts the first"));
    set(hidden(11, HiddenMethod::ZeroPad));  // LayerNorm
    QVERIFY(view_->parts().planner->problem());
    QVERIFY2(!says("norm counts the first"), "the rule of another method");
    QVERIFY(says("this is not possible"));
    set(hidden(11, HiddenMethod::Mask));
    QVERIFY(says("norm counts the first") && !says("this is not possible"));
  }

  void maskedNormsAreCalledMasked() {
    set(hidden(11, HiddenMethod::Mask));
    QVERIFY2(sentence().contains("mask") && !sentence().contains("rescaled"),
             qPrintable(sentence()));
    QVERIFY(says("hardly anything new receives a gradient"));
    QVERIFY(says("Masked structural growth"));
    QVERIFY2(!says("Slanted"), "nothing is slanted in this rule");
    set(hidden(16, HiddenMethod::Duplicate));
    QVERIFY(says("Lossless model expansion") && !says("Gesmundo"));
    set(growthTo(Kind::FeedForward, 9));
    QVERIFY(says("section 3.1") && says("Slanted") && says("Underlined"));
  }

  void headsAreThoseOfTheChosenStack() {
    ModelConfig model = document_->moments().model();
    model.decoder_layers.front().first<SelfAttention>()->sizes.heads = 9;
    GrowthForm form(*style_);
    const auto last = [&] {
      int most = 0;
      for (const QPushButton* button : form.findChildren<QPushButton*>())
        most = std::max(most, button->text().toInt());
      return most;
    };
    expand::Growth growth = growthTo(Kind::KeySize, 8);
    growth.stacks = expand::Stacks::Decoder;
    form.showGrowth(growth, model);
    QCOMPARE(last(), 9);
    growth.stacks = expand::Stacks::Encoder;
    form.showGrowth(growth, model);
    QCOMPARE(last(), 7);
  }

  void cellsAreReadInSpace() {
    set(growthTo(Kind::FeedForward, 9));
    view_->showLook(GrowView::Look::Space);
    QVERIFY(says("Hover a cell"));
    view_->parts().pictures->space().setPickedCell(CellRef{0, 1, 0});
    QVERIFY(says(view_->parts().pictures->space().grownSlabs().front().name));
    view_->parts().pictures->space().setPickedCell(std::nullopt);
    QVERIFY(says("Hover a cell"));
  }

  void aPlanWithoutPreviewIsNotApplied() {
    set(growthTo(Kind::FeedForward, 9));
    QVERIFY(view_->parts().proof->applyButton()->isEnabled());
    const std::int64_t before = document_->moments().layout().total;
    // Too large to be ready when setPlan() returns.
    view_->parts().planner->setPlan({growthTo(Kind::FeedForward, 400'000)});
    QVERIFY(!view_->parts().planner->isCurrent());
    QVERIFY(!view_->parts().proof->applyButton()->isEnabled());
    QVERIFY(tfm::ui::says(*view_->parts().proof, "Computing"));
    view_->parts().planner->apply([](const auto&) {});
    view_->parts().planner->setPlan({});
    QTRY_VERIFY_WITH_TIMEOUT(view_->parts().planner->isCurrent(), kPatience);
    QCOMPARE(document_->moments().layout().total, before);
  }

  void aTooLargeGrowthIsRefusedAtOnce() {
    startSmallSequence();
    QElapsedTimer clock;
    clock.start();
    set(growthTo(Kind::FeedForward, 1'048'576));
    QVERIFY2(clock.elapsed() < 5000, "it is refused before it is made");
    QVERIFY(view_->parts().planner->problem());
    QVERIFY(tfm::ui::says(*view_->parts().proof, "million parameters"));
    QVERIFY(!view_->parts().proof->applyButton()->isEnabled());
  }

  void largeNumbersAreNotCutAtTheSides() {
    startSmallSequence();
    for (const Kind kind : {Kind::FeedForward, Kind::Hidden, Kind::KeySize}) {
      view_->parts().planner->setPlan({});
      view_->parts().editor->choose(kind);
      QTRY_VERIFY_WITH_TIMEOUT(view_->parts().planner->isCurrent(), kPatience);
      for (const auto& [zone, width] :
           {std::pair{view_->left(), 250}, std::pair{view_->inspector(), 310}}) {
        zone->resize(width, 330);
        zone->show();
        QCoreApplication::processEvents();
        const auto* scroll = zone->findChild<QScrollArea*>();
        for (Section* section : zone->findChildren<Section*>())  // unfold all by hand
          if (section->isFoldable()) section->setFolded(false), emit section->foldChosen(false);
        QTRY_VERIFY(scroll->verticalScrollBar()->isVisible());  // it takes its part
        QTRY_VERIFY2(scroll->widget()->minimumSizeHint().width() <= scroll->viewport()->width(),
                     qPrintable(QString("%1 in %2 of %3")
                                    .arg(scroll->widget()->minimumSizeHint().width())
                                    .arg(scroll->viewport()->width())
                                    .arg(GrowthWords::name(kind))));
        zone->hide();
      }
    }
  }

  /// Name and size, and below them in one line what grows.
  void everyCardTakesTwoLines() {
    auto& cards = *qobject_cast<GrowthCards*>(view_->left());
    cards.resize(style_->px(264), 700);
    cards.show();
    for (int kind = 0; kind < 6; ++kind)
      for (const QLabel* label : cards.card(Kind(kind))->findChildren<QLabel*>())
        QTRY_VERIFY2(label->height() < 2 * label->fontMetrics().height(),
                     qPrintable(label->text()));
    const auto height = [&](Kind kind) { return cards.card(kind)->height(); };
    for (int kind = 1; kind < 6; ++kind)
      QTRY_COMPARE(height(Kind(kind)), height(Kind::FeedForward));
  }

  void acrossAGrowthNewCellsHaveNoCounterpart() {
    MatricesView matrices(*style_, *document_);
    matrices.resize(900, 700);
    pin(Pin::B);
    set(growthTo(Kind::FeedForward, 9));
    apply();
    pin(Pin::A);
    matrices.show();
    document_->moments().compare(Comparison::Difference);
    QTRY_VERIFY(view_->parts().planner->preview() &&
                view_->parts().planner->preview()->is_difference);
    QTRY_VERIFY(document_->observing().snapshot() &&
                document_->observing().snapshot()->is_difference);
    QVERIFY2(sentence().contains("Sizes differ"), qPrintable(sentence()));
    auto* legend = view_->findChild<GrowthLegend*>();
    QVERIFY(legend->isVisible());
    QVERIFY(legend->figureData().rows.front().front().contains("no counterpart"));
    QCOMPARE(pixelsOf(view_->parts().pictures->wall().grab().toImage(), style_->palette().bad), 0);
    const auto* panel = matrices.findChild<Panel*>();
    QTRY_VERIFY2(panel->accessibleDescription().contains("Sizes differ"),
                 qPrintable(panel->accessibleDescription()));
    int unpaired = 0;
    const auto& slabs = matrices.wall().slabs();
    for (int i = 0; i < int(slabs.size()); ++i)
      for (int row = 0; row < slabs[std::size_t(i)].rows; ++row)
        unpaired += matrices.wall().isUnpaired({i, row, 0});
    // Four new units in both stacks: a row of W1 and a number of b1 each.
    QCOMPARE(unpaired, 2 * 2 * 4);
    QCOMPARE(pixelsOf(matrices.wall().grab().toImage(), style_->palette().bad), 0);
    matrices.hide();
    document_->moments().showNow();
    QTRY_VERIFY(!legend->isVisible());
  }

  /// A growth just shown can be filmed; the study needs a plan.
  void anAppliedGrowthCanBeFilmed() {
    const auto hidden = [&](const QString& text) {
      return !inspectorButton(text).isVisibleTo(view_->inspector());
    };
    QVERIFY(hidden("Record video…") && hidden("Is it worth it?"));
    set(growthTo(Kind::Heads, 9));
    QVERIFY(!hidden("Record video…") && !hidden("Is it worth it?"));
    const std::size_t planned = view_->parts().files->beforeAndAfter()->figureData().rows.size();
    set(growthTo(Kind::Heads, 9));
    view_->parts().proof->applyButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(view_->parts().planner->plan().empty(), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!hidden("Record video…") && hidden("Is it worth it?"), kPatience);
    QCOMPARE(view_->parts().files->beforeAndAfter()->figureData().rows.size(), planned);
    document_->changes().undo();
    QTRY_VERIFY_WITH_TIMEOUT(hidden("Record video…"), kPatience);
  }

  void aBrokenRuleIsNotStatedAsKept() {
    expand::Growth growth = growthTo(Kind::KeySize, 9);
    set(growth);
    QVERIFY(!says("Broken on purpose"));
    growth.broken = expand::Break::NoKeyRescale;
    set(growth);
    QVERIFY(says("Broken on purpose: keys are not rescaled"));
    const auto* legend = view_->findChild<GrowthLegend*>();
    QStringList marks;
    for (const QStringList& row : legend->figureData().rows) marks << row.front();
    QVERIFY(marks.contains("should be rescaled, is not"));
  }
};

TFM_TEST(TestGrowSays)
#include "test_grow_says.moc"
