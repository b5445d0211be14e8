// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/wiring_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/document/studies.h"
#include "ui/study/save_table.h"
#include "ui/study/study_run.h"
#include "ui/study/study_sizes.h"
#include "ui/style/style.h"
#include "ui/views/elastic/wiring_table.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/section.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {
namespace {

constexpr int kSteps = 500;
constexpr std::int64_t kExamples = 1000;

QLabel* paragraph(const char* role, const QString& text = {}) {
  QLabel* label = wrappedLabel(role, text);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

}  // namespace

WiringDialog::WiringDialog(Style& style, ModelDocument& document, QWidget* parent)
    : QDialog(parent),
      style_(style),
      base_(studyOf<train::WiringStudyConfig>(document)),
      study_(new WiringStudy(this)) {
  setWindowTitle(tr("The notebook's wiring"));
  base_.examples = kExamples;
  auto* zone = new SideZone(style_, 340);
  zone->add(makeNote());
  auto* left = new QVBoxLayout;
  left->setSpacing(style_.px(12));
  left->addWidget(zone, 1);
  left->addWidget(makeRun());
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(style_.px(20), style_.px(16), style_.px(20), style_.px(16));
  row->setSpacing(style_.px(24));
  row->addLayout(left);
  row->addWidget(makeOutcome(), 1);
  resize(style_.px(1160), style_.px(620));
  connect(run_, &StudyRun::startAsked, this, [this] {
    study_->start(config());
    showResult();
  });
  connect(study_, &WiringStudy::advanced, this, &WiringDialog::showResult);
  connect(study_, &WiringStudy::finished, this, &WiringDialog::showResult);
  showResult();
  run_->button()->setFocus();
}

Section* WiringDialog::makeNote() {
  auto* section =
      new Section(style_, tr("What is wrong with it"),
                  tr("A well-known notebook wires nested models unlike the paper (Devvrit et al. "
                     "2023). Its wiring is rebuilt here to be measured, not to be used."));
  for (const QString& text :
       {tr("<b>It looks at the other texts.</b> Attention runs over the texts of a batch, one "
           "position at a time, and never over the words of a text. An answer depends on what "
           "else is asked."),
        tr("<b>Its attention is never trained.</b> It stands in a plain Python list, where neither "
           "the optimizer nor the file finds it: a model that is opened again has another one."),
        tr("<b>Its sizes are not nested.</b> Each has attention and norms of its own."),
        tr("<b>One feed-forward serves all layers</b>, and begins with values of deviation 1."),
        tr("<b>Padding counts.</b> The mean is over all positions, those without a word too.")})
    section->add(paragraph("", text));
  return section;
}

QWidget* WiringDialog::makeRun() {
  auto* group = new QWidget;
  const std::int64_t stop = base_.train.stop.steps;
  sizes_ = new StudySizes(
      style_, stop > 0 ? int(std::min<std::int64_t>(stop, StudySizes::kMaxSteps)) : kSteps);
  run_ = new StudyRun(style_, *study_, tr("Train both"));
  run_->setPrimary();
  auto* column = new QVBoxLayout(group);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(sizes_);
  column->addWidget(run_);
  return group;
}

QWidget* WiringDialog::makeOutcome() {
  auto* group = new QWidget;
  QLabel* explanation = paragraph(
      "muted",
      tr("Both are trained with the joint loss of all sizes, with the same examples, learning rate "
         "and steps, and asked held-out texts in batches as large as in training. Percentages are "
         "of right answers, in the last column of answers that change."));
  table_ = new WiringTable(style_);
  outcome_ = paragraph("sentence");
  outcome_->setAccessibleName(tr("What came out"));
  save_ = new QPushButton(tr("Save table..."));
  save_->setAutoDefault(false);
  save_->setToolTip(tr("Every measurement of every seed, separated by tabs"));
  connect(save_, &QPushButton::clicked, this, [this] {
    if (study_->result()) saveTable(this, tr("wiring.tsv"), train::toTsv(*study_->result()));
  });
  auto* foot = new QHBoxLayout;
  foot->addWidget(outcome_, 1);
  foot->addWidget(save_, 0, Qt::AlignBottom);
  auto* column = new QVBoxLayout(group);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(style_.px(10));
  column->addWidget(explanation);
  column->addWidget(table_, 1);
  column->addLayout(foot);
  return group;
}

QSpinBox& WiringDialog::steps() const { return sizes_->steps(); }

QSpinBox& WiringDialog::seeds() const { return sizes_->seeds(); }

train::WiringStudyConfig WiringDialog::config() const {
  train::WiringStudyConfig config = base_;
  setRuns(config, steps().value(), seeds().value());
  return config;
}

void WiringDialog::reject() { study_->isRunning() ? run_->cancel() : QDialog::reject(); }

void WiringDialog::showResult() {
  const auto& result = study_->result();
  sizes_->setEnabled(!study_->isRunning());
  table_->setResult(result ? *result : train::WiringStudyResult{});
  outcome_->setText(result ? outcomeText(*result) : QString());
  save_->setEnabled(result && !result->points.empty());
  const bool cancelled = result && result->cancelled;
  run_->setIdle(true, cancelled ? tr("Cancelled: the table is incomplete.")
                      : result  ? tr("Done.")
                                : tr("About twice the time of a training."));
}

}  // namespace tfm::ui
