// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/document/history.h"
#include "tests/test_program.h"
#include "ui/document/undo_history.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

/// A model of `size` parameters.
UndoPlace present(std::size_t size, std::int64_t step = 0) {
  auto state = std::make_shared<ModelState>();
  state->step = step;
  for (auto* numbers : {&state->parameters, &state->first_moment, &state->second_moment})
    numbers->assign(size, 0.0F);
  return {std::make_shared<const train::Present>(train::Present{state, {}, {}})};
}

constexpr std::int64_t kPlenty = 1 << 30;

}  // namespace

class TestUndoHistory : public QObject {
  Q_OBJECT

 private slots:
  void isLinear() {
    UndoHistory history(kPlenty);
    QVERIFY(!history.canUndo() && !history.canRedo());
    QVERIFY(history.undoText().isEmpty() && history.redoText().isEmpty());
    history.push("one", present(1, 1));
    history.push("two", present(1, 2));
    QCOMPARE(history.undoText(), QString("two"));
    QCOMPARE(history.undoTarget().present->state->step, std::int64_t(2));
    history.undone(history.undoTarget(), present(1, 5));
    QCOMPARE(history.undoText(), QString("one"));
    QCOMPARE(history.redoText(), QString("two"));
    QCOMPARE(history.redoTarget().present->state->step, std::int64_t(5));
    history.redone({}, history.redoTarget(), present(1, 3));
    QCOMPARE(history.undoTarget().present->state->step, std::int64_t(3));
    history.undone(history.undoTarget(), present(1, 6));
    history.push("other", present(1, 7));  // the undone entry is gone
    QVERIFY(!history.canRedo());
    QCOMPARE(history.undoText(), QString("other"));
    history.clear();
    QVERIFY(!history.canUndo());
    QCOMPARE(history.bytes(), std::int64_t(0));
  }

  void theOldestAreDroppedWithinABudget() {
    constexpr std::int64_t kEach = 100 * 3 * sizeof(float);
    UndoHistory history(3 * kEach);
    for (int i = 0; i < 5; ++i) {
      history.push(QString::number(i), present(100, i));
      QVERIFY(history.bytes() <= 3 * kEach);
    }
    QCOMPARE(history.forgotten(), 2);
    QCOMPARE(history.bytes(), 3 * kEach);
    for (const char* text : {"4", "3", "2"}) {
      QCOMPARE(history.undoText(), QString(text));
      history.undone(history.undoTarget(), present(100));
    }
    QVERIFY(!history.canUndo());
    QCOMPARE(history.bytes(), 3 * kEach);
    history.redone({}, history.redoTarget(),
                   present(200));  // a larger one takes the place of others
    QVERIFY(history.bytes() <= 3 * kEach);
    QVERIFY(history.forgotten() > 2);
    history.setBudget(0);
    QVERIFY(!history.canUndo() && !history.canRedo());
    QCOMPARE(history.bytes(), std::int64_t(0));
    UndoHistory plenty(kPlenty);  // the control
    for (int i = 0; i < 5; ++i) plenty.push({}, present(100));
    QCOMPARE(plenty.forgotten(), 0);
    QCOMPARE(plenty.bytes(), 5 * kEach);
  }

  /// Training may grow the model between a request to undo and its completion.
  void entriesPushedMeanwhileAreSkipped() {
    UndoHistory history(kPlenty);
    history.push("one", present(1, 1));
    const UndoPlace target = history.undoTarget();
    history.push("scheduled", present(1, 2));
    history.undone(target, present(1, 3));
    QVERIFY(!history.canUndo());
    QCOMPARE(history.redoText(), QString("one"));
    const UndoPlace later = history.redoTarget();
    history.push("scheduled", present(1, 4));
    history.redone("one", later, present(1, 5));
    QCOMPARE(history.undoText(), QString("one"));
    QCOMPARE(history.undoTarget().present->state->step, std::int64_t(5));
    QVERIFY(!history.canRedo());
  }

  void editsAreEntriesWithoutAModel() {
    UndoHistory history(0);
    const auto one = std::make_shared<const SmallEdit>();
    const auto two = std::make_shared<const SmallEdit>();
    history.push("one", {nullptr, nullptr, one});
    history.push("two", {nullptr, nullptr, two});
    QCOMPARE(history.undoTexts(), (QStringList{"one", "two"}));
    QCOMPARE(history.forgotten(), 0);
    QVERIFY(history.undoTarget().edit == two);
    history.undone({nullptr, nullptr, one}, {nullptr, nullptr, two});
    QVERIFY(!history.canUndo());  // what came after it is skipped
    QCOMPARE(history.redoText(), QString("one"));
    QVERIFY(history.redoTarget().edit == two);
    history.push("model", present(100));
    QCOMPARE(history.forgotten(), 1);  // the control: there is no room for a model
  }

  void editsOfOneKindAreOneEntryUntilTheyAreForgotten() {
    UndoHistory history(kPlenty);
    const int owner = 0, other = 0;
    const auto edit = std::make_shared<const SmallEdit>(SmallEdit{{}, &owner});
    history.push("model", present(1, 1));
    QVERIFY(!history.continues("size", &owner));
    history.push("size", {nullptr, nullptr, edit});
    QVERIFY(history.continues("size", &owner));
    QVERIFY(!history.continues("kind", &owner) && !history.continues("size", &other));
    history.undone(history.undoTarget(), {nullptr, nullptr, edit});
    QVERIFY(!history.continues("size", &owner));
    history.redone("size", history.redoTarget(), {nullptr, nullptr, edit});
    history.forget(&other);
    QCOMPARE(history.undoTexts(), (QStringList{"model", "size"}));
    history.forget(&owner);
    QCOMPARE(history.undoTexts(), QStringList{"model"});
  }

  void momentsCountOnceAsWell() {
    UndoHistory history(kPlenty);
    const auto own = present(10), other = present(100);
    const std::int64_t bytes = byteCount(*own.present->state) + byteCount(*other.present->state);
    train::Present both{
        own.present->state, {}, {{own.present->state, 0, true}, {other.present->state, 0, false}}};
    history.push("a", {std::make_shared<const train::Present>(both)});
    QCOMPARE(history.bytes(), bytes);
  }

  void measurementsCountAsWell() {
    UndoHistory history(kPlenty);
    auto state = std::make_shared<ModelState>();
    train::History measured;
    measured.steps.resize(1000);
    history.push("a",
                 {std::make_shared<const train::Present>(train::Present{state, measured, {}})});
    QVERIFY(history.bytes() >= std::int64_t(1000 * sizeof(train::StepMetrics)));
  }
};

TFM_TEST(TestUndoHistory)
#include "test_undo_history.moc"
