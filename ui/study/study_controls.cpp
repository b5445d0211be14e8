// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_controls.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <cmath>

#include "ui/document/background_study.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

QString timeText(double seconds) {
  const auto whole = std::int64_t(std::ceil(seconds));
  if (whole < 60) return StudyControls::tr("about %1 s left").arg(whole);
  if (whole < 3600) return StudyControls::tr("about %1 min left").arg((whole + 59) / 60);
  return StudyControls::tr("about %1 h left").arg(QString::number(double(whole) / 3600, 'f', 1));
}

}  // namespace

StudyControls::StudyControls(const Style& style, BackgroundStudy& study, const QString& words,
                             QWidget* parent)
    : QWidget(parent),
      study_(study),
      words_(words),
      button_(new QPushButton),
      progress_(new QProgressBar),
      state_(wrappedLabel("muted")) {
  button_->setAutoDefault(false);
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("Progress of the study"));
  state_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  setLayout(columnOf(style, 6, {button_, progress_, state_}));
  connect(button_, &QPushButton::clicked, this, &StudyControls::startOrCancel);
  connect(&study_, &BackgroundStudy::advanced, this, &StudyControls::showState);
  connect(&study_, &BackgroundStudy::finished, this, &StudyControls::showState);
  showState();
}

void StudyControls::setIdle(bool possible, const QString& sentence, bool bad) {
  possible_ = possible;
  sentence_ = sentence;
  bad_ = bad;
  showState();
}

void StudyControls::setPrimary() {
  primary_ = true;
  button_->setAutoDefault(true);
  showState();
}

void StudyControls::cancel() {
  study_.cancel();
  showState();
}

void StudyControls::startOrCancel() {
  if (study_.isRunning()) return cancel();
  emit startRequested();
  showState();
}

void StudyControls::showState() {
  const bool running = study_.isRunning();
  button_->setText(running ? tr("Cancel") : words_);
  setRole(*button_, running ? "danger" : primary_ ? "primary" : "");
  button_->setEnabled(running ? !study_.isEnding() : possible_);
  progress_->setValue(int(1000 * study_.progress()));
  progress_->setVisible(running);
  setRole(*state_, study_.problem() || (!running && bad_) ? "bad" : "muted");
  if (const auto& problem = study_.problem())
    state_->setText(QString::fromStdString(problem->what()));
  else if (study_.isEnding())
    state_->setText(tr("Cancelling after the next measurement..."));
  else if (running)
    state_->setText(study_.secondsLeft() ? timeText(*study_.secondsLeft()) : tr("Preparing"));
  else
    state_->setText(sentence_);
}

}  // namespace tfm::ui
