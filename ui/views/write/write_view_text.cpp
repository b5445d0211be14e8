// SPDX-License-Identifier: GPL-3.0-or-later
// What WriteView shows of a text and of the choice of a token.
#include <QPushButton>
#include <algorithm>
#include <limits>

#include "core/data/framing.h"
#include "ui/document/model_document.h"
#include "ui/views/write/next_token.h"
#include "ui/views/write/write_view.h"
#include "ui/widgets/labels.h"
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

void WriteView::showLiveAnswer() {
  if (!isVisible() || !document_.observing().snapshot() || writesText()) return;
  const auto& samples = document_.observing().snapshot()->samples;
  const std::string question = document_.observing().question().toStdString();
  // The last one: a question that is also held out occurs twice, once possibly without logits.
  const auto found = std::find_if(samples.rbegin(), samples.rend(),
                                  [&](const auto& each) { return each.question == question; });
  if (found == samples.rend()) return;
  answer_ = *found;
  shown_ = answer_.tokens.size();
  showText();
}

void WriteView::showText() {
  std::vector<ShadedToken> tokens = given(document_.observing().question());
  const bool answers = document_.isOpen() && !writesText();
  if (answers && !tokens.empty()) tokens.push_back({tr(" → "), tokens.back().probability});
  given_ = tokens.size();
  for (std::size_t i = 0; i < shown_; ++i)
    tokens.push_back({readable(written(document_), answer_.tokens[i].id),
                      double(answer_.tokens[i].probability)});
  text_->setTokens(std::move(tokens));
  showChoice();
}

void WriteView::showChoice() {
  if (!document_.isOpen()) return;
  int pointed = text_->hoveredToken() >= 0 ? text_->hoveredToken() : text_->current();
  // An answer has no next token: start with its first one.
  if (pointed < 0 && !arriving_ && shown_ > 0 && shown_ >= answer_.logits.size())
    pointed = int(given_);
  const auto place = std::ptrdiff_t(pointed) - std::ptrdiff_t(given_);
  if (place >= 0 && place < std::ptrdiff_t(shown_)) {
    const auto i = std::size_t(place);
    const TokenChoice choice{i < answer_.logits.size() ? answer_.logits[i] : nullptr,
                             answer_.tokens[i].id};
    const QString token = QString::fromStdString(answer_.tokens[i].text);
    return next_->showChoice(tr("Token %1, “%2”, was chosen from").arg(i + 1).arg(token), choice,
                             written(document_));
  }
  if (shown_ < answer_.logits.size())
    return next_->showChoice(tr("What comes next"), {answer_.logits[shown_], std::nullopt},
                             written(document_));
  next_->clear(tr("What comes next"));
}

void WriteView::showState() {
  if (!document_.isOpen()) return;
  const bool can = !document_.observing().questionProblem(), writing = asked_ == Asked::Text;
  write_->setEnabled(can);
  one_->setEnabled(can);
  stop_->setEnabled(writing);
  const QString step = tr("by the weights of step %1").arg(answer_.step);
  state_->setText(shown_ == 0 && !writing ? tr("Nothing is written yet.")
                  : writing ? tr("%1 of %2 tokens, %3").arg(shown_).arg(wanted_).arg(step)
                            : tr("%1 tokens, %2").arg(shown_).arg(step));
}

}  // namespace tfm::ui
