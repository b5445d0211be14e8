// SPDX-License-Identifier: GPL-3.0-or-later
// Interventions are never silent: a flag on every screen, and words when training starts.
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include "core/ask/top_texts.h"
#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"
#include "ui/views/change_menu.h"
#include "ui/views/experiment/experiment_dock.h"
#include "ui/views/experiment/top_texts_dialog.h"
#include "ui/views/experiment/what_if_dialog.h"
#include "ui/views/experiment/what_if_form.h"
#include "ui/views/experiment/what_if_panel.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/table.h"
#include "ui/window/top_bar.h"

using namespace tfm;
using namespace tfm::ui;

class TestWindowWhatIf : public WindowTest {
  Q_OBJECT

 private slots:
  void aFlagIsOnEveryScreen() {
    QVERIFY(flag().isHidden());
    add("decoder.layers.0.cross_attention.head.1");
    add("decoder.layers.0.cross_attention.head.2");
    for (const int screen : screens()) {
      window().showScreen(screen);
      QVERIFY2(flag().isVisible(), qPrintable(QString::number(screen)));
      QCOMPARE(flag().text(), QString("2 What-if changes active"));
    }
    bench_->key(Qt::Key_F5);  // for a projector, too
    QVERIFY(flag().isVisible());
    bench_->key(Qt::Key_F5);
    document().interventions().setOn(0, false);
    QCOMPARE(flag().text(), QString("1 What-if change active"));
    document().interventions().clear();
    QVERIFY(flag().isHidden());
  }

  void theFlagOpensTheList() {
    add("decoder.layers.0.cross_attention.head.1");
    flag().click();
    auto* list = window().findChild<WhatIfDialog*>();
    QVERIFY(list != nullptr && list->isVisible());
    QCOMPARE(list->panel().rowCount(), 1);
    QCOMPARE(window().findChild<ExperimentDock*>()->whatIf().rowCount(), 1);
    flag().click();
    QCOMPARE(window().findChildren<WhatIfDialog*>().size(), 1);
    list->panel().clearButton().click();
    QVERIFY(flag().isHidden());
  }

  void trainingSaysThatItRunsWithout() {
    add("decoder.layers.0.cross_attention.head.1");
    bench_->key(Qt::Key_Space);
    QTRY_VERIFY(document().training().isRunning());
    QTRY_VERIFY(messages().isVisible() && messages().accessibleName().contains("without"));
    document().training().pause();
    QTRY_VERIFY(!document().training().isRunning());
    for (auto* button : messages().findChildren<QPushButton*>())
      if (button->isVisible()) button->click();
    QVERIFY(document().interventions().inForce().empty());
    bench_->key(Qt::Key_Space);  // the control
    QTRY_VERIFY(document().training().isRunning());
    QTest::qWait(50);
    QVERIFY(!messages().accessibleName().contains("without") || !messages().isVisible());
  }

  void whatIsProposedOpensAForm() {
    observe::Intervention draft;
    draft.target = "decoder.layers.0.cross_attention.head.1";
    document().interventions().propose(draft);
    auto* form = window().findChild<WhatIfForm*>();
    QVERIFY(form != nullptr && form->isVisible());
    QCOMPARE(form->target().text(), QString::fromStdString(draft.target));
    QVERIFY(document().interventions().list().empty());
    form->accept();
    QCOMPARE(document().interventions().inForce(), std::vector{draft});
    QVERIFY(window().isWindowModified());
  }

  void whatNoLongerFitsIsSaid() {
    add("decoder.layers.0.cross_attention.head.6");
    document().changes().apply("Fewer heads", [](const ModelState& before) {
      ModelConfig config = before.config;
      for (LayerConfig& layer : config.decoder_layers)
        layer.first<CrossAttention>()->sizes.heads = 3;
      ModelState after = initialState(config, before.seed);
      after.step = before.step;
      return after;
    });
    QTRY_VERIFY(messages().isVisible() && messages().accessibleName().contains("does not fit"));
    QVERIFY(flag().isHidden());
  }

 private:
  QToolButton& flag() { return window().findChild<TopBar*>()->inForceFlag(); }
  void add(const std::string& target) {
    observe::Intervention off;
    off.target = target;
    document().interventions().add(off);
  }

  /// A head or a neuron, and no other part, has texts that excite it most; one of them can be
  /// shown.
  void topTextsAreFoundAndShown() {
    const std::string neuron = "encoder.layers.0.feed_forward.neuron.3";
    const auto entryOf = [&](QMenu& menu, const std::string& target) -> QAction* {
      addChangeActions(menu, document(), target, "off");
      for (QAction* action : menu.actions())
        if (action->text() == "Texts that excite it most...") return action;
      return nullptr;
    };
    QMenu layer, part;
    QVERIFY(entryOf(layer, "encoder.layers.0") == nullptr);
    QAction* entry = entryOf(part, neuron);
    QVERIFY(entry != nullptr);
    entry->trigger();
    auto* dialog = window().findChild<TopTextsDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    Table& table = dialog->table();
    QTRY_COMPARE(table.rowCount(), 10);
    const auto state = std::make_shared<const ModelState>(document().current().state);
    const auto top = train::topTexts(document().sharedTask(), state, neuron);
    for (int row = 0; row < table.rowCount(); ++row)
      QCOMPARE(table.item(row, 1)->text().toStdString(), top->texts[std::size_t(row)].text);
    QVERIFY(table.item(0, 2)->text().contains('['));
    emit table.itemActivated(table.item(2, 0));
    QCOMPARE(document().observing().question(), table.item(2, 1)->text());
    dialog->close();
    QTRY_VERIFY(window().findChild<TopTextsDialog*>() == nullptr);
  }
};

TFM_TEST(TestWindowWhatIf)
#include "test_window_what_if.moc"
