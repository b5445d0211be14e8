// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/window_bench.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QTimer>
#include <QWindow>
#include <numeric>

#include "ui/document/demonstration.h"
#include "ui/widgets/message_bar.h"

namespace tfm::ui {

std::vector<int> screens() {
  std::vector<int> values(kScreens.size());
  std::iota(values.begin(), values.end(), 0);
  return values;
}

const char* screenName(int screen) { return kScreens[std::size_t(screen)].name.data(); }

WindowBench::WindowBench() { restart(); }

WindowBench::~WindowBench() {
  if (window_) window_->setUnattended(true);
}

void WindowBench::restart() {
  if (window_) {
    window_->setUnattended(true);
    window_->close();
  }
  window_.reset();
  document_.reset();
  style_.reset();
  settings_.reset();
  store_ = std::make_unique<QSettings>(path("settings.ini"), QSettings::IniFormat);
  settings_ = std::make_unique<Settings>(*store_);
  style_ = std::make_unique<Style>(*qApp);
  style_->setTheme(settings_->theme());
  style_->setScale(settings_->scale());
  style_->setMotion(settings_->motion());
  document_ = std::make_unique<ModelDocument>(1);
  window_ = std::make_unique<MainWindow>(*style_, *document_, *settings_);
  window_->openDemonstration();
}

bool WindowBench::showActive() {
  window_->show();
  window_->activateWindow();
  return QTest::qWaitForWindowActive(window_.get());
}

void WindowBench::key(int key, Qt::KeyboardModifiers modifiers) {
  QTest::keyClick(window_->windowHandle(), Qt::Key(key), modifiers);
  QApplication::processEvents();
}

void WindowBench::type(const QString& text) {
  for (const QChar c : text) QTest::keyClick(window_->windowHandle(), c.toLatin1());
  QApplication::processEvents();
}

QString WindowBench::savedDemonstration(const QString& name) {
  ModelDocument document(1);
  document.adopt(demonstration());
  document.save(path(name));
  return path(name);
}

void WindowTest::setUp() {
  bench_.reset();  // first: a new style would be applied to the former window, too
  bench_ = std::make_unique<WindowBench>();
  QVERIFY(bench_->showActive());
}

void WindowTest::change() {
  const std::int64_t step = document().training().step();
  document().training().stepOnce();
  QTRY_COMPARE(document().training().step(), step + 1);
  QVERIFY(document().files().isModified());
}

MessageBar& WindowTest::messages() { return *window().findChild<MessageBar*>(); }

int withDialogs(const std::function<void()>& work, const std::function<void(QWidget&)>& answer) {
  int count = 0;
  QTimer look;
  QObject::connect(&look, &QTimer::timeout, &look, [&] {
    QWidget* dialog = QApplication::activeModalWidget();
    if (dialog == nullptr) return;
    ++count;
    answer(*dialog);
  });
  look.start(20);
  work();
  return count;
}

void withDialogsOf(MainWindow& window, const char* text,
                   const std::function<void(QWidget&)>& look) {
  const auto choose = [&] {
    for (QAction* action : window.findChildren<QAction*>())
      if (action->text() == QLatin1String(text)) action->trigger();
    QTest::qWait(50);
    // While one is looked at, another one may be deleted: a tooltip or a list of choices.
    std::vector<QPointer<QWidget>> dialogs;
    for (QWidget* top : QApplication::topLevelWidgets())
      if (top != &window && qobject_cast<QDialog*>(top) != nullptr) dialogs.emplace_back(top);
    for (const QPointer<QWidget>& dialog : dialogs)
      if (dialog != nullptr && dialog->isVisible()) look(*dialog);
  };
  withDialogs(choose, look);
}

void press(QWidget& dialog, int standard_button) {
  auto* box = qobject_cast<QMessageBox*>(&dialog);
  QVERIFY(box != nullptr);
  QAbstractButton* button = box->button(QMessageBox::StandardButton(standard_button));
  QVERIFY(button != nullptr);
  button->click();
}

}  // namespace tfm::ui
