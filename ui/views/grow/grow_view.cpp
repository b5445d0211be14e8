// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/grow_view.h"

#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/expand/kinds.h"
#include "ui/figure/corner_menu.h"
#include "ui/growth/difference_words.h"
#include "ui/growth/growth_legend.h"
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
#include "ui/views/grow/proof_section.h"
#include "ui/views/grow/schedule_section.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

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

QString whyNoRule(const GrowthPlanner& planner) {
  if (!planner.showsNow())
    return GrowView::tr("Shown for the present model only: choose Back to now.");
  if (planner.isCurrent() && planner.problem())
    return GrowView::tr("None: this is not possible, as explained below the matrices.");
  return GrowView::tr("Computing …");
}

/// Which moment's matrices are shown if nothing is planned.
QString momentSentence(const ModelDocument& document, bool now) {
  if (now) return GrowView::tr("The model's own matrices. Choose what to enlarge.");
  const auto& seen = document.observing().snapshot();
  if (seen && seen->is_difference)
    return differenceSentence(seen->step, seen->minus_step, seen->unmatchedParameters());
  return GrowView::tr("The model's matrices at step %1.")
      .arg(QString::number(document.moments().shownStep()));
}

}  // namespace

GrowView::GrowView(Style& style, ModelDocument& document, QWidget* parent)
    : View(document.observing(), parent),
      style_(style),
      document_(document),
      parts_(makeParts(style)),
      panel_(new Panel(style)),
      looks_(new Segmented(style, {tr("Matrices"), tr("One matrix"), tr("3-D")})),
      choose_(new QToolButton) {
  panel_->setBody(makeBody());
  panel_->setFigure(parts_.pictures->figure());
  addParts(new QVBoxLayout(this), {panel_});
  setSides(parts_.inspector, parts_.cards, tr("What grows"));
  panel_->setExplanation(
      GrowthWords::page(),
      {{parts_.cards, tr("What grows"), tr("The six ways to enlarge a transformer.")},
       {parts_.pictures, tr("The matrices"), tr("Those of this model, with the new entries.")},
       {&parts_.pictures->legend(), tr("Marks"),
        tr("Which entries must be zero, may be anything, or are rescaled.")},
       {parts_.proof, tr("Proof"), tr("Runs both models and compares every answer; then Apply.")},
       {parts_.inspector, tr("The plan"), tr("Sizes, formulas and schedule.")}});
  connectInspector();
  connectPlanner();
  // Selects the matrix in which other views have locked a number.
  connect(&document_.selection(), &Selection::changed, this, [this] {
    if (const ChosenWeight* weight = document_.selection().weight(); weight && !growing_)
      parts_.pictures->choose(weight->parameter);
  });
  showPlan();
  showPreview();
  keepAs([this] { return state(); }, [this](const GrowShown& state) { setState(state); });
}

GrowView::Parts GrowView::makeParts(Style& style) {
  Parts parts;
  parts.planner = new GrowthPlanner(document_, this);
  parts.editor = new PlanEditor(document_, *parts.planner, this);
  parts.pictures = new GrowthPictures(style, *parts.editor);
  parts.proof = new ProofPanel(style);
  parts.animation = new Motion(
      style, [pictures = parts.pictures](double t) { pictures->setProgress(t); }, this);
  parts.cards = new GrowthCards(style);
  parts.inspector = new GrowthInspector(style, document_);
  parts.files = new GrowthExport(
      style, *parts.editor, *parts.pictures, [this] { return described(); }, *this);
  return parts;
}

QWidget* GrowView::makeBody() {
  choose_->setText(tr("What grows"));
  choose_->setPopupMode(QToolButton::InstantPopup);
  choose_->setMenu(new QMenu(choose_));
  for (int kind = 0; kind < int(expand::kinds().size()); ++kind)
    choose_->menu()->addAction(GrowthWords::name(expand::Kind(kind)), this,
                               [this, kind] { parts_.editor->choose(expand::Kind(kind)); });
  choose_->hide();
  pair_ = panel_->menu().menu()->addAction(style_.icon("image"), tr("Export &before and after…"),
                                           parts_.files, &GrowthExport::askForPair);
  panel_->addTool(choose_);
  panel_->addTool(looks_);
  panel_->addFit([this] { parts_.pictures->fit(); });
  auto* body = new QWidget;
  body->setLayout(columnOf({{parts_.pictures, 1}, parts_.proof}));

  connect(looks_, &Segmented::currentChanged, this, [this](int look) { showLook(Look(look)); });
  connect(parts_.pictures, &GrowthPictures::sizeDragged, parts_.editor, &PlanEditor::resize);
  connect(parts_.pictures, &GrowthPictures::cellShown, parts_.inspector,
          &GrowthInspector::showCell);
  connect(parts_.files, &GrowthExport::failed, this, &GrowView::failed);
  connect(parts_.files, &GrowthExport::saved, this, &GrowView::saved);
  return body;
}

void GrowView::connectInspector() {
  connect(parts_.cards, &GrowthCards::chosen, parts_.editor, &PlanEditor::choose);
  GrowthForm* form = &parts_.inspector->form();
  connect(form, &GrowthForm::edited, this, [this, form] { parts_.editor->edit(form->growth()); });
  connect(form, &GrowthForm::problemChanged, this, &GrowView::showProof);
  GrowthChain* chain = &parts_.inspector->chain();
  connect(chain, &GrowthChain::selected, parts_.editor, &PlanEditor::select);
  connect(chain, &GrowthChain::removed, parts_.editor, &PlanEditor::removeAt);
  connect(chain, &GrowthChain::moved, parts_.editor, &PlanEditor::move);
  connect(parts_.inspector, &GrowthInspector::removeWanted, parts_.editor, &PlanEditor::remove);
  connect(parts_.inspector, &GrowthInspector::openWanted, parts_.files, &GrowthExport::askForPlan);
  connect(parts_.inspector, &GrowthInspector::saveWanted, parts_.files,
          &GrowthExport::askWhereToSave);
  connect(parts_.inspector, &GrowthInspector::studyWanted, this, [this] {
    if (document_.task() == nullptr) return document_.training().wantTask();
    auto* study = new GrowthStudyDialog(style_, document_, parts_.planner->plan(), this);
    study->setAttribute(Qt::WA_DeleteOnClose);
    study->show();
  });
  connect(parts_.inspector, &GrowthInspector::filmWanted, parts_.files, &GrowthExport::askForFilm);
  connect(parts_.editor, &PlanEditor::selectionChanged, this, [this] {
    showPlan();
    if (parts_.pictures->shown() && !growing_) parts_.pictures->showSelected();
  });
}

void GrowView::connectPlanner() {
  connect(parts_.proof, &ProofPanel::proveRequested, parts_.planner, &GrowthPlanner::prove);
  connect(parts_.proof, &ProofPanel::applyRequested, this, &GrowView::apply);
  connect(parts_.proof, &ProofPanel::cancelRequested, parts_.planner, &GrowthPlanner::cancel);
  connect(parts_.proof, &ProofPanel::scheduleRequested, this, [this] {
    const expand::Plan& plan = parts_.planner->plan();
    if (!plan.empty() && parts_.inspector->schedule().ask(plan)) parts_.planner->setPlan({});
  });
  connect(parts_.proof, &ProofPanel::breakRequested, parts_.editor, &PlanEditor::breakRule);
  auto* escape =
      new QShortcut(Qt::Key_Escape, this, parts_.planner, [this] { parts_.planner->cancel(); });
  escape->setEnabled(false);  // while there is nothing to cancel, Esc has other uses
  connect(parts_.planner, &GrowthPlanner::progressChanged, this, [this, escape] {
    escape->setEnabled(parts_.planner->isSlow());
    showProof();
  });
  connect(&document_.moments(), &Moments::momentChanged, this, [this] {
    showRule();
    showProof();
  });
  connect(parts_.planner, &GrowthPlanner::planChanged, this, [this] {
    // Any user action ends an animation; applying, which empties the plan, is not one.
    if (!parts_.planner->plan().empty()) {
      parts_.animation->finish();
      growing_ = false;
    }
    if (!parts_.planner->isCurrent()) showPlan();
  });
  connect(parts_.planner, &GrowthPlanner::previewChanged, this, [this] {
    showPlan();
    showPreview();
  });
  connect(parts_.planner, &GrowthPlanner::proofChanged, this, &GrowView::showProof);
  connect(parts_.animation, &Motion::finished, this, [this] {
    if (!growing_) return;
    growing_ = false;
    showRule();
    showPreview();
  });
  connect(&style_, &Style::changed, this, &GrowView::showPlan);
}

void GrowView::apply() {
  if (!parts_.planner->isCurrent() || parts_.planner->preview()->changes().empty() ||
      parts_.planner->problem())
    return;
  if (!parts_.inspector->form().problem().isEmpty()) return;
  parts_.animation->finish();
  const std::shared_ptr<const GrowthPreview> applied = parts_.planner->preview();
  const std::shared_ptr<const train::GrowthProof> proof = parts_.planner->proof();
  growing_ = true;
  picture()->setFocus();  // else Space would press the next button instead of playing
  parts_.planner->apply([this, applied, proof](const std::optional<Error>& problem) {
    if (problem) {
      growing_ = false;
      if (problem->problem() != expand::Cancelled().problem()) emit failed(*problem);
      return showPreview();
    }
    applied_ = applied;
    applied_proof_ = proof;
    if (!growing_) return showPreview();  // the user has moved on
    showPlan();
    parts_.pictures->setProgress(0.0);
    parts_.pictures->showMatrices(applied, panel_->title());
    showTools();
    parts_.animation->start();
  });
}

void GrowView::showPlan() {
  const auto& preview = parts_.planner->preview();
  const expand::Plan& plan = parts_.planner->plan();
  // While a past moment is shown, the plan is still for the present.
  const bool previewed = preview && parts_.planner->showsNow();
  std::vector<expand::Change> unseen;
  if (!previewed) unseen = possibleChanges(document_.training().model(), plan);
  parts_.inspector->chain().showPlan(
      plan, previewed ? preview->changes() : std::span<const expand::Change>(unseen),
      parts_.planner->problemAt(), parts_.editor->selected());
  parts_.inspector->showPlanned(!plan.empty());
  showTools();
  const expand::Growth* growth = parts_.editor->growth();
  parts_.cards->setSelected(growth ? std::optional(growth->kind) : std::nullopt);
  const ModelConfig& now = preview ? preview->before->config : document_.training().model();
  parts_.cards->showSizes(now, preview ? preview->after().config : now);
  if (growth) {
    const expand::Change* change = parts_.editor->change();
    const ModelConfig& before = change != nullptr ? change->before : now;
    parts_.inspector->form().showGrowth(*growth, before);
    parts_.proof->setBreaks(expand::possibleBreaks(before, *growth), growth->broken);
  } else {
    parts_.inspector->form().forget();
    parts_.proof->setBreaks({}, expand::Break::None);
  }
  // After undo or another growth it is out of date.
  const bool news = appliedStands();
  parts_.proof->setGrown(news ? applied_ : nullptr, news ? applied_proof_ : nullptr);
  showRule();
  showProof();
}

void GrowView::showRule() {
  if (parts_.planner->preview()) parts_.inspector->showCost(*parts_.planner->preview());
  if (const expand::Change* change = parts_.editor->change()) {
    const auto optimizer = document_.training().config().optimizer.kind;
    parts_.inspector->showRule(*change, optimizer != train::OptimizerKind::Sgd);
    panel_->setTitle(GrowthWords::name(change->growth.kind) + QStringLiteral("  ") +
                     GrowthWords::sizes(change->growth.kind, change->before, change->after));
    return panel_->setSentence(GrowthWords::reason(*change));
  }
  const QString why = whyNoRule(*parts_.planner);
  parts_.inspector->showNoRule(
      why, parts_.editor->growth() ? why : tr("Choose an expansion to see what it teaches first."));
  if (growing_) return;  // the animated growth keeps its title
  panel_->setTitle(tr("Grow"));
  panel_->setSentence(momentSentence(document_, parts_.planner->showsNow()));
}

void GrowView::showProof() {
  parts_.proof->setProblem(parts_.inspector->form().problem());
  parts_.proof->showState(*parts_.planner);
  const bool valid = parts_.inspector->form().problem().isEmpty();
  parts_.inspector->proof().showProof(valid ? parts_.planner->proof().get() : nullptr);
}

void GrowView::showTools() {
  const bool tells = described() != nullptr;
  pair_->setEnabled(tells);
  parts_.inspector->showFurther(!parts_.planner->plan().empty(), tells);
}

bool GrowView::appliedStands() const {
  if (!applied_ || growing_) return applied_ != nullptr;
  const auto& preview = parts_.planner->preview();
  return (preview ? preview->before->config : document_.training().model()) ==
         applied_->after().config;
}

std::shared_ptr<const GrowthPreview> GrowView::described() const {
  const auto& shown = parts_.pictures->shown();
  if (!parts_.planner->plan().empty()) return shown && shown->grown ? shown : nullptr;
  return appliedStands() ? applied_ : nullptr;
}

void GrowView::showPreview() {
  if (growing_ || !parts_.planner->preview() || !isVisible()) return;
  parts_.pictures->showMatrices(parts_.planner->preview(), panel_->title());
  parts_.pictures->setProgress(1.0);
  showTools();
}

void GrowView::showLook(Look look) {
  parts_.animation->finish();
  parts_.pictures->showLook(look);
  looks_->setCurrent(int(look));
  panel_->setFigure(parts_.pictures->figure());
  showTools();
}

GrowShown GrowView::state() const {
  return {parts_.pictures->look(), parts_.pictures->chosen(), parts_.planner->plan(),
          parts_.editor->selected()};
}

void GrowView::setState(const GrowShown& state) {
  showLook(state.look);
  if (state.plan != parts_.planner->plan()) parts_.planner->setPlan(state.plan);
  parts_.editor->select(state.growth);
  parts_.pictures->choose(state.matrix);
}

void GrowView::hidden() { parts_.animation->finish(); }

void GrowView::leftShown(bool shown) { choose_->setVisible(!shown); }

QWidget* GrowView::picture() const { return parts_.pictures->picture(); }

}  // namespace tfm::ui
