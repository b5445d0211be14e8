// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shortcut_dialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>
#include <QTableWidget>
#include <algorithm>

#include "ui/style/style.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

QString keysOf(const QList<QKeySequence>& all) {
  QStringList texts;
  for (const QKeySequence& keys : all) texts << keys.toString(QKeySequence::NativeText);
  return texts.join(QStringLiteral(", "));
}

QString withoutLetter(QString text) {
  text.remove('&');
  while (text.endsWith('.') || text.endsWith(QChar(0x2026))) text.chop(1);
  return text;
}

void add(ShortcutGroup& group, const ShortcutRow& row) {
  if (row.keys.isEmpty() || row.text.isEmpty()) return;
  if (std::find(group.rows.begin(), group.rows.end(), row) == group.rows.end())
    group.rows.push_back(row);
}

ShortcutRow rowOf(const QAction& action) {
  return {keysOf(action.shortcuts()), withoutLetter(action.text())};
}

ShortcutRow rowOf(const QShortcut& shortcut) {
  return {keysOf({shortcut.key()}), shortcut.whatsThis()};
}

void addMenu(ShortcutGroup& group, const QList<QAction*>& entries, QList<const QAction*>& known) {
  for (const QAction* entry : entries) {
    known << entry;
    if (entry->menu() != nullptr)
      addMenu(group, entry->menu()->actions(), known);
    else
      add(group, rowOf(*entry));
  }
}

QTableWidgetItem* headOf(const ShortcutGroup& group, const Style& style) {
  auto* item = new QTableWidgetItem(group.title);
  item->setFont(style.labelFont());
  item->setForeground(style.palette().muted);
  item->setFlags(Qt::NoItemFlags);
  return item;
}

}  // namespace

std::vector<ShortcutGroup> shortcutGroups(const QMainWindow& window,
                                          const std::vector<ShortcutScreen>& screens) {
  ShortcutGroup anywhere{ShortcutDialog::tr("Anywhere"), {}};
  QList<const QAction*> in_menus;
  addMenu(anywhere, window.menuBar()->actions(), in_menus);
  add(anywhere, {ShortcutDialog::tr("Tab"), ShortcutDialog::tr("Go to the next control")});

  std::vector<ShortcutGroup> groups;
  for (const ShortcutScreen& screen : screens) groups.push_back({screen.name, {}});
  for (const QShortcut* shortcut : window.findChildren<QShortcut*>()) {
    ShortcutGroup* group = &anywhere;
    for (std::size_t i = 0; i < screens.size(); ++i) {
      const auto* owner = qobject_cast<const QWidget*>(shortcut->parent());
      if (owner != nullptr && (owner == screens[i].view || screens[i].view->isAncestorOf(owner)))
        group = &groups[i];
    }
    add(*group, rowOf(*shortcut));
  }
  for (std::size_t i = 0; i < screens.size(); ++i)
    for (const ShortcutRow& row : screens[i].others) add(groups[i], row);

  ShortcutGroup panels{ShortcutDialog::tr("In a panel or figure"), {}};
  for (const QAction* action : window.findChildren<QAction*>())
    if (!in_menus.contains(action)) add(panels, rowOf(*action));

  groups.insert(groups.begin(), std::move(anywhere));
  groups.push_back(std::move(panels));
  std::erase_if(groups, [](const ShortcutGroup& group) { return group.rows.empty(); });
  return groups;
}

ShortcutDialog::ShortcutDialog(const Style& style, QMainWindow& window,
                               const std::vector<ShortcutScreen>& screens)
    : QDialog(&window) {
  setWindowTitle(tr("Keyboard shortcuts"));
  auto* table = new QTableWidget(0, 2);
  table->setAccessibleName(windowTitle());
  table->horizontalHeader()->hide();
  table->verticalHeader()->hide();
  table->setShowGrid(false);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  for (const ShortcutGroup& group : shortcutGroups(window, screens)) {
    const int head = table->rowCount();
    table->insertRow(head);
    table->setItem(head, 0, headOf(group, style));
    table->setSpan(head, 0, 1, 2);
    table->setRowHeight(head, style.px(40));
    for (const ShortcutRow& row : group.rows) {
      const int at = table->rowCount();
      table->insertRow(at);
      table->setItem(at, 0, new QTableWidgetItem(row.keys));
      table->setItem(at, 1, new QTableWidgetItem(row.text));
      table->setRowHeight(at, style.px(26));
    }
  }
  table->resizeColumnToContents(0);
  table->setColumnWidth(0, table->columnWidth(0) + style.px(20));
  table->horizontalHeader()->setStretchLastSection(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  addParts(new QVBoxLayout(this), {table, buttons});
  resize(style.px(620), style.px(640));
}

}  // namespace tfm::ui
