// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <vector>

class QMainWindow;

namespace tfm::ui {

class Style;

struct ShortcutRow {
  QString keys;
  QString text;
  bool operator==(const ShortcutRow&) const = default;
};

/// Keys that work at the same place.
struct ShortcutGroup {
  QString title;
  std::vector<ShortcutRow> rows;
};

/// A screen of the window, whose keys make a group.
struct ShortcutScreen {
  QString name;
  const QWidget* view;
  std::vector<ShortcutRow> others;  ///< what its widgets answer to by themselves
};

/// The keys of a window's menus, of its screens and of its panels' corner menus, each once. A
/// QShortcut says what it does in whatsThis().
std::vector<ShortcutGroup> shortcutGroups(const QMainWindow& window,
                                          const std::vector<ShortcutScreen>& screens);

/// All keys of the window on one page.
class ShortcutDialog : public QDialog {
  Q_OBJECT

 public:
  ShortcutDialog(const Style& style, QMainWindow& window,
                 const std::vector<ShortcutScreen>& screens);
};

}  // namespace tfm::ui
