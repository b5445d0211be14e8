// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/top_texts_dialog.h"

#include "ui/document/model_document.h"
#include "ui/document/shown_model.h"
#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/table.h"

namespace tfm::ui {
namespace {

constexpr QSize kTopTexts{640, 520};

/// The tokens, with the strongest in brackets.
QString markedTokens(const train::TopText& text) {
  QStringList words;
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    const QString token = QString::fromStdString(text.tokens[i]);
    words << (std::int64_t(i) == text.position ? QStringLiteral("[%1]").arg(token) : token);
  }
  return words.join(' ');
}

}  // namespace

TopTextsDialog::TopTextsDialog(const Style& style, ModelDocument& document,
                               const std::string& target, QWidget* parent)
    : QDialog(parent),
      document_(document),
      target_(target),
      panel_(new Panel(style)),
      table_(new Table(
          style, {{tr("value"), false, tr("The largest over the text's tokens")},
                  {tr("text"), true},
                  {tr("strongest token"), true,
                   tr("What the part's stack reads; the token of that value in brackets")}})) {
  setWindowTitle(tr("Texts that excite %1").arg(placeInWords(QString::fromStdString(target))));
  table_->setAccessibleName(windowTitle());
  panel_->setTitle(windowTitle());
  panel_->setExplanation(
      tr("The held-out texts with the largest values of this part. The value of a neuron is its "
         "hidden activation, that of a head the length of the values that it mixes. A decoder "
         "reads the right answers. What-if changes do not count. Double-click a text to show it on "
         "all screens."));
  panel_->setBody(table_);
  panel_->setFigure(table_);
  addParts(new QVBoxLayout(this), {{panel_, 1}});
  resize(style.px(kTopTexts.width()), style.px(kTopTexts.height()));
  connect(table_, &QTableWidget::itemActivated, this, [this](const QTableWidgetItem* item) {
    document_.observing().setQuestion(table_->item(item->row(), 1)->text());
  });
  read();
}

void TopTextsDialog::read() {
  panel_->setSentence(tr("Reading held-out texts..."));
  job_.start(
      [task = document_.sharedTask(), model = shownModel(document_),
       target = target_](LatestJob::Run& run) {
        Result result;
        result.problem = problemOf([&] {
          result.top = train::topTexts(task, model(), target, {}, [&run](double share) {
            run.done = share;
            return !run.stopped;
          });
        });
        return result;
      },
      [this](const Result& result) { showResult(result); });
}

void TopTextsDialog::showResult(const Result& result) {
  if (result.problem) return panel_->setSentence(QString::fromStdString(result.problem->problem()));
  if (!result.top) return;
  QList<QStringList> rows;
  for (const train::TopText& text : result.top->texts)
    rows << QStringList{fixedNumber(text.most(), 3), QString::fromStdString(text.text),
                        markedTokens(text)};
  table_->setRows(rows);
  panel_->setSentence(tr("The strongest of %1 held-out texts; the mean over all tokens is %2.")
                          .arg(result.top->examples)
                          .arg(fixedNumber(result.top->mean, 3)));
}

}  // namespace tfm::ui
