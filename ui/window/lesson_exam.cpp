// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lesson_exam.h"

#include <QApplication>
#include <QDateTime>
#include <QWidget>
#include <algorithm>
#include <utility>

#include "ui/views/lesson/lesson_panel.h"

namespace tfm::ui {
namespace {

constexpr int kSecond = 1000;            // milliseconds
constexpr std::int64_t kSeenEvery = 10;  // seconds between records that one is there

QString clockText(std::int64_t seconds) {
  return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

}  // namespace

LessonExam::LessonExam(QWidget& window, LessonPanel& panel)
    : QObject(&window), window_(window), panel_(panel) {
  clock_.setInterval(kSecond);
  connect(&clock_, &QTimer::timeout, this, &LessonExam::tick);
  connect(qApp, &QGuiApplication::applicationStateChanged, this, &LessonExam::watch);
}

std::int64_t LessonExam::now() const {
  return std::max<std::int64_t>(0, QDateTime::currentSecsSinceEpoch() - panel_.progress().begun);
}

void LessonExam::begin() {
  lesson::Progress progress = panel_.progress();
  const bool goes_on = progress.begun > 0;
  if (!goes_on) progress.begun = QDateTime::currentSecsSinceEpoch();
  panel_.setProgress(progress);
  if (goes_on) recordAbsence(progress.seen);
  window_.setWindowState(window_.windowState() | Qt::WindowFullScreen);
  left_ = -1;
  clock_.start();
  emit running(true);
  tick();
}

void LessonExam::end() {
  if (!isRunning()) return;
  clock_.stop();
  lesson::Progress progress = panel_.progress();
  progress.seen = now();
  panel_.setProgress(progress);
  panel_.setClock({});
  window_.setWindowState(window_.windowState() & ~Qt::WindowFullScreen);
  emit running(false);
}

void LessonExam::tick() {
  const std::int64_t passed = now(), left = panel_.lesson().minutes * 60 - passed;
  if (panel_.lesson().minutes <= 0)
    panel_.setClock(clockText(passed));
  else if (left >= 0)
    panel_.setClock(clockText(left));
  else
    panel_.setClock(tr("%1 over").arg(clockText(-left)));
  if (left_ >= 0 || passed < panel_.progress().seen + kSeenEvery) return;
  lesson::Progress progress = panel_.progress();
  progress.seen = passed;
  panel_.setProgress(progress);
}

void LessonExam::watch(Qt::ApplicationState state) {
  if (!isRunning()) return;
  if (state != Qt::ApplicationActive && left_ < 0)
    left_ = now();
  else if (state == Qt::ApplicationActive && left_ >= 0)
    recordAbsence(std::exchange(left_, -1));
}

void LessonExam::recordAbsence(std::int64_t since) {
  lesson::Progress progress = panel_.progress();
  progress.seen = now();
  progress.absences.push_back({since, std::max<std::int64_t>(1, progress.seen - since)});
  panel_.setProgress(progress);
}

}  // namespace tfm::ui
