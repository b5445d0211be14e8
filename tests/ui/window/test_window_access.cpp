// SPDX-License-Identifier: GPL-3.0-or-later
// The window without a mouse: every command has a text and its own keys, every control has a name,
// and Tab reaches all of them.
#include <QAbstractButton>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QButtonGroup>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSet>
#include <QShortcut>
#include <QSplitter>
#include <QTableWidget>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"
#include "ui/figure/explanation_pane.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

/// A shortcut and the widget where it works.
struct Key {
  QKeySequence keys;
  const QWidget* place;  ///< null: anywhere in the window
  QString what;
};

QString describe(const QWidget& widget) {
  QStringList path;
  for (const QWidget* w = &widget; w != nullptr && !w->isWindow(); w = w->parentWidget()) {
    const QString name = w->metaObject()->className();
    if (w == &widget || name.startsWith("tfm::")) path.prepend(name);
  }
  QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(
      const_cast<QWidget*>(&widget));  // which it does not change
  return path.join(" / ") + " '" + spoken->text(QAccessible::Name) + "'";
}

const QWidget* placeOf(Qt::ShortcutContext context, const QObject* owner) {
  const bool local = context == Qt::WidgetShortcut || context == Qt::WidgetWithChildrenShortcut;
  const QObject* place = owner;
  while (place != nullptr && !place->isWidgetType()) place = place->parent();
  return local ? static_cast<const QWidget*>(place) : nullptr;
}

bool meet(const Key& a, const Key& b) {
  if (a.keys != b.keys) return false;
  if (a.place == nullptr || b.place == nullptr || a.place == b.place) return true;
  return a.place->isAncestorOf(b.place) || b.place->isAncestorOf(a.place);
}

bool takesTab(const QWidget& widget) {
  return widget.isVisible() && widget.isEnabled() && (widget.focusPolicy() & Qt::TabFocus) != 0 &&
         widget.focusProxy() == nullptr;
}

/// In an exclusive group, Tab goes to the selected one and arrows to the others.
bool isReachedByArrows(const QWidget& widget) {
  const auto* button = qobject_cast<const QAbstractButton*>(&widget);
  return button != nullptr && button->group() != nullptr && button->group()->exclusive() &&
         button->isCheckable() && !button->isChecked();
}

}  // namespace

class TestWindowAccess : public WindowTest {
  Q_OBJECT

 private slots:
  void init() {
    setUp();
    QTRY_VERIFY(bench_->document().observing().snapshot());
  }

  void everyCommandHasAText() {
    for (const QMenu* menu : window().findChildren<QMenu*>())
      for (const QAction* action : menu->actions())
        QVERIFY2(action->isSeparator() || !action->text().isEmpty(), qPrintable(menu->title()));
  }

  void noIconReplacesACheckMark() {
    int marks = 0;
    for (const QMenu* menu : window().findChildren<QMenu*>())
      for (const QAction* action : menu->actions()) {
        if (!action->isCheckable()) continue;
        ++marks;
        QVERIFY2(action->icon().isNull(), qPrintable(action->text()));
      }
    QVERIFY(marks >= 6);  // three themes, projector, motion, full screen
  }

  void everyScreenIsUsableWithoutAMouse_data() {
    QTest::addColumn<int>("screen");
    for (const int screen : tfm::ui::screens()) QTest::newRow(screenName(screen)) << screen;
  }
  void everyScreenIsUsableWithoutAMouse() {
    QFETCH(int, screen);
    window().showScreen(screen);
    QTest::qWait(50);
    noTwoCommandsShareTheirKeys();
    everyControlHasAName();
    noBarButtonIsMouseOnly();
    tabReachesEveryControl();
  }

  void theListOfShortcutsHasEveryKeyOnceInEachGroup() {
    QStringList rows;
    int groups = 0;
    const auto read = [&](QWidget& dialog) {
      const auto* table = dialog.findChild<QTableWidget*>();
      QVERIFY(table != nullptr);
      for (int row = 0; row < table->rowCount(); ++row) {
        if (table->columnSpan(row, 0) > 1)
          ++groups;
        else
          rows << QString::number(groups) + ' ' + table->item(row, 0)->text();
      }
      dialog.close();
    };
    QCOMPARE(withDialogs([&] { bench_->key(Qt::Key_F1, Qt::ControlModifier); }, read), 1);
    QVERIFY(groups >= 5);
    QSet<QString> once(rows.begin(), rows.end());
    QCOMPARE(once.size(), rows.size());
    QStringList missing;
    const auto listed = [&](const QKeySequence& keys) {
      const QString text = keys.toString(QKeySequence::NativeText);
      return std::any_of(rows.begin(), rows.end(), [&](const QString& row) {
        return row.section(' ', 1).split(", ").contains(text);
      });
    };
    for (const QShortcut* shortcut : window().findChildren<QShortcut*>())
      if (!listed(shortcut->key())) missing += shortcut->key().toString();
    for (const QAction* action : window().findChildren<QAction*>())
      for (const QKeySequence& keys : action->shortcuts())
        if (!listed(keys)) missing += action->text() + keys.toString();
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
    QVERIFY(!listed(QKeySequence("Ctrl+Alt+F12")));  // the control
  }

  void equalsEnlargesLikePlus() {
    const double scale = bench_->style().scale();
    bench_->key(Qt::Key_Equal, Qt::ControlModifier);
    QVERIFY(bench_->style().scale() > scale);
    bench_->key(Qt::Key_Minus, Qt::ControlModifier);
    QVERIFY(std::abs(bench_->style().scale() - scale) < 1e-9);
    bench_->key(Qt::Key_Plus, Qt::ControlModifier);
    QVERIFY(bench_->style().scale() > scale);
  }

  /// Panels stand inside panels, each with a menu of its own: the key is that of the nearest.
  void aKeyIsNotAmbiguousWhereverTheFocusIs_data() { everyScreenIsUsableWithoutAMouse_data(); }
  void aKeyIsNotAmbiguousWhereverTheFocusIs() {
    QFETCH(int, screen);
    QTest::failOnWarning(QRegularExpression("Ambiguous"));
    window().showScreen(screen);
    QTest::qWait(50);
    auto& pane = *window().findChild<ExplanationPane*>();
    int tried = 0;
    for (QWidget* widget : window().findChildren<QWidget*>()) {
      if (!takesTab(*widget)) continue;
      widget->setFocus();
      if (!widget->hasFocus()) continue;
      ++tried;
      bench_->key(Qt::Key_F1);
      QVERIFY2(pane.isVisible(), qPrintable(describe(*widget)));
      pane.findChild<QToolButton*>()->click();
      QTRY_VERIFY(!pane.isVisible());
    }
    QVERIFY(tried > 10);
  }

  void noTwoEntriesOfAMenuShareTheirLetter() {
    for (const QMenu* menu : window().findChildren<QMenu*>()) {
      QSet<QString> letters;
      for (const QAction* action : menu->actions()) {
        const QString letter = QKeySequence::mnemonic(action->text()).toString();
        if (letter.isEmpty()) continue;
        QVERIFY2(!letters.contains(letter), qPrintable(menu->title() + ": " + action->text()));
        letters.insert(letter);
      }
    }
  }

  void tabScrollsToHiddenControls() {
    bench_->key(Qt::Key_2);
    window().resize(1280, 720);
    for (int i = 0; i < 80; ++i) {
      bench_->key(Qt::Key_Tab);
      const QWidget* focus = QApplication::focusWidget();
      if (focus == &window() || qobject_cast<const QSplitter*>(focus) != nullptr) continue;
      QVERIFY2(!focus->visibleRegion().isEmpty(), qPrintable(describe(*focus)));
    }
  }

 private:
  void noTwoCommandsShareTheirKeys() {
    std::vector<Key> keys;
    for (const QAction* action : window().findChildren<QAction*>())
      for (const QKeySequence& each : action->shortcuts())
        keys.push_back(
            {each, placeOf(action->shortcutContext(), action->parent()), action->text()});
    for (const QShortcut* shortcut : window().findChildren<QShortcut*>()) {
      const auto* owner = qobject_cast<const QWidget*>(shortcut->parent());
      if (owner == nullptr || !owner->isVisible()) continue;
      keys.push_back({shortcut->key(), placeOf(shortcut->context(), owner), describe(*owner)});
    }
    for (const QLabel* label : window().findChildren<QLabel*>()) {
      const QKeySequence mnemonic = QKeySequence::mnemonic(label->text());
      if (label->isVisible() && label->buddy() != nullptr && !mnemonic.isEmpty())
        keys.push_back({mnemonic, nullptr, label->text()});
    }
    for (const QAction* menu : window().menuBar()->actions())
      keys.push_back({QKeySequence::mnemonic(menu->text()), nullptr, menu->text()});
    QVERIFY(keys.size() > 20);
    QStringList shared;
    for (std::size_t i = 0; i < keys.size(); ++i)
      for (std::size_t j = i + 1; j < keys.size(); ++j)
        if (meet(keys[i], keys[j]))
          shared += keys[i].keys.toString() + ": " + keys[i].what + " and " + keys[j].what;
    QVERIFY2(shared.isEmpty(), qPrintable(shared.join('\n')));
  }

  void everyControlHasAName() {
    QStringList nameless;
    for (QWidget* widget : window().findChildren<QWidget*>()) {
      if (!widget->isVisible() || (widget->focusPolicy() & Qt::TabFocus) == 0) continue;
      QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(widget);
      QVERIFY2(spoken != nullptr, qPrintable(describe(*widget)));
      if (spoken->text(QAccessible::Name).isEmpty()) nameless += describe(*widget);
    }
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join('\n')));
  }

  void noBarButtonIsMouseOnly() {
    QStringList unreachable;
    for (const auto* button : window().findChildren<QAbstractButton*>())
      if (button->isVisible() && (button->focusPolicy() & Qt::TabFocus) == 0 &&
          !isReachedByArrows(*button))
        unreachable += describe(*button);
    QVERIFY2(unreachable.isEmpty(), qPrintable(unreachable.join('\n')));
  }

  void tabReachesEveryControl() {
    QSet<const QWidget*> reached;
    window().setFocus();
    constexpr int kMaxControls = 300;
    for (int i = 0; i < kMaxControls; ++i) {
      bench_->key(Qt::Key_Tab);
      const QWidget* focus = QApplication::focusWidget();
      QVERIFY(focus != nullptr);
      reached.insert(focus);
    }
    QVERIFY(reached.size() > 10);
    QStringList missed;
    for (const QWidget* widget : window().findChildren<QWidget*>())
      if (takesTab(*widget) && !isReachedByArrows(*widget) && !reached.contains(widget))
        missed += describe(*widget);
    QVERIFY2(missed.isEmpty(), qPrintable(missed.join('\n')));
  }
};

TFM_TEST(TestWindowAccess)
#include "test_window_access.moc"
