// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <memory>
#include <vector>

#include "ui/document/model_document.h"
#include "ui/document/screens.h"
#include "ui/style/style.h"
#include "ui/window/main_window.h"
#include "ui/window/settings.h"

class QMessageBox;

namespace tfm::ui {

class MessageBar;

/// The real window with its real look, document and settings in a folder of their own.
class WindowBench {
 public:
  WindowBench();
  /// Closes without asking.
  ~WindowBench();

  /// Another window with the same settings, as after a restart; it shows the demonstration.
  void restart();
  /// Shows the window and waits until it takes keys.
  bool showActive();
  /// Presses a key as a keyboard does: shortcuts first, then the focus widget.
  void key(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
  void type(const QString& text);

  QString path(const QString& name) const { return folder_.filePath(name); }
  /// Saves the demonstration under this name; returns its path.
  QString savedDemonstration(const QString& name);

  MainWindow& window() { return *window_; }
  ModelDocument& document() { return *document_; }
  Style& style() { return *style_; }
  Settings& settings() { return *settings_; }

 private:
  QTemporaryDir folder_;
  std::unique_ptr<QSettings> store_;
  std::unique_ptr<Settings> settings_;
  std::unique_ptr<Style> style_;
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<MainWindow> window_;
};

/// All screens of the window, in their order.
std::vector<int> screens();
/// "Train".
const char* screenName(int screen);

/// A test of the window, with a bench of its own for each test function.
class WindowTest : public QObject {
  Q_OBJECT

 private slots:
  void init() { setUp(); }

 protected:
  void setUp();
  /// Trains one step beyond what was opened.
  void change();

  MainWindow& window() { return bench_->window(); }
  ModelDocument& document() { return bench_->document(); }
  MessageBar& messages();

  std::unique_ptr<WindowBench> bench_;
};

/// Runs `work`, during which dialogs may open, and calls `answer` for each. Returns their number.
int withDialogs(const std::function<void()>& work, const std::function<void(QWidget&)>& answer);

/// Chooses the entry `text` of a menu of `window` and calls `look` for each dialog that it opens,
/// modal or not. `look` closes it.
void withDialogsOf(MainWindow& window, const char* text, const std::function<void(QWidget&)>& look);

/// An answer for withDialogs(): presses a button of a message box.
void press(QWidget& dialog, int standard_button);

}  // namespace tfm::ui
