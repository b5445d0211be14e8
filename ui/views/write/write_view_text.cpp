// SPDX-License-Identifier: GPL-3.0-or-later
// What WriteView shows of a text and of the choice of a token.
#include <QPushButton>
#include <QSpinBox>
#include <limits>

#include "core/data/framing.h"
#include "ui/document/model_document.h"
#include "ui/views/write/next_token.h"
#include "ui/views/write/write_view.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/prompt_field.h"
#include "ui/widgets/token_line.h"

namespace tfm::ui {
namespace {

/// The typed text as items between which lines can wrap.
std::vector<ShadedToken> given(const QString& text) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<ShadedToken> words;
  for (const QChar c : text) {
    if (words.empty() || words.back().text.back().isSpace()) words.push_back({{}, kNone});
    words.back().text += c;
  }
  return words;
}

const data::Vocabulary& written(const ModelDocument& document) {
  return data::outputVocabulary(document.codec(), document.framing());
}

/// A token as readable text, except for the signs that end an answer.
QString readable(const data::Vocabulary& vocabulary, std::int32_t id) {
  return QString::fromStdString(vocabulary.isSpecial(id) ? vocabulary.label(id)
                                                         : vocabulary.token(id));
}

}  // namespace

void WriteView::render(const Written& before, const Written& now) {
  if (!document_.isOpen()) return;
  if (now.writing != before.writing || now.answer != before.answer)
    follows_ = now.writing || before.writing;  // a text that is written anew is read meanwhile
  if (now.answer->tokens.empty() && now.answer->logits.empty()) {
    if (parts_.input->text() != document_.observing().question())
      parts_.input->setText(document_.observing().question());
    parts_.text->showLockedItem(-1);
  }
  showText(now);
  showState(now);
}

void WriteView::showText(const Written& text) {
  std::vector<ShadedToken> tokens = given(document_.observing().question());
  if (!writer_.writesText() && !tokens.empty())
    tokens.push_back({tr(" → "), tokens.back().probability});
  given_ = tokens.size();
  for (std::size_t i = 0; i < text.shown; ++i)
    tokens.push_back({readable(written(document_), text.answer->tokens[i].id),
                      double(text.answer->tokens[i].probability)});
  parts_.text->setTokens(std::move(tokens));
  showChoice();
}

void WriteView::showChoice() {
  if (!document_.isOpen()) return;
  const Written& text = writer_.text();
  const train::AnsweredQuestion& answer = *text.answer;
  int pointed = parts_.text->shownItem();
  // An answer has no next token: start with its first one.
  if (pointed < 0 && !text.writing && text.shown > 0 && !text.hasNext()) pointed = int(given_);
  const auto place = std::ptrdiff_t(pointed) - std::ptrdiff_t(given_);
  if (place >= 0 && place < std::ptrdiff_t(text.shown)) {
    const auto i = std::size_t(place);
    const TokenChoice choice{i < answer.logits.size() ? answer.logits[i] : nullptr,
                             answer.tokens[i].id};
    const QString token = QString::fromStdString(answer.tokens[i].text);
    return parts_.next->showChoice(tr("Token %1, “%2”, was chosen from").arg(i + 1).arg(token),
                                   choice, written(document_));
  }
  if (text.hasNext())
    return parts_.next->showChoice(tr("What comes next"), {answer.logits[text.shown], std::nullopt},
                                   written(document_));
  parts_.next->clear(tr("What comes next"));
}

void WriteView::showState(const Written& text) {
  setOrHide(*parts_.problem, writer_.problem());
  parts_.input->setAccessibleDescription(writer_.problem());
  parts_.write->setEnabled(writer_.canWrite());
  parts_.one->setEnabled(writer_.canWrite());
  parts_.stop->setEnabled(text.writing);
  const QString step = tr("by the weights of step %1").arg(text.answer->step);
  parts_.state->setText(text.shown == 0 && !text.writing ? tr("Nothing is written yet.")
                        : text.writing
                            ? tr("%1 of %2 tokens, %3").arg(text.shown).arg(text.wanted).arg(step)
                            : tr("%1 tokens, %2").arg(text.shown).arg(step));
}

}  // namespace tfm::ui
