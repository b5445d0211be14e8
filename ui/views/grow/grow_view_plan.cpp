// SPDX-License-Identifier: GPL-3.0-or-later
// Actions of the user on the plan; grow_view.cpp shows it.
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QLocale>
#include <QStackedWidget>
#include <algorithm>
#include <limits>

#include "core/io/atomic_file.h"
#include "core/io/text_file.h"
#include "ui/figure/save_path.h"
#include "ui/growth/growth_film.h"
#include "ui/growth/growth_map.h"
#include "ui/growth/growth_pair.h"
#include "ui/growth/growth_wall.h"
#include "ui/scene/matrix_wall.h"
#include "ui/style/palette.h"
#include "ui/views/grow/film_in_space.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/grow/growth_export.h"
#include "ui/views/grow/growth_form.h"
#include "ui/views/grow/growth_words.h"
#include "ui/views/grow/schedule_list.h"
#include "ui/views/grow/study_dialog.h"
#include "ui/views/grow/suggestion.h"
#include "ui/widgets/section.h"

namespace tfm::ui {

const expand::Change* GrowView::selectedChange() const {
  const auto& preview = planner_->preview();
  if (!preview || selected_ < 0 || selected_ >= int(preview->changes().size())) return nullptr;
  return &preview->changes()[std::size_t(selected_)];
}

void GrowView::choose(expand::Kind kind) {
  document_.moments().showNow();
  expand::Plan plan = planner_->plan();
  const auto planned = std::find_if(plan.begin(), plan.end(),
                                    [&](const expand::Growth& g) { return g.kind == kind; });
  if (planned != plan.end()) return select(int(planned - plan.begin()));
  const auto& preview = planner_->preview();
  const bool ready = planner_->isCurrent() && !planner_->problem();
  plan.push_back(
      suggestedGrowth(kind, ready ? preview->after().config : document_.training().model()));
  selected_ = int(plan.size()) - 1;
  planner_->setPlan(std::move(plan));
}

void GrowView::select(int growth) {
  selected_ = std::clamp(growth, -1, int(planner_->plan().size()) - 1);
  showPlan();
  if (!shown_ || growing_) return;
  showMatrix(firstOfSelected());
  showCell({});
}

void GrowView::editSelected() {
  if (selected_ < 0 || selected_ >= int(planner_->plan().size())) return;
  expand::Plan plan = planner_->plan();
  expand::Growth& growth = plan[std::size_t(selected_)];
  const expand::Break broken = growth.broken;
  growth = form_->growth();
  growth.broken = broken;
  planner_->setPlan(std::move(plan));
}

void GrowView::breakSelected(expand::Break broken) {
  if (selected_ < 0 || selected_ >= int(planner_->plan().size())) return;
  expand::Plan plan = planner_->plan();
  plan[std::size_t(selected_)].broken = broken;
  planner_->setPlan(std::move(plan));
}

void GrowView::removeAt(int growth) {
  expand::Plan plan = planner_->plan();
  if (growth < 0 || growth >= int(plan.size())) return;
  plan.erase(plan.begin() + growth);
  selected_ = std::min(growth, int(plan.size()) - 1);
  planner_->setPlan(std::move(plan));
}

void GrowView::move(int from, int to) {
  expand::Plan plan = planner_->plan();
  const expand::Growth growth = plan[std::size_t(from)];
  plan.erase(plan.begin() + from);
  plan.insert(plan.begin() + to, growth);
  selected_ = to;
  planner_->setPlan(std::move(plan));
}

void GrowView::schedule() {
  if (planner_->plan().empty()) return;
  const int now = int(document_.training().step());
  bool chosen = false;
  const int step = QInputDialog::getInt(this, tr("Grow later"), tr("Apply after step"), now + 100,
                                        now, std::numeric_limits<int>::max(), 100, &chosen);
  if (!chosen) return;
  train::TrainConfig training = document_.training().config();
  for (const expand::Growth& growth : planner_->plan()) training.growths.push_back({step, growth});
  std::stable_sort(training.growths.begin(), training.growths.end(),
                   [](const auto& a, const auto& b) { return a.step < b.step; });
  document_.training().setConfig(training);
  planner_->setPlan({});
}

void GrowView::showSchedule() {
  ModelConfig model = document_.training().model();
  std::vector<ScheduleList::Line> lines;
  const auto& growths = document_.training().config().growths;
  for (std::size_t i = 0; i < growths.size(); ++i) {
    const train::ScheduledGrowth& g = growths[i];
    if (g.step < document_.training().step()) continue;
    lines.push_back({tr("after step %L1: %2")
                         .arg(g.step)
                         .arg(QString::fromStdString(expand::describe(g.growth, model))),
                     int(i)});
    try {
      model = expand::outlineGrowth(model, g.growth).after;
    } catch (const Error&) {
      // Training will report the problem when it is due.
    }
  }
  schedule_->setLines(lines);
  schedule_section_->setVisible(!lines.empty());
}

void GrowView::takeFromSchedule(int growth) {
  train::TrainConfig training = document_.training().config();
  if (growth < 0 || growth >= int(training.growths.size())) return;
  training.growths.erase(training.growths.begin() + growth);
  document_.training().setConfig(training);
}

void GrowView::openPlan(const QString& path) {
  try {
    const std::string file = path.toStdString();
    expand::Plan plan = expand::planFromJson(io::readTextFile(file), file);
    selected_ = 0;
    planner_->setPlan(std::move(plan));
  } catch (const Error& problem) {
    emit failed(problem);
  }
}

void GrowView::savePlan(const QString& path) {
  try {
    io::writeFile(path.toStdString(), expand::toJson(planner_->plan()));
    emit saved(tr("Plan saved"), path);
  } catch (const Error& problem) {
    emit failed(problem);
  }
}

void GrowView::askForPlan() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Open a plan"), {},
                                                    tr("Plans (*.json);;All files (*)"));
  if (!path.isEmpty()) openPlan(path);
}

void GrowView::askWhereToSave() {
  const QString path = askSavePath(
      this, {tr("Save the plan"), tr("plan.json"), tr("Plans (*.json)")}, QStringLiteral("json"));
  if (!path.isEmpty()) savePlan(path);
}

void GrowView::openStudy() {
  if (document_.task() == nullptr) return document_.training().wantTask();
  auto* study = new StudyDialog(style_, document_, planner_->plan(), this);
  study->setAttribute(Qt::WA_DeleteOnClose);
  study->show();
}

void GrowView::exportAnimation() {
  if (!described()) return;
  try {
    const QString path = exportFilm(*this, [this](const QSize& frame) { return film(frame); });
    if (!path.isEmpty()) emit saved(tr("Film saved"), path);
  } catch (const Error& problem) {
    emit failed(problem);
  }
}

FramePainter GrowView::film(const QSize& frame) const {
  const QString title = GrowthWords::steps(described()->changes());
  if (pictures_->currentWidget() == space_ && space_->available())
    return filmInSpace(style_, *space_, title, *described(), frame);
  std::vector<GrownCells> cells = describedCells();
  if (const int one = wall_->selection(); pictures_->currentWidget() == map_ && one >= 0)
    cells = {cells[std::size_t(one)]};
  const auto film = std::make_shared<GrowthFilm>(style_, title, cells, frame);
  return [film](QPainter& painter, QSize, double t) { film->paint(painter, t, paperPalette()); };
}

std::unique_ptr<GrowthPair> GrowView::beforeAndAfter() const {
  return std::make_unique<GrowthPair>(style_, GrowthWords::steps(described()->changes()),
                                      describedCells());
}

void GrowView::exportPair() {
  if (!described()) return;
  try {
    const QString path = exportBeforeAfter(*this, *beforeAndAfter());
    if (!path.isEmpty()) emit saved(tr("Figure saved"), path);
  } catch (const Error& problem) {
    emit failed(problem);
  }
}

}  // namespace tfm::ui
