// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/draft_row.h"

#include "ui/document/model_document.h"
#include "ui/document/submodel_explorer.h"
#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

QString milliseconds(double seconds) { return shortNumber(1e3 * seconds); }

/// The result of a run, e.g. "XL accepted 31 of 40 tokens that S proposed (77.5 %) ...".
QString wordsOf(const ElasticDraft& draft) {
  if (draft.problem) return QString::fromStdString(draft.problem->what());
  const train::DraftedQuestion& all = draft.drafted;
  const matformer::DraftedAnswer& d = all.drafted;
  const double share = d.proposed == 0 ? 0.0 : 100.0 * double(d.accepted) / double(d.proposed);
  const QString accepted = DraftRow::tr("%1 accepted %2 of %3 tokens that %4 proposed (%5 %).")
                               .arg(draft.whole)
                               .arg(d.accepted)
                               .arg(d.proposed)
                               .arg(draft.draft, fixedNumber(share, 1));
  const QString took = DraftRow::tr("%1 + %2 passes in %3 ms; %4 alone: %5 in %6 ms.")
                           .arg(d.whole_passes)
                           .arg(d.draft_passes)
                           .arg(milliseconds(all.seconds), draft.whole)
                           .arg(all.plain_passes)
                           .arg(milliseconds(all.plain_seconds));
  const QString same =
      all.same ? DraftRow::tr("The same text.")
               : DraftRow::tr("The texts differ, because rounding decided between two tokens.");
  const QString asked =
      draft.shortened
          ? DraftRow::tr(
                "Only the end of the text was used, so that it fits into the context window.")
          : QString();
  return QStringList{accepted, took, same, asked}.join(' ').trimmed();
}

}  // namespace

DraftRow::DraftRow(const Style& style, SubmodelExplorer& explorer, const ModelDocument& document,
                   QWidget* parent)
    : QFrame(parent),
      explorer_(explorer),
      document_(document),
      start_(pushButton({},
                        tr("Speculative decoding: the draft proposes four tokens, the whole model "
                           "reads them in one pass and keeps those it would have written"),
                        "pill")),
      words_(wrappedLabel("muted")) {
  setRole(*this, "card");
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  words_->setAccessibleName(tr("Cost of speculative decoding"));
  setLayout(rowOf(style, 14, {{start_, 0, Qt::AlignVCenter}, {words_, 1}}));
  layout()->setContentsMargins(style.px(12), style.px(8), style.px(12), style.px(8));
  connect(start_, &QPushButton::clicked, this, &DraftRow::start);
  connect(&explorer_, &SubmodelExplorer::modelChanged, this, &DraftRow::showModel);
  connect(&explorer_, &SubmodelExplorer::stateChanged, this, &DraftRow::showModel);
  connect(&document_.observing(), &Observing::questionChanged, this, &DraftRow::showModel);
  showModel();
}

ElasticQuestion DraftRow::question() const {
  ElasticQuestion question{
      explorer_.state(), document_.sharedCodec(), document_.observing().question(), {}};
  for (const matformer::Granularity& one :
       {explorer_.granularities().front(), explorer_.granularities().back()})
    question.submodels.push_back({QString::fromStdString(one.name), one.submodel, {}});
  return question;
}

void DraftRow::start() {
  if (job_.isBusy() || isHidden()) return;
  draft_.reset();
  job_.start([asked = question()] { return answerWithDraft(asked); },
             [this](const ElasticDraft& draft) {
               draft_ = draft;
               showWords();
             });
  showWords();
}

void DraftRow::showModel() {
  draft_.reset();
  job_.forget();
  const auto& state = explorer_.state();
  setVisible(state && state->config.hasDecoder() &&
             state->config.output == OutputKind::Vocabulary &&
             explorer_.granularities().size() > 1);
  showWords();
}

void DraftRow::showWords() {
  if (isHidden()) return;
  const auto& all = explorer_.granularities();
  start_->setText(
      tr("%1 drafts, %2 verifies")
          .arg(QString::fromStdString(all.front().name), QString::fromStdString(all.back().name)));
  start_->setEnabled(!job_.isBusy() && !document_.observing().question().isEmpty());
  setRole(*words_, draft_ && draft_->problem ? "bad" : "muted");
  words_->setText(job_.isBusy() ? tr("measuring")
                  : draft_      ? wordsOf(*draft_)
                                : tr("The same text as the whole model, in fewer of its passes."));
}

}  // namespace tfm::ui
