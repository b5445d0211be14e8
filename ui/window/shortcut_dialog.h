// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <vector>

#include "ui/style/forward.h"

namespace tfm::ui {

struct ShortcutRow {
  QString keys;
  QString text;
  bool operator==(const ShortcutRow&) const = default;
};

/// Keys that work in the same place.
struct ShortcutGroup {
  QString title;
  std::vector<ShortcutRow> rows;
};

/// A screen of the window, whose keys form a group.
struct ShortcutScreen {
  QString name;
  const QWidget* view;
  std::vector<ShortcutRow> others;  ///< keys handled by its widgets directly
};

/// The keys of a window's menus, screens and corner menus, each once. The whatsThis() of a
/// QShortcut describes it.
std::vector<ShortcutGroup> shortcutGroups(const QMainWindow& window,
                                          const std::vector<ShortcutScreen>& screens);

/// Lists all keys of the window.
class ShortcutDialog : public QDialog {
  Q_OBJECT

 public:
  ShortcutDialog(const Style& style, QMainWindow& window,
                 const std::vector<ShortcutScreen>& screens);
};

}  // namespace tfm::ui
