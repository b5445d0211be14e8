// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/grow_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/figure/corner_menu.h"
#include "ui/growth/growth_animation.h"
#include "ui/growth/growth_legend.h"
#include "ui/growth/growth_map.h"
#include "ui/growth/growth_wall.h"
#include "ui/scene/matrix_wall.h"
#include "ui/style/style.h"
#include "ui/views/grow/growth_cards.h"
#include "ui/views/grow/growth_chain.h"
#include "ui/views/grow/growth_form.h"
#include "ui/views/grow/growth_words.h"
#include "ui/views/grow/proof_panel.h"
#include "ui/views/grow/schedule_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/side_zone.h"

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

QWidget* rowOf(std::initializer_list<QPushButton*> buttons) {
  auto* widget = new QWidget;
  auto* row = new QHBoxLayout(widget);
  row->setContentsMargins(0, 0, 0, 0);
  for (QPushButton* button : buttons) {
    setRole(*button, "small");
    row->addWidget(button);
  }
  return widget;
}

}  // namespace

GrowView::GrowView(Style& style, ModelDocument& document, QWidget* parent)
    : View(document.observing(), parent),
      style_(style),
      document_(document),
      planner_(new GrowthPlanner(document, this)),
      cards_(new GrowthCards(style)) {
  makeMiddle();
  makeInspector();
  setSides(inspector_, cards_);
  panel_->setExplanation(
      GrowthWords::page(),
      {{cards_, tr("What grows"), tr("The six ways to enlarge a transformer.")},
       {pictures_, tr("The matrices"), tr("Those of this model, with the new entries.")},
       {legend_, tr("Marks"), tr("Which entries must be zero, may be anything, or are rescaled.")},
       {proof_, tr("Proof"), tr("Runs both models and compares every answer; then Apply.")},
       {inspector_, tr("The plan"), tr("Sizes, formulas and schedule.")}});
  connectPlanner();
  showSchedule();
  showPlan();
  showPreview();
}

void GrowView::makeMiddle() {
  panel_ = new Panel(style_);
  looks_ = new Segmented(style_, {tr("Matrices"), tr("One matrix"), tr("3-D")});
  all_ = new QPushButton(tr("Show all"));
  all_->setCheckable(true);
  all_->setToolTip(tr("Include matrices that do not change"));
  setRole(*all_, "pill");
  which_ = new QComboBox;
  which_->setAccessibleName(tr("Shown matrix"));
  which_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  choose_ = new QToolButton;
  choose_->setText(tr("What grows"));
  choose_->setPopupMode(QToolButton::InstantPopup);
  choose_->setMenu(new QMenu(choose_));
  for (int kind = 0; kind <= int(expand::Kind::Layers); ++kind)
    choose_->menu()->addAction(GrowthWords::name(expand::Kind(kind)), this,
                               [this, kind] { choose(expand::Kind(kind)); });
  choose_->hide();
  pair_ = panel_->menu().menu()->addAction(style_.icon("image"), tr("Export &before and after…"),
                                           this, &GrowView::exportPair);
  panel_->addTool(choose_);
  panel_->addTool(all_);
  panel_->addTool(looks_);

  wall_ = new GrowthWall(style_);
  map_ = new GrowthMap(style_);
  space_ = new MatrixWall(style_);
  pictures_ = new QStackedWidget;
  for (QWidget* picture :
       {static_cast<QWidget*>(wall_), static_cast<QWidget*>(map_), static_cast<QWidget*>(space_)})
    pictures_->addWidget(picture);
  legend_ = new GrowthLegend(style_);
  proof_ = new ProofPanel(style_);
  animation_ = new GrowthAnimation(
      style_, [this](double t) { setProgress(t); }, this);

  auto* body = new QWidget;
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(which_, 0, Qt::AlignLeft);
  column->addWidget(pictures_, 1);
  column->addWidget(legend_);
  column->addWidget(proof_);
  panel_->setBody(body);
  panel_->setFigure(wall_);
  auto* whole = new QVBoxLayout(this);
  whole->addWidget(panel_);

  connect(looks_, &Segmented::currentChanged, this, [this](int look) { showLook(Look(look)); });
  connect(all_, &QPushButton::toggled, wall_, &GrowthWall::setShowAll);
  connect(wall_, &GrowthWall::selected, this, &GrowView::showMatrix);
  connect(wall_, &GrowthWall::cellHovered, this, [this](int matrix, int row, int col) {
    const bool any = matrix >= 0 && matrix < int(cells_.size()) && row >= 0;
    showCell(any ? cells_[std::size_t(matrix)].describe(row, col) : QString());
  });
  connect(map_, &CellGrid::hovered, this,
          [this](int cell) { showCell(cell >= 0 ? map_->itemText(cell) : QString()); });
  const auto show_cell_in_space = [this] {
    const auto cell = space_->shownCell();
    showCell(cell ? space_->describe(*cell) : QString());
  };
  for (const auto signal : {&MatrixWall::cellHovered, &MatrixWall::cellPicked})
    connect(space_, signal, this, show_cell_in_space);
  for (const auto signal : {&MatrixWall::hoverEnded, &MatrixWall::pickCleared})
    connect(space_, signal, this, show_cell_in_space);
  connect(which_, &QComboBox::activated, this,
          [this] { showMatrix(which_->currentData().toInt()); });
  connect(map_, &GrowthMap::sizeDragged, this, &GrowView::dragged);
  connect(wall_, &GrowthWall::sizeDragged, this, &GrowView::dragged);
}

void GrowView::makeInspector() {
  inspector_ = new SideZone(style_, 240);
  const auto wrapped = [](const char* role) {
    QLabel* label = wrappedLabel(role);
    label->setTextFormat(Qt::RichText);
    return label;
  };
  formula_ = wrapped("");
  formula_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  source_ = wrapped("muted");
  notes_ = wrapped("muted");
  learns_ = wrapped("muted");
  cell_ = wrapped("muted");
  cell_->setTextFormat(Qt::PlainText);
  rule_section_ = new Section(style_, tr("The rule"));
  rule_section_->add(formula_);
  rule_section_->add(source_);
  rule_section_->add(notes_);
  form_ = new GrowthForm(style_);
  form_section_ = new Section(style_, tr("This expansion"));
  form_section_->add(form_);
  auto* cost = new Section(style_, tr("Cost"));
  parameters_ = new NamedNumber(style_, tr("parameters"));
  flops_ = new NamedNumber(style_, tr("operations per answer"));
  cost->add(parameters_);
  cost->add(flops_);
  auto* chain = new Section(
      style_, tr("Chain"),
      tr("Each card adds an expansion. They are applied in this order; drag to change it."));
  chain_ = new GrowthChain(style_);
  remove_ = new QPushButton(tr("Remove"));
  remove_->setToolTip(tr("Remove the selected expansion from the chain (Delete)"));
  auto* open = new QPushButton(tr("Open…"));
  open->setToolTip(tr("Open a plan: a file with a chain of expansions"));
  save_ = new QPushButton(tr("Save…"));
  save_->setToolTip(tr("Save the chain as a plan, for later or for the command line"));
  chain->add(chain_);
  chain->add(rowOf({remove_, open, save_}));
  further_ = new Section(style_, tr("Study and film"));
  pays_ = new QPushButton(tr("Does it pay?"));
  pays_->setToolTip(tr("Compare growing during training with the final size from scratch"));
  auto* film = new QPushButton(tr("Film…"));
  film->setToolTip(tr("Export the growth as a film or a folder of images"));
  further_->add(rowOf({pays_, film}));
  connect(pays_, &QPushButton::clicked, this, &GrowView::openStudy);
  connect(film, &QPushButton::clicked, this, &GrowView::exportAnimation);
  schedule_ = new ScheduleList;
  connect(schedule_, &ScheduleList::removed, this, &GrowView::takeFromSchedule);
  auto* clear = new QPushButton(tr("Remove all"));
  schedule_section_ =
      new Section(style_, tr("Schedule"), tr("Expansions that training will apply."));
  schedule_section_->add(schedule_);
  schedule_section_->add(clear);
  connect(clear, &QPushButton::clicked, this, [this] {
    train::TrainConfig training = document_.training().config();
    training.growths.clear();
    document_.training().setConfig(training);
  });
  auto* learns = new Section(style_, tr("What learns first"));
  learns->add(learns_);
  auto* cell = new Section(style_, tr("Cell"));
  cell->add(cell_);
  for (QWidget* section :
       {static_cast<QWidget*>(form_section_), static_cast<QWidget*>(rule_section_),
        static_cast<QWidget*>(chain), static_cast<QWidget*>(schedule_section_),
        static_cast<QWidget*>(cost), static_cast<QWidget*>(cell), static_cast<QWidget*>(learns),
        static_cast<QWidget*>(further_)})
    inspector_->add(section);
  connect(remove_, &QPushButton::clicked, this, [this] { removeAt(selected_); });
  connect(open, &QPushButton::clicked, this, &GrowView::askForPlan);
  connect(save_, &QPushButton::clicked, this, &GrowView::askWhereToSave);
}

void GrowView::connectPlanner() {
  connect(cards_, &GrowthCards::chosen, this, &GrowView::choose);
  connect(form_, &GrowthForm::edited, this, &GrowView::editSelected);
  connect(form_, &GrowthForm::problemChanged, this, &GrowView::showProof);
  connect(chain_, &GrowthChain::selected, this, &GrowView::select);
  connect(chain_, &GrowthChain::removed, this, &GrowView::removeAt);
  connect(chain_, &GrowthChain::moved, this, &GrowView::move);
  connect(proof_, &ProofPanel::proveRequested, planner_, &GrowthPlanner::prove);
  connect(proof_, &ProofPanel::applyRequested, this, &GrowView::apply);
  connect(proof_, &ProofPanel::cancelRequested, planner_, &GrowthPlanner::cancel);
  auto* escape = new QShortcut(Qt::Key_Escape, this, planner_, [this] { planner_->cancel(); });
  escape->setEnabled(false);  // while there is nothing to cancel, Esc has other uses
  connect(planner_, &GrowthPlanner::progressChanged, this, [this, escape] {
    escape->setEnabled(planner_->isSlow());
    showProof();
  });
  connect(proof_, &ProofPanel::scheduleRequested, this, &GrowView::schedule);
  connect(&document_.training(), &Training::configChanged, this, &GrowView::showSchedule);
  connect(&document_, &ModelDocument::replaced, this, &GrowView::showSchedule);
  connect(&document_.observing(), &Observing::snapshotChanged, this, &GrowView::showSchedule);
  connect(&document_.moments(), &Moments::momentChanged, this, [this] {
    showRule();
    showProof();
  });
  connect(proof_, &ProofPanel::breakRequested, this, &GrowView::breakSelected);
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
  connect(animation_, &GrowthAnimation::finished, this, [this] {
    if (!growing_) return;
    growing_ = false;
    showRule();
    showPreview();
  });
  connect(&style_, &Style::changed, this, &GrowView::showPlan);
}

void GrowView::apply() {
  if (!planner_->isCurrent() || planner_->preview()->changes().empty() || planner_->problem())
    return;
  if (!form_->problem().isEmpty()) return;
  animation_->finish();
  const std::shared_ptr<const GrowthPreview> applied = planner_->preview();
  const std::shared_ptr<const train::GrowthProof> proof = planner_->proof();
  growing_ = true;
  pictures_->currentWidget()
      ->setFocus();  // else Space would press the next button instead of playing
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
    showMatrices(applied);
    animation_->start();
  });
}

void GrowView::showPlan() {
  const auto& preview = planner_->preview();
  const expand::Plan& plan = planner_->plan();
  selected_ = std::clamp(selected_, plan.empty() ? -1 : 0, int(plan.size()) - 1);
  // While a past moment is shown, the plan is still for the present.
  const bool previewed = preview && planner_->showsNow();
  std::vector<expand::Change> unseen;
  if (!previewed) unseen = possibleChanges(document_.training().model(), plan);
  chain_->showPlan(plan, previewed ? preview->changes() : std::span<const expand::Change>(unseen),
                   planner_->problemAt(), selected_);
  remove_->setVisible(!plan.empty());
  save_->setVisible(!plan.empty());
  showTools();
  const bool any = selected_ >= 0;
  form_section_->setVisible(any);
  rule_section_->setVisible(any);
  cards_->setSelected(any ? std::optional(plan[std::size_t(selected_)].kind) : std::nullopt);
  const ModelConfig& now = preview ? preview->before->config : document_.training().model();
  cards_->showSizes(now, preview ? preview->after().config : now);
  if (any) {
    const expand::Change* change = selectedChange();
    const ModelConfig& before = change != nullptr ? change->before : now;
    const expand::Growth& growth = plan[std::size_t(selected_)];
    form_->showGrowth(growth, before);
    proof_->setBreaks(expand::possibleBreaks(before, growth), growth.broken);
  } else {
    form_->forget();
    proof_->setBreaks({}, expand::Break::None);
  }
  // After undo or another growth it is out of date.
  const bool news = appliedStands();
  proof_->setGrown(news ? applied_ : nullptr, news ? applied_proof_ : nullptr);
  showRule();
  showProof();
}

void GrowView::showProof() {
  proof_->setProblem(form_->problem());
  proof_->showState(*planner_);
}

bool GrowView::appliedStands() const {
  if (!applied_ || growing_) return applied_ != nullptr;
  const auto& preview = planner_->preview();
  return (preview ? preview->before->config : document_.training().model()) ==
         applied_->after().config;
}

std::shared_ptr<const GrowthPreview> GrowView::described() const {
  if (!planner_->plan().empty()) return shown_ && shown_->grown ? shown_ : nullptr;
  return appliedStands() ? applied_ : nullptr;
}

void GrowView::showPreview() {
  if (growing_ || !planner_->preview() || !isVisible()) return;
  showMatrices(planner_->preview());
  setProgress(1.0);
}

void GrowView::setProgress(double progress) {
  wall_->setProgress(progress);
  map_->setProgress(progress);
  if (pictures_->currentWidget() == space_ && space_->showsGrowth())
    space_->setGrowthProgress(progress);
}

void GrowView::endMotion() {
  animation_->finish();
  growing_ = false;
}

void GrowView::hidden() { animation_->finish(); }

void GrowView::leftShown(bool shown) { choose_->setVisible(!shown); }

QWidget* GrowView::picture() const { return pictures_->currentWidget(); }

}  // namespace tfm::ui
