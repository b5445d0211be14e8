// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/wiring_dialog.h"

#include <QBoxLayout>

#include "core/matformer/notebook_wiring.h"
#include "ui/style/style.h"
#include "ui/views/elastic/wiring_words.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/section.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {
namespace {

constexpr int kWiringSteps = 500;
constexpr int kSeeds = 1;  // reading one text at a time takes its time

/// At its own sizes.
qlonglong trainedByTheNotebook() {
  return matformer::buildNotebookProgram(matformer::NotebookWiring{}, 0, {1, 1, 0}, 0)
      .parameters.total;
}

QLabel* paragraph(const char* role, const QString& text, Qt::TextFormat format = Qt::PlainText) {
  QLabel* label = wrappedLabel(role, text);
  label->setTextFormat(format);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

}  // namespace

WiringDialog::WiringDialog(Style& style, ModelDocument& document, QWidget* parent)
    : StudyDialog(style, document, new WiringStudy(&train::runWiringStudy),
                  {tr("The notebook's wiring"), tr("Train both"), tr("wiring.tsv"), wiringColumns(),
                   kWiringSteps, kSeeds},
                  parent) {
  auto* note =
      new Section(style_, tr("What is wrong with it"),
                  tr("A well-known notebook wires nested models differently from the paper "
                     "(Devvrit et al. 2023). Its wiring is rebuilt here for comparison only."));
  for (const QString& text :
       {tr("<b>It looks at the other texts.</b> Attention runs over the texts of a batch, one "
           "position at a time, and never over the words of a text. An answer depends on the other "
           "texts in its batch."),
        tr("<b>Its attention is never trained.</b> It is kept in a plain Python list, so it is "
           "neither optimized nor saved: a reopened model has a different one. At the notebook's "
           "sizes, %1 parameters are trained.")
            .arg(trainedByTheNotebook()),
        tr("<b>Its sizes are not nested.</b> Each has attention and norms of its own."),
        tr("<b>One feed-forward serves all layers</b>, and is initialised with standard deviation "
           "1."),
        tr("<b>Padding counts.</b> The mean is over all positions, including padding.")})
    note->add(paragraph("", text, Qt::RichText));
  about_->add(note);
  middle_->insertWidget(
      0, paragraph(
             "muted",
             tr("Both are trained with the joint loss of all sizes and the same examples, learning "
                "rate and steps, and evaluated on held-out texts in batches as in training. "
                "Percentages are accuracies; in the last column, the share of answers that "
                "change.")));
  middle_->setStretchFactor(table_, 1);
  showOutcome();
}

StudyDialog::Outcome WiringDialog::outcome() const {
  Outcome outcome;
  outcome.idle = tr("Takes about twice as long as a training run.");
  const auto& result = study().result();
  if (!result) return outcome;
  outcome.rows = wiringRows(*result);
  outcome.words = outcomeText(*result);
  if (!result->points.empty()) outcome.measurements = train::toTsv(*result);
  outcome.idle = result->cancelled ? tr("Cancelled: the table is incomplete.") : tr("Done.");
  return outcome;
}

}  // namespace tfm::ui
