// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/waiting.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFutureWatcher>
#include <QProgressDialog>
#include <QTimer>
#include <chrono>

namespace tfm::ui {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kUnnoticed{800};
constexpr milliseconds kTick{200};

}  // namespace

bool waitFor(QWidget& window, const QString& what, const QFuture<void>& work) {
  QElapsedTimer since;
  since.start();
  QEventLoop loop;
  QFutureWatcher<void> watcher;
  QObject::connect(&watcher, &QFutureWatcher<void>::finished, &loop, &QEventLoop::quit);
  watcher.setFuture(work);
  QTimer::singleShot(kUnnoticed, &loop, &QEventLoop::quit);
  loop.exec(QEventLoop::ExcludeUserInputEvents);
  if (work.isFinished()) return true;

  QProgressDialog dialog(what, QCoreApplication::translate("tfm::ui::Waiting", "Cancel"), 0, 0,
                         &window);
  dialog.setWindowModality(Qt::WindowModal);
  dialog.setMinimumDuration(0);
  QObject::connect(&dialog, &QProgressDialog::canceled, &loop, &QEventLoop::quit);
  QTimer tick;
  QObject::connect(&tick, &QTimer::timeout, &dialog, [&] {
    dialog.setLabelText(QCoreApplication::translate("tfm::ui::Waiting", "%1\n%2 s")
                            .arg(what, QString::number(since.elapsed() / 1000)));
  });
  tick.start(kTick);
  dialog.show();
  loop.exec();
  return work.isFinished() && !dialog.wasCanceled();
}

}  // namespace tfm::ui
