// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/matrices/matrices_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

#include "ui/document/model_document.h"
#include "ui/scene/matrix_wall.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/value_strip.h"

namespace tfm::ui {
namespace {

/// Where a parameter stands in the scene: every layer is a row, inputs come before the first layer
/// of their stack.
int rowOf(const ModelConfig& model, const QStringList& path) {
  const int encoder = int(model.encoder_layers.size());
  if (path.front() == "output") return encoder + int(model.decoder_layers.size()) + 2;
  const int first = path.front() == "decoder" && encoder > 0 ? encoder + 1 : 0;
  const bool in_layer = path.size() > 2 && path[1] == "layers";
  return in_layer ? first + 1 + path[2].toInt() : first;
}

/// "decoder.layers.0.cross_attention.query.weight" as the scene wants it. A bias is a column beside
/// its matrix, as its numbers belong to the matrix's rows; gain and bias of a norm stand together.
MatrixSlab slabOf(const ModelConfig& model, const ParameterInfo& p) {
  MatrixSlab slab;
  slab.name = QString::fromStdString(p.name);
  QStringList path = slab.name.split('.');
  slab.layer = rowOf(model, path);
  QString stack = path.front();
  if (path.size() > 2 && path[1] == "layers") {
    stack += MatricesView::tr(" layer %1:").arg(path[2].toInt() + 1);
    path = path.mid(3);
  } else if (path.front() != "output") {
    path.removeFirst();
  }
  const QString kind = path.takeLast();
  const bool norm = path.front().endsWith("norm");
  slab.group = QString(path.front()).replace('_', ' ');
  if (slab.group == "embedding" || slab.group == "self attention")
    slab.group = stack + ' ' + slab.group;  // the first of its row says which row it is
  if (norm)
    slab.label = kind == "weight" ? MatricesView::tr("gain") : MatricesView::tr("bias");
  else
    slab.label = kind == "bias" ? MatricesView::tr("bias") : QString(path.back()).replace('_', ' ');
  const bool vector = p.shape.size() == 1;
  slab.rows = int(vector ? p.cols() : p.rows());
  slab.cols = int(vector ? 1 : p.cols());
  slab.row_axis = QString::fromStdString(p.shape.front().name());
  slab.col_axis = vector ? QString() : QString::fromStdString(p.shape.back().name());
  slab.values.assign(std::size_t(p.size()), 0.0F);
  return slab;
}

std::vector<MatrixSlab> slabsOf(const ModelConfig& model, const ParameterLayout& layout) {
  std::vector<MatrixSlab> slabs;
  for (const ParameterInfo& p : layout.parameters) slabs.push_back(slabOf(model, p));
  return slabs;
}

}  // namespace

MatricesView::MatricesView(Style& style, ModelDocument& document, QWidget* parent)
    : QWidget(parent),
      style_(style),
      document_(document),
      wall_(new MatrixWall(style)),
      inspector_(makeInspector()) {
  auto* panel = new Panel(style_);
  panel->setTitle(tr("All parameters"));
  panel->setSentence(
      tr("Each slab is one learned matrix, each cell one number: blue above zero, orange below."));
  panel->setExplanation(tr(
      "Rows of a matrix are its outputs, columns its inputs. Drag to turn, wheel to come closer, "
      "double-click a slab to look straight at it, R to go home. Click a cell to read it."));
  auto* views = new Segmented(style_, {tr("Front"), tr("Iso"), tr("Top")});
  views->setCurrent(int(MatrixWall::View::Iso));
  connect(views, &Segmented::currentChanged, this,
          [this](int view) { wall_->showView(MatrixWall::View(view)); });
  auto* fix = new QPushButton(tr("Fix colours"));
  fix->setCheckable(true);
  fix->setToolTip(tr("Keep the limits of the colours while training goes on"));
  setRole(*fix, "pill");
  connect(fix, &QPushButton::toggled, this, [this](bool on) {
    wall_->setFixedLimit(on ? std::optional(wall_->limit()) : std::nullopt);
  });
  panel->addTool(views);
  panel->addTool(fix);
  panel->setBody(wall_);
  panel->setFigure(wall_);
  wall_->setFigureTitle(tr("All parameters"));
  auto* column = new QVBoxLayout(this);
  column->addWidget(panel);

  connect(&document_, &ModelDocument::replaced, this, &MatricesView::showModel);
  connect(&document_, &ModelDocument::snapshotChanged, this, &MatricesView::showValues);
  connect(wall_, &MatrixWall::cellPicked, this, &MatricesView::showCell);
  connect(wall_, &MatrixWall::pickCleared, this, &MatricesView::showCell);
  if (document_.isOpen()) showModel();
}

QWidget* MatricesView::makeInspector() {
  auto* inspector = new QFrame;
  setRole(*inspector, "panel");
  auto* column = new QVBoxLayout(inspector);
  name_ = new QLabel;
  name_->setWordWrap(true);
  place_ = new QLabel;
  place_->setWordWrap(true);
  setRole(*name_, "strong");
  setRole(*place_, "muted");
  value_ = new NamedNumber(style_, tr("value"));
  norm_ = new NamedNumber(style_, tr("length of its row"));
  row_ = new ValueStrip(style_);
  row_->setLabel(tr("row"));
  column->addWidget(new SectionLabel(tr("Cell")));
  column->addWidget(name_);
  column->addWidget(place_);
  column->addWidget(value_);
  column->addWidget(norm_);
  column->addWidget(row_);
  column->addStretch();
  return inspector;
}

void MatricesView::showModel() {
  wall_->setSlabs(slabsOf(document_.model(), document_.layout()));
  wall_->setPickedCell(std::nullopt);
  showCell();
}

void MatricesView::showValues() {
  if (!isVisible() || !document_.snapshot() || !document_.snapshot()->state) return;
  const ModelState& state = *document_.snapshot()->state;
  const std::span<const float> all(state.parameters);
  const auto& parameters = state.layout.parameters;
  if (parameters.size() != wall_->slabs().size()) return;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    wall_->setValues(
        int(i), all.subspan(std::size_t(parameters[i].offset), std::size_t(parameters[i].size())));
  showCell();
}

void MatricesView::showCell() {
  const auto cell = wall_->pickedCell();
  for (QWidget* part : {static_cast<QWidget*>(place_), static_cast<QWidget*>(value_),
                        static_cast<QWidget*>(norm_), static_cast<QWidget*>(row_)})
    part->setVisible(cell.has_value());
  if (!cell) {
    name_->setText(tr("Click a cell to see its name, its place and its number."));
    return;
  }
  const MatrixSlab& slab = wall_->slabs()[std::size_t(cell->slab)];
  name_->setText(slab.name);
  QString place = tr("row %1 of %2 (%3)").arg(cell->row).arg(slab.rows).arg(slab.row_axis);
  if (!slab.col_axis.isEmpty())
    place += tr(", column %1 of %2 (%3)").arg(cell->col).arg(slab.cols).arg(slab.col_axis);
  place_->setText(place);
  value_->setText(QString::number(double(slab.value(cell->row, cell->col)), 'g', 6));
  std::vector<double> row;
  double squares = 0.0;
  for (int c = 0; c < slab.cols; ++c) {
    row.push_back(double(slab.value(cell->row, c)));
    squares += row.back() * row.back();
  }
  norm_->setText(QString::number(std::sqrt(squares), 'g', 4));
  row_->setValues(std::move(row));
}

void MatricesView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  Wants wants;
  wants.parameters = true;
  document_.setWants(this, wants);
  showValues();
}

void MatricesView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  document_.setWants(this, {});
}

}  // namespace tfm::ui
