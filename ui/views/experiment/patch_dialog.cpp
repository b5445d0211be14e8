// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/patch_dialog.h"

#include <QFormLayout>
#include <QLineEdit>
#include <algorithm>
#include <utility>

#include "core/backend/registry.h"
#include "ui/document/model_document.h"
#include "ui/document/shown_model.h"
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
  std::vector<const train::PatchedRow*> rows;
  for (const train::PatchedRow& row : map.rows)
    if (row.stack == stack) rows.push_back(&row);
  const auto valuesOf = [logits](const train::PatchedRow& row) -> const std::vector<double>& {
    return logits ? row.from_logit : row.from_probability;
  };
  int cols = 0;
  for (const train::PatchedRow* row : rows) cols = std::max(cols, int(valuesOf(*row).size()));
  if (cols == 0) return {};  // nothing is measured yet
  HeatMap picture = maskedMap(int(rows.size()), cols);
  for (int r = 0; r < picture.rows; ++r) {
    const train::PatchedRow& row = *rows[std::size_t(r)];
    picture.row_labels +=
        row.layer < 0 ? PatchDialog::tr("input") : PatchDialog::tr("layer %1").arg(row.layer + 1);
    const std::vector<double>& values = valuesOf(row);
    for (int c = 0; c < int(values.size()); ++c)
      setCell(picture, r, c, values[std::size_t(c)] - (logits ? map.from_logit_before : 0.0));
    if (picture.col_labels.isEmpty() && int(row.labels.size()) >= cols)
      for (int c = 0; c < cols; ++c)
        picture.col_labels += visibleToken(QString::fromStdString(row.labels[std::size_t(c)]));
  }
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
    : MapDialog(style, document, new PatchStudy, tr("Patch one text into another"), tr("Patch"),
                {tr("Probability"), tr("Logit")}, parent),
      from_(new QLineEdit),
      into_(new QLineEdit),
      stacks_(new Segmented(style, {tr("Encoder"), tr("Decoder")})) {
  stacks_->setAccessibleName(tr("Stack"));
  measures_->setAccessibleName(tr("What is shown of the answer"));
  map_->setAccessibleName(tr("Where the answer comes from"));
  panel_->addTool(stacks_);
  panel_->setExplanation(
      tr("The model reads the second text, but at one position, after one layer, its states are "
         "those of the first text (activation patching, Meng et al. 2022). Where the first text's "
         "answer becomes probable, that state carries what makes the difference. Texts that differ "
         "in one token are the most informative."));
  from_->setAccessibleName(tr("Take states from"));
  into_->setAccessibleName(tr("Patch into"));
  into_->setText(document.observing().question());
  for (const data::Sample& sample : document.observing().samples())
    if (const auto text = QString::fromStdString(sample.source); text != into_->text()) {
      from_->setText(text);
      break;
    }
  auto* texts = new QFormLayout;
  texts->addRow(tr("Take states from"), from_);
  texts->addRow(tr("Patch into"), into_);
  addParts(new QVBoxLayout(this), {texts, run_, {panel_, 1}})->setSpacing(style.px(12));
  resize(style.px(760), style.px(620));
  connect(stacks_, &Segmented::currentChanged, this, &PatchDialog::showMap);
  for (QLineEdit* text : {from_, into_}) {
    text->setFont(style.numberFont());
    connect(text, &QLineEdit::textChanged, this, &PatchDialog::showMap);
  }
  showMap();
}

void PatchDialog::start() {
  train::PatchOptions options;
  options.from = from_->text().toStdString();
  options.into = into_->text().toStdString();
  study().start([options, codec = document_.sharedCodec(),
                 model = shownModel(document_, document_.interventions().inForce())](
                    const PatchStudy::Progress& progress) {
    return train::patchMap(*model(), *codec, options, *makeBackend<float>(), progress);
  });
}

QString PatchDialog::whyNot() const {
  for (const QLineEdit* text : {from_, into_})
    if (const auto problem =
            problemOf([&] { document_.codec().encodeInput(text->text().toStdString()); }))
      return QString::fromUtf8(problem->what());
  return {};
}

QString PatchDialog::sentence() const {
  const auto& result = study().result();
  if (!result) {
    QStringList sentences{tr("Which states of one text produce its answer in another text.")};
    if (whyNot().isEmpty())
      for (const QLineEdit* text : {from_, into_})
        if (const auto notice = document_.codec().inputNotice(text->text().toStdString());
            !notice.empty())
          sentences << tr("“%1”: %2.").arg(text->text(), QString::fromStdString(notice));
    return sentences.join(QLatin1Char(' '));
  }
  return tr("“%1” has probability %2 on the first text and %3 on the second; the map shows how "
            "probable it becomes with one state patched in.")
      .arg(QString::fromStdString(result->from_label), shortNumber(result->from_probability_there),
           shortNumber(result->from_probability_before));
}

void PatchDialog::showMap() {
  const auto& result = study().result();
  const auto has = [&](Stack stack) {
    return result && std::ranges::count(result->rows, stack, &train::PatchedRow::stack) > 0;
  };
  const bool encoder = has(Stack::Encoder), decoder = has(Stack::Decoder);
  stacks_->setVisible(encoder && decoder);
  const Stack stack =
      decoder && (!encoder || stacks_->current() == 1) ? Stack::Decoder : Stack::Encoder;
  showResult(whyNot(), {from_, into_},
             result ? std::optional(patchHeatMap(*result, stack, measures_->current() == 1))
                    : std::nullopt);
  panel_->setSentence(sentence());
}

}  // namespace tfm::ui
