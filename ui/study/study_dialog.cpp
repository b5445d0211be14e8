// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_dialog.h"

#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>

#include "core/data/batches.h"
#include "core/io/atomic_file.h"
#include "ui/document/studies.h"
#include "ui/figure/save_path.h"
#include "ui/study/study_controls.h"
#include "ui/study/study_sizes.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {

StudyDialog::StudyDialog(Style& style, ModelDocument& document, BackgroundStudy* study,
                         const Kind& kind, QWidget* parent)
    : QDialog(parent),
      style_(style),
      base_(studyOf(document)),
      study_(study),
      about_(new SideZone(style, 300)),
      sizes_(new StudySizes(style, kind.seeds)),
      run_(new StudyControls(style, *study, kind.start)),
      table_(new Table(style, kind.columns)),
      middle_(columnOf(style, 12, {table_})),
      buttons_(rowOf(style, 12, {})),
      words_(wrappedLabel("sentence")),
      save_(new QPushButton(tr("Save table..."))) {
  study_->setParent(this);
  setWindowTitle(kind.title);
  sizes_->propose(base_.train.stop.steps, kind.steps);
  sizes_->offerEpochs([task = document.sharedTask(), framing = document.framing(),
                       batch_size = base_.train.batch_size](double epochs) {
    return data::stepsOfEpochs(*task, framing, epochs, batch_size);
  });
  run_->setPrimary();
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  words_->setAccessibleName(tr("Result"));
  save_->setAutoDefault(false);
  save_->setToolTip(tr("Every measurement of every run, separated by tabs"));

  addParts(buttons_, {{words_, 1}, {save_, 0, Qt::AlignBottom}});
  middle_->addLayout(buttons_);
  setLayout(rowOf(style_, 20, {columnOf(style_, 12, {{about_, 1}, sizes_, run_}), {middle_, 1}}));
  layout()->setContentsMargins(style_.px(20), style_.px(16), style_.px(20), style_.px(16));
  resize(style_.px(1160), style_.px(720));

  connect(run_, &StudyControls::startRequested, this, [this] {
    start();
    showOutcome();
  });
  connect(save_, &QPushButton::clicked, this, [this, file = kind.file] { saveTable(file); });
  connect(study_, &BackgroundStudy::advanced, this, &StudyDialog::showOutcome);
  connect(study_, &BackgroundStudy::finished, this, &StudyDialog::showOutcome);
  run_->button()->setFocus();
}

QSpinBox& StudyDialog::steps() const { return sizes_->steps(); }

QSpinBox& StudyDialog::seeds() const { return sizes_->seeds(); }

train::StudyConfig StudyDialog::config() const {
  train::StudyConfig config = base_;
  setRuns(config, steps().value(), seeds().value());
  return config;
}

void StudyDialog::reject() { study_->isRunning() ? run_->cancel() : QDialog::reject(); }

void StudyDialog::saveTable(const QString& proposal) {
  const QString path =
      askSavePath(this, {tr("Save the measurements"), proposal, tr("Tables (*.tsv)")}, "tsv");
  if (path.isEmpty()) return;
  try {
    io::writeFile(filePath(path), outcome().measurements);
    notifySaved(*this, path);
  } catch (const Error& problem) {
    QMessageBox::warning(this, windowTitle(), QString::fromStdString(problem.what()));
  }
}

void StudyDialog::showOutcome() {
  const Outcome now = outcome();
  const bool running = study_->isRunning();
  table_->setRows(now.rows);
  words_->setText(running && !now.words.isEmpty() ? tr("So far: %1").arg(now.words) : now.words);
  save_->setEnabled(!now.measurements.empty());
  sizes_->setEnabled(!running);
  run_->setIdle(now.can_start, now.idle, now.is_problem);
}

}  // namespace tfm::ui
