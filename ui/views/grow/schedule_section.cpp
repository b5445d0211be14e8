// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/schedule_section.h"

#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "core/expand/change.h"
#include "ui/document/model_document.h"
#include "ui/figure/number_box.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {

ScheduleSection::ScheduleSection(const Style& style, ModelDocument& document, QWidget* parent)
    : Section(style, tr("Schedule"), tr("Expansions that training applies by itself."), parent),
      document_(document) {
  auto* list = new QWidget;
  column_ = bareLayout<QVBoxLayout>(list);
  auto* clear = new QPushButton(tr("Remove all"));
  add(list);
  add(clear);
  connect(clear, &QPushButton::clicked, this, &ScheduleSection::takeAllOut);
  connect(&document_.training(), &Training::configChanged, this, &ScheduleSection::showSchedule);
  connect(&document_, &ModelDocument::replaced, this, &ScheduleSection::showSchedule);
  connect(&document_.observing(), &Observing::snapshotChanged, this,
          &ScheduleSection::showSchedule);
  hide();
}

bool ScheduleSection::ask(const expand::Plan& plan) {
  const int now = int(document_.training().step());
  NumberDialog dialog(tr("Grow later"), tr("Apply after step"), this);
  dialog.box().setRange(now, std::numeric_limits<int>::max());
  dialog.box().setSingleStep(100);
  dialog.box().setValue(now + 100);
  if (dialog.exec() != QDialog::Accepted) return false;
  const int step = dialog.box().value();
  train::TrainConfig training = document_.training().config();
  for (const expand::Growth& growth : plan) training.growths.push_back({step, growth});
  std::stable_sort(training.growths.begin(), training.growths.end(),
                   [](const auto& a, const auto& b) { return a.step < b.step; });
  document_.training().setConfig(training);
  return true;
}

std::vector<ScheduleSection::Line> ScheduleSection::lines() const {
  ModelConfig model = document_.training().model();
  std::vector<Line> lines;
  const auto& growths = document_.training().config().growths;
  for (std::size_t i = 0; i < growths.size(); ++i) {
    const train::ScheduledGrowth& g = growths[i];
    if (g.step < document_.training().step()) continue;
    lines.push_back({tr("after step %1: %2")
                         .arg(g.step)
                         .arg(QString::fromStdString(expand::describe(g.growth, model))),
                     int(i)});
    try {
      model = expand::outlineGrowth(model, g.growth).after;
    } catch (const Error&) {
      // Training will report the problem when it is due.
    }
  }
  return lines;
}

void ScheduleSection::showSchedule() {
  std::vector<Line> now = lines();
  if (now == lines_) return;
  lines_ = std::move(now);
  setVisible(!lines_.empty());
  // deleteLater(), since this may be called from a button's signal.
  while (QLayoutItem* item = column_->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  for (const Line& line : lines_) {
    auto* row = new QWidget;
    auto* out = pushButton(tr("Remove"), {}, "small");
    out->setAccessibleName(tr("Remove: %1").arg(line.text));
    out->setFocusPolicy(Qt::TabFocus);
    row->setLayout(rowOf({{wrappedLabel("", line.text), 1}, out}));
    connect(out, &QPushButton::clicked, this, [this, growth = line.growth] { takeOut(growth); });
    column_->addWidget(row);
  }
}

void ScheduleSection::takeOut(int growth) {
  train::TrainConfig training = document_.training().config();
  if (growth < 0 || growth >= int(training.growths.size())) return;
  training.growths.erase(training.growths.begin() + growth);
  document_.training().setConfig(training);
}

void ScheduleSection::takeAllOut() {
  train::TrainConfig training = document_.training().config();
  training.growths.clear();
  document_.training().setConfig(training);
}

}  // namespace tfm::ui
