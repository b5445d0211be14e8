// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/growth_inspector.h"

#include <QLabel>
#include <QPushButton>
#include <algorithm>

#include "ui/document/growth_planner.h"
#include "ui/style/style.h"
#include "ui/views/grow/growth_chain.h"
#include "ui/views/grow/growth_form.h"
#include "ui/views/grow/growth_words.h"
#include "ui/views/grow/proof_section.h"
#include "ui/views/grow/schedule_section.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/section.h"

namespace tfm::ui {
namespace {

QString changeText(std::int64_t before, std::int64_t after) {
  if (before == after) return QString::number(before);
  // On two lines: large numbers would be cut in the side panel.
  return QStringLiteral("%1\n→ %2  (+%3 %)")
      .arg(QString::number(before), QString::number(after))
      .arg(100.0 * double(after - before) / double(std::max<std::int64_t>(1, before)), 0, 'f', 1);
}

bool isBroken(const expand::Change& change) { return change.growth.broken != expand::Break::None; }

/// A note that the rule above is broken, and how.
QString brokenText(const expand::Change& change) {
  QString text = QString::fromStdString(change.inexact);
  text.replace(0, 1, text.left(1).toUpper());
  return QStringLiteral("<b>%1.</b>").arg(text.toHtmlEscaped());
}

QWidget* inARow(std::initializer_list<Part> buttons) {
  auto* row = new QWidget;
  row->setLayout(rowOf(buttons));
  return row;
}

QLabel* words(const char* role, Qt::TextFormat format = Qt::RichText) {
  QLabel* label = wrappedLabel(role);
  label->setTextFormat(format);
  return label;
}

}  // namespace

GrowthInspector::GrowthInspector(Style& style, ModelDocument& document, QWidget* parent)
    : SideZone(style, 240, parent),
      style_(style),
      form_section_(new Section(style, tr("This expansion"))),
      proof_(new ProofSection(style)),
      rule_section_(new Section(style, tr("The rule"))),
      further_(new Section(style, tr("Experiments and video"))),
      form_(new GrowthForm(style)),
      chain_(new GrowthChain(style)),
      schedule_(new ScheduleSection(style, document)),
      formula_(words("")),
      source_(words("muted")),
      notes_(words("muted")),
      learns_(words("muted")),
      cell_(words("muted", Qt::PlainText)),
      parameters_(new NamedNumber(style, tr("parameters"))),
      flops_(new NamedNumber(style, tr("operations for one answer"))),
      remove_(pushButton(tr("Remove"), tr("Remove the selected expansion from the chain (Delete)"),
                         "small")),
      save_(pushButton(tr("Save…"),
                       tr("Save the chain as a plan, to use later or on the command line"),
                       "small")),
      pays_(pushButton(tr("Is it worth it?"),
                       tr("Train a small model that grows, against the final size from scratch"),
                       "small")) {
  formula_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  form_section_->add(form_);
  for (QLabel* label : {formula_, source_, notes_}) rule_section_->add(label);
  auto* chain =
      new Section(style, tr("Chain"),
                  tr("Each card adds an expansion. They are applied in this order; drag to "
                     "change it."));
  auto* open =
      pushButton(tr("Open…"), tr("Open a plan: a file with a chain of expansions"), "small");
  chain->add(chain_);
  chain->add(inARow({remove_, open, save_}));
  auto* cost = new Section(style, tr("Cost"));
  cost->add(parameters_);
  cost->add(flops_);
  auto* cell = new Section(style, tr("Cell"));
  cell->add(cell_);
  auto* learns = new Section(style, tr("What learns first"));
  learns->add(learns_);
  auto* film = pushButton(tr("Record video…"),
                          tr("Export the growth as a video or a folder of images"), "small");
  further_->add(inARow({pays_, film}));
  // What is read while growing comes first; what does not fit is folded.
  for (Section* section : {form_section_, static_cast<Section*>(proof_), rule_section_, cell, cost,
                           chain, static_cast<Section*>(schedule_), learns, further_})
    add(section);
  setFolds(proof_);
  schedule_->showSchedule();
  connect(remove_, &QPushButton::clicked, this, &GrowthInspector::removeWanted);
  connect(open, &QPushButton::clicked, this, &GrowthInspector::openWanted);
  connect(save_, &QPushButton::clicked, this, &GrowthInspector::saveWanted);
  connect(pays_, &QPushButton::clicked, this, &GrowthInspector::studyWanted);
  connect(film, &QPushButton::clicked, this, &GrowthInspector::filmWanted);
}

void GrowthInspector::showPlanned(bool planned) {
  for (QWidget* part :
       std::initializer_list<QWidget*>{remove_, save_, form_section_, rule_section_})
    part->setVisible(planned);
}

void GrowthInspector::showCost(const GrowthPreview& preview) {
  parameters_->setText(changeText(preview.before->layout.total, preview.after().layout.total));
  flops_->setText(changeText(preview.flops_before, preview.flops_after));
}

void GrowthInspector::showRule(const expand::Change& change, bool adaptive) {
  QStringList notes;
  if (isBroken(change)) notes << brokenText(change);
  for (const std::string& note : change.notes) notes << QString::fromStdString(note) + '.';
  source_->show();
  notes_->setVisible(!notes.isEmpty());
  notes_->setText(notes.join(' '));
  formula_->setFont(style_.textFont(14));
  formula_->setText(GrowthWords::formula(change));
  source_->setText(GrowthWords::source(change));
  learns_->setText(GrowthWords::learnsFirst(change) +
                   (adaptive ? QStringLiteral(" ") + GrowthWords::firstSteps() : QString()));
}

void GrowthInspector::showNoRule(const QString& why, const QString& learns) {
  source_->hide();
  notes_->hide();
  formula_->setText(why);
  learns_->setText(learns);
}

void GrowthInspector::showCell(const QString& cell) { cell_->setText(cell); }

void GrowthInspector::showFurther(bool study, bool film) {
  pays_->setVisible(study);
  further_->setVisible(study || film);
}

}  // namespace tfm::ui
