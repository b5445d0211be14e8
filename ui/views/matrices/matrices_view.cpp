// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/matrices/matrices_view.h"

#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "core/ask/row_tokens.h"
#include "ui/document/model_document.h"
#include "ui/figure/corner_menu.h"
#include "ui/figure/token_text.h"
#include "ui/figure/typed_number.h"
#include "ui/growth/difference_words.h"
#include "ui/scene/matrix_wall.h"
#include "ui/scene/parameter_slabs.h"
#include "ui/style/style.h"
#include "ui/views/kept_fields.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/pin_chip.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/side_zone.h"
#include "ui/widgets/value_line.h"
#include "ui/widgets/value_strip.h"

namespace tfm::ui {

MatricesView::MatricesView(Style& style, ModelDocument& document, QWidget* parent)
    : View(document.observing(), parent),
      style_(style),
      document_(document),
      panel_(new Panel(style)),
      wall_(new MatrixWall(style)),
      redraw_(*this, [this] { showValues(); }),
      inspector_(makeInspector()) {
  setSides(inspector_);
  panel_->setTitle(tr("All parameters"));
  panel_->setExplanation(
      tr("Rows of a matrix are its outputs, columns its inputs. Drag to turn, use the wheel to "
         "zoom, double-click a slab to see it from the front, press R for the initial view. Click "
         "a cell to lock it."),
      {{wall_, tr("The matrices"),
        tr("One slab for each matrix, in model order, with its name and shape.")},
       {inspector_, tr("Cell"),
        tr("Name, place and value of the hovered or locked cell, and its row.")}});
  views_ = new Segmented(style_, {tr("Front"), tr("Iso"), tr("Top")});
  connect(views_, &Segmented::currentChanged, this,
          [this](int view) { wall_->showView(MatrixWall::View(view)); });
  connect(wall_, &MatrixWall::viewChanged, this, &MatricesView::showView);
  showView();
  addKeys();
  auto* fix = pushButton(tr("Fix colours"), tr("Keep the colour limits during training"), "pill");
  fix->setCheckable(true);
  connect(fix, &QPushButton::toggled, this, [this](bool on) {
    wall_->setFixedLimit(on ? std::optional(wall_->limit()) : std::nullopt);
  });
  panel_->addTool(views_);
  panel_->addTool(fix);
  panel_->addFit([this] { wall_->showView(wall_->view().value_or(MatrixWall::kHome)); });
  panel_->setBody(wall_);
  panel_->setFigure(wall_);
  // All matrices are the model itself; of the locked one, the numbers go with the picture.
  panel_->menu().setSource([this] {
    const auto& cell = wall_->pickedCell();
    if (!cell) return report::Source();
    const std::string name = wall_->slabs()[std::size_t(cell->slab)].name.toStdString();
    return report::Source{"tensors", name, name};
  });
  wall_->setFigureTitle(tr("All parameters"));
  wall_->setClose(true);
  addParts(new QVBoxLayout(this), {panel_});

  connect(&document_, &ModelDocument::replaced, this, &MatricesView::showModel);
  connect(&document_.moments(), &Moments::shapeChanged, this, &MatricesView::showModel);
  connect(&document_.observing(), &Observing::snapshotChanged, this, [this] { redraw_.request(); });
  connect(&document_.interventions(), &Interventions::changed, this, [this] { redraw_.request(); });
  connect(wall_, &MatrixWall::cellPicked, this, &MatricesView::showCell);
  connect(wall_, &MatrixWall::pickCleared, this, &MatricesView::showCell);
  connect(wall_, &MatrixWall::cellPicked, this, &MatricesView::choose);
  connect(wall_, &MatrixWall::pickCleared, this, &MatricesView::choose);
  connect(&document_.selection(), &Selection::changed, this, &MatricesView::followChoice);
  connect(wall_, &MatrixWall::cellHovered, this, [this](int slab, int row, int col) {
    hovered_ = CellRef{slab, row, col};
    showCell();
  });
  connect(wall_, &MatrixWall::hoverEnded, this, [this] {
    hovered_.reset();
    showCell();
  });
  showSentence();
  if (document_.isOpen()) showModel();
  keepAs([this] { return MatricesShown{wall_->view() ? int(*wall_->view()) : -1}; },
         [this](const MatricesShown& state) {
           if (state.view >= int(WallView::Front) && state.view <= int(WallView::Top))
             wall_->showView(WallView(state.view));
         });
}

std::vector<io::Field> fieldsOf(MatricesShown& s) {
  return {{"view", "Front, from the side, top, counted from 0; -1: turned by hand",
           keptNumbers({&s.view})}};
}

void MatricesView::showView() {
  // If the user turned the wall, none is selected, so that each can be pressed again.
  if (const auto view = wall_->view())
    views_->setCurrent(int(*view));
  else
    views_->clearCurrent();
}

void MatricesView::addKeys() {
  using View = MatrixWall::View;
  struct Key {
    Qt::Key key;
    QString what;
    View view;
  };
  for (const Key& key : {Key{Qt::Key_F, tr("From the front"), View::Front},
                         Key{Qt::Key_I, tr("From the side and above"), View::Iso},
                         Key{Qt::Key_T, tr("From the top"), View::Top},
                         Key{Qt::Key_R, tr("The initial view"), MatrixWall::kHome}}) {
    auto* shortcut = new QShortcut(key.key, this);
    shortcut->setWhatsThis(key.what);
    connect(shortcut, &QShortcut::activated, this,
            [this, view = key.view] { wall_->showView(view); });
  }
}

QWidget* MatricesView::makeInspector() {
  auto* inspector = new SideZone(style_);
  auto* cell = new Section(style_, tr("Cell"));
  name_ = wrappedLabel("strong");
  place_ = wrappedLabel("muted");
  value_ = new NamedNumber(style_, tr("value"));
  norm_ = new NamedNumber(style_, tr("norm of its row"));
  row_words_ = wrappedLabel("muted", tr("Its row, in the scene's colours:"));
  row_ = new ValueStrip(style_);
  row_->setTitle(tr("row"));
  edit_words_ = wrappedLabel("muted");
  edit_ = new ValueLine([](const QString& text) { return typedReal(text).has_value(); },
                        [this] { return QString::number(pickedValue(), 'g', 6); });
  edit_->setAccessibleName(tr("What if this weight were"));
  edit_->setToolTip(tr("Return applies the number; the model keeps its own"));
  edit_problem_ = wrappedLabel("bad");
  connect(edit_, &QLineEdit::returnPressed, this, &MatricesView::edit);
  connect(edit_, &ValueLine::refused, this,
          [this](const QString& typed) { setOrHide(*edit_problem_, notANumber(typed)); });
  connect(row_, &ValueStrip::locked, this, &MatricesView::pickInRow);
  connect(row_, &ValueStrip::unlocked, this, [this] { wall_->setPickedCell(std::nullopt); });
  kept_ = new PinChip(style_, tr("locked"));
  connect(kept_, &PinChip::closed, this, [this] { wall_->setPickedCell(std::nullopt); });
  for (QWidget* part :
       std::initializer_list<QWidget*>{kept_, name_, place_, value_, norm_, row_words_, row_,
                                       edit_words_, edit_, edit_problem_})
    cell->add(part);
  inspector->add(cell);
  return inspector;
}

void MatricesView::showModel() {
  const Moments& moments = document_.moments();
  std::vector<MatrixSlab> slabs = parameterSlabsInBlocks(moments.layout());
  if (const auto codec = document_.sharedCodec())
    for (std::size_t i = 0; i < slabs.size(); ++i)
      for (const std::string& token : train::rowTokens(
               moments.layout().parameters[i], moments.model(), *codec, document_.framing()))
        slabs[i].row_names.push_back(visibleToken(QString::fromStdString(token)));
  wall_->setSlabs(std::move(slabs));
  wall_->setPickedCell(std::nullopt);
  hovered_.reset();
  showCell();
  followChoice();
}

void MatricesView::choose() {
  const auto& picked = wall_->pickedCell();
  if (picked)
    document_.selection().choose(weightAt(*picked));
  else if (isVisible() && document_.selection().weight() != nullptr)
    document_.selection().clear();
}

void MatricesView::followChoice() {
  const ChosenWeight* weight = document_.selection().weight();
  const ChosenCell* chosen = document_.selection().cell();
  const ReadToken* token = document_.selection().token();
  std::optional<CellRef> cell;
  std::vector<SlabFrame> frames;
  const auto& parameters = document_.moments().layout().parameters;
  const auto count = std::min(parameters.size(), wall_->slabs().size());
  for (std::size_t i = 0; i < count; ++i) {
    const MatrixSlab& slab = wall_->slabs()[i];
    if (weight != nullptr && parameters[i].name == weight->parameter) {
      const std::int64_t index = weight->row * parameters[i].cols() + weight->col;
      if (index < std::int64_t(slab.rows) * slab.cols)
        cell = CellRef{int(i), int(index / slab.cols), int(index % slab.cols)};
    }
    if (chosen != nullptr && parameters[i].name.starts_with(chosen->attention + "."))
      addHead(frames, int(i), chosen->head);
    const ParameterTag& tag = parameters[i].tag;
    if (token != nullptr && tag.part == ParameterPart::Embedding && token->id < slab.rows &&
        (tag.site.stack == token->stack || document_.moments().model().share_embeddings))
      frames.push_back({.slab = int(i), .rows = 1, .cols = slab.cols, .row = token->id});
  }
  wall_->setFrames(std::move(frames));
  if (wall_->pickedCell() != cell) wall_->setPickedCell(cell);
}

void MatricesView::addHead(std::vector<SlabFrame>& frames, int index, int head) const {
  const MatrixSlab& slab = wall_->slabs()[std::size_t(index)];
  const bool across = slab.row_stripe == 0;
  const int stripe = across ? slab.col_stripe : slab.row_stripe;
  if (stripe == 0 || (head + 1) * stripe > (across ? slab.cols : slab.rows)) return;
  SlabFrame frame{.slab = index, .rows = slab.rows, .cols = slab.cols};
  (across ? frame.cols : frame.rows) = stripe;
  (across ? frame.col : frame.row) = head * stripe;
  if (!slab.isVector()) frame.name = tr("head %1").arg(head + 1);
  frames.push_back(frame);
}

void MatricesView::showValues() {
  if (!isVisible() || !document_.observing().snapshot() || !document_.observing().snapshot()->state)
    return;
  const ModelState& state = *document_.observing().snapshot()->state;
  if (state.layout.parameters.size() != wall_->slabs().size()) return;
  const auto& changed = document_.observing().snapshot()->changed;
  setParameters(*wall_, changed ? changed : document_.observing().snapshot()->state);
  setUnpaired(*wall_, state.layout, document_.observing().snapshot()->unmatchedParameters());
  showSentence();
  showCell();
}

void MatricesView::showSentence() {
  const auto& seen = document_.observing().snapshot();
  panel_->setSentence(
      seen && seen->is_difference
          ? differenceSentence(seen->step, seen->minus_step, seen->unmatchedParameters())
          : tr("Each slab is one learned matrix, each cell one number: blue above zero, orange "
               "below."));
}

std::optional<CellRef> MatricesView::shownCell() const {
  return wall_->pickedCell() ? wall_->pickedCell() : hovered_;
}

void MatricesView::showCell() {
  const auto cell = shownCell();
  showEdit();
  kept_->setVisible(wall_->pickedCell().has_value());
  for (QWidget* part : std::initializer_list<QWidget*>{name_, value_, norm_, row_words_, row_})
    part->setVisible(cell.has_value());
  if (!cell) {
    place_->setText(
        tr("Hover a cell to see its name, place and value; click to lock it.\n\n"
           "Double-click a matrix to see it from the front, press R to see all again."));
    return;
  }
  const MatrixSlab& slab = wall_->slabs()[std::size_t(cell->slab)];
  name_->setText(slab.name);
  QString place = tr("row %1%2 of %3 (%4)")
                      .arg(cell->row + 1)
                      .arg(slab.rowName(cell->row))
                      .arg(slab.rows)
                      .arg(slab.row_axis);
  if (!slab.col_axis.isEmpty())
    place += tr(", column %1 of %2 (%3)")
                 .arg(slab.firstCol(cell->row) + cell->col + 1)
                 .arg(slab.fullCols())
                 .arg(slab.col_axis);
  if (slab.groups > 1) {
    const qlonglong full = qlonglong(slab.rows) * slab.fullCols();
    place += tr("\n\nA grouped map: %1 blocks on the diagonal, each reading its own columns: %2 of "
                "%3 cells. The others are not stored, as if they were zero.")
                 .arg(slab.groups)
                 .arg(QString::number(full / slab.groups), QString::number(full));
  }
  place_->setText(place);
  const auto& seen = document_.observing().snapshot();
  const bool difference = seen && seen->is_difference;
  value_->setName(difference ? tr("difference") : tr("value"));
  norm_->setName(difference ? tr("norm of its row of differences") : tr("norm of its row"));
  value_->setText(wall_->isUnpaired(*cell)
                      ? tr("new since then")
                      : QString::number(double(slab.value(cell->row, cell->col)), 'g', 6));
  std::vector<double> row;
  double squares = 0.0;
  for (int c = 0; c < slab.cols; ++c) {
    row.push_back(double(slab.value(cell->row, c)));
    squares += row.back() * row.back();
  }
  norm_->setText(std::isnan(squares) ? tr("none") : QString::number(std::sqrt(squares), 'g', 4));
  row_->setLimit(wall_->limit());
  row_->setValues(std::move(row));
  row_->showLockedItem(cell->col);
}

void MatricesView::pickInRow(int col) {
  const auto cell = shownCell();
  if (cell && col >= 0) wall_->setPickedCell(CellRef{cell->slab, cell->row, col});
}

ChosenWeight MatricesView::weightAt(const CellRef& cell) const {
  const ParameterInfo& parameter = document_.moments().layout().parameters[std::size_t(cell.slab)];
  // A vector may stand as a column.
  const MatrixSlab& slab = wall_->slabs()[std::size_t(cell.slab)];
  const std::int64_t index = std::int64_t(cell.row) * slab.cols + cell.col;
  return {parameter.name, index / parameter.cols(), index % parameter.cols()};
}

std::string MatricesView::target(const CellRef& cell) const {
  const ChosenWeight weight = weightAt(cell);
  return weight.parameter + "[" + std::to_string(weight.row) + ", " + std::to_string(weight.col) +
         "]";
}

void MatricesView::showEdit() {
  const auto& picked = wall_->pickedCell();
  const auto& seen = document_.observing().snapshot();
  const bool can = picked && seen && seen->state && !seen->is_difference;
  for (QWidget* part : std::initializer_list<QWidget*>{edit_words_, edit_}) part->setVisible(can);
  if (!can) edit_problem_->hide();
  if (!can) return;
  const auto& list = document_.interventions().list();
  const auto known =
      std::ranges::find(list, target(*picked), [](const auto& entry) { return entry.what.target; });
  edit_words_->setText(known != list.end() && known->on
                           ? tr("Changed: %1. See What if.").arg(wordsOf(known->what))
                           : tr("What if this weight were (Return):"));
  if (!edit_->hasFocus()) edit_->showValue();
}

double MatricesView::pickedValue() const {
  const auto& picked = wall_->pickedCell();
  return picked ? wall_->slabs()[std::size_t(picked->slab)].value(picked->row, picked->col) : 0.0;
}

void MatricesView::edit() {
  const auto& picked = wall_->pickedCell();
  if (!picked) return;
  observe::Intervention change = changeOf(target(*picked));
  const auto typed = typedReal(edit_->text());
  if (!typed) return;
  // What is shown has fewer digits than the weight.
  change.number = edit_->isModified() ? *typed : pickedValue();
  QString problem;
  try {
    document_.interventions().add(change);
    window()->setFocus();  // keys are commands again
  } catch (const Error& wrong) {
    problem = QString::fromUtf8(wrong.what());
  }
  setOrHide(*edit_problem_, problem);
}

QWidget* MatricesView::picture() const { return wall_; }

}  // namespace tfm::ui
