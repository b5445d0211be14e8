// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/grow_view.h"

#include <QFileDialog>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/figure/corner_menu.h"
#include "ui/figure/save_path.h"
#include "ui/growth/difference_words.h"
#include "ui/growth/growth_legend.h"
#include "ui/growth/growth_pair.h"
#include "ui/growth/growth_wall.h"
#include "ui/growth/motion.h"
#include "ui/style/style.h"
#include "ui/views/grow/growth_cards.h"
#include "ui/views/grow/growth_chain.h"
#include "ui/views/grow/growth_export.h"
#include "ui/views/grow/growth_form.h"
#include "ui/views/grow/growth_inspector.h"
#include "ui/views/grow/growth_study_dialog.h"
#include "ui/views/grow/growth_words.h"
#include "ui/views/grow/plan_editor.h"
#include "ui/views/grow/proof_panel.h"
#include "ui/views/grow/schedule_section.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

// Minimum heights for showing logits below a picture; a scrolling one needs less.
constexpr int kRoomy = 720;
constexpr int kRoomyIfScrolled = 540;

/// The config that a plan leads to, up to its first problem.
std::vector<expand::Change> possibleChanges(const ModelConfig& model, expand::Plan plan) {
  for (; !plan.empty(); plan.pop_back()) {
    try {
      return expand::outlineGrowths(model, plan);
    } catch (const Error&) {
      // The preview reports the problem.
    }
  }
  return {};
}

}  // namespace

GrowView::GrowView(Style& style, ModelDocument& document, QWidget* parent)
    : View(document.observing(), parent),
      style_(style),
      document_(document),
      planner_(new GrowthPlanner(document, this)),
      editor_(new PlanEditor(document, *planner_, this)),
      cards_(new GrowthCards(style)),
      inspector_(new GrowthInspector(style, document)) {
  makeMiddle();
  setSides(inspector_, cards_);
  panel_->setExplanation(
      GrowthWords::page(),
      {{cards_, tr("What grows"), tr("The six ways to enlarge a transformer.")},
       {pictures_, tr("The matrices"), tr("Those of this model, with the new entries.")},
       {&pictures_->legend(), tr("Marks"),
        tr("Which entries must be zero, may be anything, or are rescaled.")},
       {proof_, tr("Proof"), tr("Runs both models and compares every answer; then Apply.")},
       {inspector_, tr("The plan"), tr("Sizes, formulas and schedule.")}});
  connectInspector();
  connectPlanner();
  connect(&document_.selection(), &Selection::changed, this, &GrowView::followChoice);
  showPlan();
  showPreview();
}

void GrowView::makeMiddle() {
  panel_ = new Panel(style_);
  looks_ = new Segmented(style_, {tr("Matrices"), tr("One matrix"), tr("3-D")});
  choose_ = new QToolButton;
  choose_->setText(tr("What grows"));
  choose_->setPopupMode(QToolButton::InstantPopup);
  choose_->setMenu(new QMenu(choose_));
  for (int kind = 0; kind <= int(expand::Kind::Layers); ++kind)
    choose_->menu()->addAction(GrowthWords::name(expand::Kind(kind)), this,
                               [this, kind] { choose(expand::Kind(kind)); });
  choose_->hide();
  pictures_ = new GrowthPictures(style_, *editor_);
  pair_ = panel_->menu().menu()->addAction(style_.icon("image"), tr("Export &before and after…"),
                                           this, &GrowView::exportPair);
  panel_->addTool(choose_);
  panel_->addTool(pictures_->allButton());
  panel_->addTool(looks_);
  proof_ = new ProofPanel(style_);
  animation_ = new Motion(
      style_, [this](double t) { pictures_->setProgress(t); }, this);

  auto* body = new QWidget;
  body->setLayout(columnOf({{pictures_, 1}, proof_}));
  panel_->setBody(body);
  panel_->setFigure(pictures_->figure());
  addParts(new QVBoxLayout(this), {panel_});

  connect(looks_, &Segmented::currentChanged, this, [this](int look) { showLook(Look(look)); });
  connect(pictures_, &GrowthPictures::sizeDragged, editor_, &PlanEditor::resize);
  connect(pictures_, &GrowthPictures::cellShown, inspector_, &GrowthInspector::showCell);
}

void GrowView::connectInspector() {
  connect(cards_, &GrowthCards::chosen, editor_, &PlanEditor::choose);
  GrowthForm* form = &inspector_->form();
  connect(form, &GrowthForm::edited, this, [this, form] { editor_->edit(form->growth()); });
  connect(form, &GrowthForm::problemChanged, this, &GrowView::showProof);
  GrowthChain* chain = &inspector_->chain();
  connect(chain, &GrowthChain::selected, editor_, &PlanEditor::select);
  connect(chain, &GrowthChain::removed, editor_, &PlanEditor::removeAt);
  connect(chain, &GrowthChain::moved, editor_, &PlanEditor::move);
  connect(inspector_, &GrowthInspector::removeWanted, editor_, &PlanEditor::remove);
  connect(inspector_, &GrowthInspector::openWanted, this, &GrowView::askForPlan);
  connect(inspector_, &GrowthInspector::saveWanted, this, &GrowView::askWhereToSave);
  connect(inspector_, &GrowthInspector::studyWanted, this, &GrowView::openStudy);
  connect(inspector_, &GrowthInspector::filmWanted, this, &GrowView::exportAnimation);
  connect(editor_, &PlanEditor::selectionChanged, this, [this] {
    showPlan();
    if (pictures_->shown() && !growing_) pictures_->showSelected();
  });
}

void GrowView::connectPlanner() {
  connect(proof_, &ProofPanel::proveRequested, planner_, &GrowthPlanner::prove);
  connect(proof_, &ProofPanel::applyRequested, this, &GrowView::apply);
  connect(proof_, &ProofPanel::cancelRequested, planner_, &GrowthPlanner::cancel);
  connect(proof_, &ProofPanel::scheduleRequested, this, &GrowView::schedule);
  connect(proof_, &ProofPanel::breakRequested, editor_, &PlanEditor::breakRule);
  auto* escape = new QShortcut(Qt::Key_Escape, this, planner_, [this] { planner_->cancel(); });
  escape->setEnabled(false);  // while there is nothing to cancel, Esc has other uses
  connect(planner_, &GrowthPlanner::progressChanged, this, [this, escape] {
    escape->setEnabled(planner_->isSlow());
    showProof();
  });
  connect(&document_.moments(), &Moments::momentChanged, this, [this] {
    showRule();
    showProof();
  });
  connect(planner_, &GrowthPlanner::planChanged, this, [this] {
    // Any user action ends an animation; applying, which empties the plan, is not one.
    if (!planner_->plan().empty()) endMotion();
    if (!planner_->isCurrent()) showPlan();
  });
  connect(planner_, &GrowthPlanner::previewChanged, this, [this] {
    showPlan();
    showPreview();
  });
  connect(planner_, &GrowthPlanner::proofChanged, this, &GrowView::showProof);
  connect(animation_, &Motion::finished, this, [this] {
    if (!growing_) return;
    growing_ = false;
    showRule();
    showPreview();
  });
  connect(&style_, &Style::changed, this, &GrowView::showPlan);
}

void GrowView::choose(expand::Kind kind) { editor_->choose(kind); }

void GrowView::apply() {
  if (!planner_->isCurrent() || planner_->preview()->changes().empty() || planner_->problem())
    return;
  if (!inspector_->form().problem().isEmpty()) return;
  animation_->finish();
  const std::shared_ptr<const GrowthPreview> applied = planner_->preview();
  const std::shared_ptr<const train::GrowthProof> proof = planner_->proof();
  growing_ = true;
  picture()->setFocus();  // else Space would press the next button instead of playing
  planner_->apply([this, applied, proof](const std::optional<Error>& problem) {
    if (problem) {
      growing_ = false;
      if (problem->problem() != expand::Cancelled().problem()) emit failed(*problem);
      return showPreview();
    }
    applied_ = applied;
    applied_proof_ = proof;
    if (!growing_) return showPreview();  // the user has moved on
    showPlan();
    pictures_->setProgress(0.0);
    pictures_->showMatrices(applied, panel_->title());
    showTools();
    animation_->start();
  });
}

void GrowView::showPlan() {
  const auto& preview = planner_->preview();
  const expand::Plan& plan = planner_->plan();
  // While a past moment is shown, the plan is still for the present.
  const bool previewed = preview && planner_->showsNow();
  std::vector<expand::Change> unseen;
  if (!previewed) unseen = possibleChanges(document_.training().model(), plan);
  inspector_->chain().showPlan(
      plan, previewed ? preview->changes() : std::span<const expand::Change>(unseen),
      planner_->problemAt(), editor_->selected());
  inspector_->showPlanned(!plan.empty());
  showTools();
  const expand::Growth* growth = editor_->growth();
  cards_->setSelected(growth ? std::optional(growth->kind) : std::nullopt);
  const ModelConfig& now = preview ? preview->before->config : document_.training().model();
  cards_->showSizes(now, preview ? preview->after().config : now);
  if (growth) {
    const expand::Change* change = editor_->change();
    const ModelConfig& before = change != nullptr ? change->before : now;
    inspector_->form().showGrowth(*growth, before);
    proof_->setBreaks(expand::possibleBreaks(before, *growth), growth->broken);
  } else {
    inspector_->form().forget();
    proof_->setBreaks({}, expand::Break::None);
  }
  // After undo or another growth it is out of date.
  const bool news = appliedStands();
  proof_->setGrown(news ? applied_ : nullptr, news ? applied_proof_ : nullptr);
  showRule();
  showProof();
}

void GrowView::showRule() {
  if (planner_->preview()) inspector_->showCost(*planner_->preview());
  if (const expand::Change* change = editor_->change()) {
    const auto optimizer = document_.training().config().optimizer.kind;
    inspector_->showRule(*change, optimizer != train::OptimizerKind::Sgd);
    panel_->setTitle(GrowthWords::name(change->growth.kind) + QStringLiteral("  ") +
                     GrowthWords::sizes(change->growth.kind, change->before, change->after));
    return panel_->setSentence(GrowthWords::reason(*change));
  }
  const QString why = whyNoRule();
  inspector_->showNoRule(
      why, editor_->growth() ? why : tr("Choose an expansion to see what it teaches first."));
  if (growing_) return;  // the animated growth keeps its title
  panel_->setTitle(tr("Grow"));
  panel_->setSentence(momentSentence());
}

QString GrowView::whyNoRule() const {
  if (!planner_->showsNow()) return tr("Shown for the present model only: choose Back to now.");
  if (planner_->isCurrent() && planner_->problem())
    return tr("None: this is not possible, as explained below the matrices.");
  return tr("Computing …");
}

QString GrowView::momentSentence() const {
  if (planner_->showsNow()) return tr("The model's own matrices. Choose what to enlarge.");
  const auto& seen = document_.observing().snapshot();
  if (seen && seen->is_difference)
    return differenceSentence(seen->step, seen->minus_step, seen->unmatchedParameters());
  return tr("The model's matrices at step %1.")
      .arg(QString::number(document_.moments().shownStep()));
}

void GrowView::showProof() {
  proof_->setProblem(inspector_->form().problem());
  proof_->showState(*planner_);
}

void GrowView::showTools() {
  const bool scrolls = pictures_->look() == Look::All;
  proof_->setRoomy(height() >= style_.px(scrolls ? kRoomyIfScrolled : kRoomy));
  const bool tells = described() != nullptr;
  pair_->setEnabled(tells);
  inspector_->showFurther(!planner_->plan().empty(), tells);
}

bool GrowView::appliedStands() const {
  if (!applied_ || growing_) return applied_ != nullptr;
  const auto& preview = planner_->preview();
  return (preview ? preview->before->config : document_.training().model()) ==
         applied_->after().config;
}

std::shared_ptr<const GrowthPreview> GrowView::described() const {
  const auto& shown = pictures_->shown();
  if (!planner_->plan().empty()) return shown && shown->grown ? shown : nullptr;
  return appliedStands() ? applied_ : nullptr;
}

void GrowView::showPreview() {
  if (growing_ || !planner_->preview() || !isVisible()) return;
  pictures_->showMatrices(planner_->preview(), panel_->title());
  pictures_->setProgress(1.0);
  showTools();
}

void GrowView::followChoice() {
  if (const ChosenWeight* weight = document_.selection().weight(); weight && !growing_)
    pictures_->choose(weight->parameter);
}

void GrowView::showLook(Look look) {
  animation_->finish();
  pictures_->showLook(look);
  looks_->setCurrent(int(look));
  panel_->setFigure(pictures_->figure());
  showTools();
}

void GrowView::endMotion() {
  animation_->finish();
  growing_ = false;
}

void GrowView::hidden() { animation_->finish(); }

void GrowView::leftShown(bool shown) { choose_->setVisible(!shown); }

QWidget* GrowView::picture() const { return pictures_->picture(); }

void GrowView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showTools();
}

void GrowView::schedule() {
  if (!planner_->plan().empty() && inspector_->schedule().ask(planner_->plan()))
    planner_->setPlan({});
}

void GrowView::openPlan(const QString& path) {
  try {
    editor_->open(path);
  } catch (const Error& problem) {
    emit failed(problem);
  }
}

void GrowView::savePlan(const QString& path) {
  exportTo(tr("Plan saved"), [&] {
    editor_->save(path);
    return path;
  });
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
  auto* study = new GrowthStudyDialog(style_, document_, planner_->plan(), this);
  study->setAttribute(Qt::WA_DeleteOnClose);
  study->show();
}

FramePainter GrowView::film(const QSize& frame) const {
  return pictures_->film(described(), GrowthWords::steps(described()->changes()), frame);
}

std::unique_ptr<GrowthPair> GrowView::beforeAndAfter() const {
  return std::make_unique<GrowthPair>(style_, GrowthWords::steps(described()->changes()),
                                      cellsOf(described()));
}

void GrowView::exportTo(const QString& what, const std::function<QString()>& write) {
  try {
    const QString path = write();
    if (!path.isEmpty()) emit saved(what, path);
  } catch (const Error& problem) {
    emit failed(problem);
  }
}

void GrowView::exportAnimation() {
  if (!described()) return;
  exportTo(tr("Film saved"),
           [this] { return exportFilm(*this, [this](const QSize& size) { return film(size); }); });
}

void GrowView::exportPair() {
  if (!described()) return;
  exportTo(tr("Figure saved"), [this] { return exportBeforeAfter(*this, *beforeAndAfter()); });
}

}  // namespace tfm::ui
