// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/patch_dialog.h"

#include <QFormLayout>
#include <QLineEdit>
#include <algorithm>
#include <utility>

#include "ui/figure/number_text.h"
#include "ui/figure/token_text.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/study/study_controls.h"
#include "ui/style/style.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {

HeatMap patchHeatMap(const train::PatchMap& map, Stack stack, bool logits) {
  HeatMap picture;
  std::vector<const train::PatchedRow*> rows;
  for (const train::PatchedRow& row : map.rows)
    if (row.stack == stack) rows.push_back(&row);
  const auto valuesOf = [logits](const train::PatchedRow& row) -> const std::vector<double>& {
    return logits ? row.from_logit : row.from_probability;
  };
  for (const train::PatchedRow* row : rows)
    picture.cols = std::max(picture.cols, int(valuesOf(*row).size()));
  if (picture.cols == 0) return picture;  // nothing is measured yet
  picture.rows = int(rows.size());
  const auto cells = std::size_t(picture.rows) * std::size_t(picture.cols);
  picture.values.assign(cells, 0.0F);
  picture.masked.assign(cells, 1);
  QStringList labels;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const train::PatchedRow& row = *rows[r];
    picture.row_labels +=
        row.layer < 0 ? PatchDialog::tr("input") : PatchDialog::tr("layer %1").arg(row.layer + 1);
    const std::vector<double>& values = valuesOf(row);
    for (std::size_t c = 0; c < values.size(); ++c) {
      const std::size_t cell = r * std::size_t(picture.cols) + c;
      picture.values[cell] = float(logits ? values[c] - map.from_logit_before : values[c]);
      picture.masked[cell] = 0;
    }
    if (labels.isEmpty() && row.labels.size() >= std::size_t(picture.cols))
      for (int c = 0; c < picture.cols; ++c)
        labels += visibleToken(QString::fromStdString(row.labels[std::size_t(c)]));
  }
  picture.col_labels = labels;
  picture.row_title = PatchDialog::tr("state patched in after");
  picture.col_title = PatchDialog::tr("at position");
  picture.name =
      logits ? PatchDialog::tr("Added to the logit of “%1”")
                   .arg(QString::fromStdString(map.from_label))
             : PatchDialog::tr("Probability of “%1”").arg(QString::fromStdString(map.from_label));
  picture.scale = logits ? ColorScale::signedTo(niceLimit(picture)) : ColorScale::sequential();
  return picture;
}

PatchDialog::PatchDialog(const Style& style, ModelDocument& document, QWidget* parent)
    : QDialog(parent),
      document_(document),
      study_(new PatchStudy(this)),
      from_(new QLineEdit),
      into_(new QLineEdit),
      run_(new StudyControls(style, *study_, tr("Patch"))),
      panel_(new Panel(style)),
      stacks_(new Segmented(style, {tr("Encoder"), tr("Decoder")})),
      measures_(new Segmented(style, {tr("Probability"), tr("Logit")})),
      map_(new HeatMapView(style)) {
  setWindowTitle(tr("Patch one text into another"));
  stacks_->setAccessibleName(tr("Stack"));
  measures_->setAccessibleName(tr("What is shown of the answer"));
  map_->setAccessibleName(tr("Where the answer comes from"));
  for (QLineEdit* text : {from_, into_}) text->setFont(style.numberFont());
  from_->setAccessibleName(tr("Take states from"));
  into_->setAccessibleName(tr("Patch into"));
  into_->setText(document.observing().question());
  for (const data::Sample& sample : document.observing().samples())
    if (const auto text = QString::fromStdString(sample.source); text != into_->text()) {
      from_->setText(text);
      break;
    }
  run_->setPrimary();
  panel_->setTitle(tr("Patch one text into another"));
  panel_->setBody(map_);
  panel_->addTool(stacks_);
  panel_->addTool(measures_);
  panel_->setExplanation(
      tr("The model reads the second text, but at one position, after one layer, its states are "
         "those of the first text (activation patching, Meng et al. 2022). Where the first text's "
         "answer becomes probable, that state carries what makes the difference. Texts that differ "
         "in one token are the most informative."));
  auto* texts = new QFormLayout;
  texts->addRow(tr("Take states from"), from_);
  texts->addRow(tr("Patch into"), into_);
  addParts(new QVBoxLayout(this), {texts, run_, {panel_, 1}})->setSpacing(style.px(12));
  resize(style.px(760), style.px(620));
  connect(run_, &StudyControls::startRequested, this, &PatchDialog::start);
  connect(study_, &BackgroundStudy::advanced, this, &PatchDialog::showMap);
  connect(study_, &BackgroundStudy::finished, this, &PatchDialog::showMap);
  connect(&document_, &ModelDocument::replaced, this, &PatchDialog::showMap);
  for (Segmented* choice : {stacks_, measures_})
    connect(choice, &Segmented::currentChanged, this, &PatchDialog::showMap);
  for (QLineEdit* text : {from_, into_})
    connect(text, &QLineEdit::textChanged, this, &PatchDialog::showMap);
  showMap();
}

void PatchDialog::start() {
  train::PatchOptions options;
  options.from = from_->text().toStdString();
  options.into = into_->text().toStdString();
  in_force_ = document_.interventions().inForce();
  study_->start([options, codec = document_.sharedCodec(),
                 model = shownModel(document_)](const PatchStudy::Progress& progress) {
    return train::patchMap(*model(), *codec, options, *makeBackend<float>(), progress);
  });
  showMap();
}

QString PatchDialog::whyNot() const {
  for (const QLineEdit* text : {from_, into_})
    if (const auto problem =
            problemOf([&] { document_.codec().encodeInput(text->text().toStdString()); }))
      return QString::fromUtf8(problem->what());
  return {};
}

QString PatchDialog::sentence() const {
  const auto& result = study_->result();
  if (!result) return tr("Which states of one text produce its answer in another text.");
  return tr("“%1” has probability %2 on the first text and %3 on the second; the map shows how "
            "probable it becomes with one state patched in.")
      .arg(QString::fromStdString(result->from_label), shortNumber(result->from_probability_there),
           shortNumber(result->from_probability_before));
}

void PatchDialog::showMap() {
  const QString why = whyNot();
  run_->setIdle(why.isEmpty(),
                why.isEmpty() ? tr("Changes in force stay in force while it patches.") : why,
                !why.isEmpty());
  from_->setEnabled(!study_->isRunning());
  into_->setEnabled(!study_->isRunning());
  const auto& result = study_->result();
  const auto has = [&](Stack stack) {
    return result && std::ranges::any_of(result->rows,
                                         [stack](const auto& row) { return row.stack == stack; });
  };
  const bool encoder = has(Stack::Encoder), decoder = has(Stack::Decoder);
  stacks_->setVisible(encoder && decoder);
  if (result) {
    const bool second = decoder && (!encoder || stacks_->current() == 1);
    HeatMap picture =
        patchHeatMap(*result, second ? Stack::Decoder : Stack::Encoder, measures_->current() == 1);
    picture.name = titleWith(picture.name, in_force_);
    map_->setMap(std::move(picture));
    panel_->setFigure(map_);
  }
  panel_->setSentence(sentence());
}

void PatchDialog::reject() { study_->isRunning() ? run_->cancel() : QDialog::reject(); }

}  // namespace tfm::ui
