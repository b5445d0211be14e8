// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/ask/answering.h"
#include "core/base/error.h"
#include "core/model/submodel.h"

namespace tfm::ui {

/// One submodel's answer to a question.
struct SubmodelAnswer {
  QString name;
  Submodel submodel;
  train::AnsweredQuestion answer;
};

/// The same question answered by several submodels.
struct ElasticAnswers {
  QString question;
  std::vector<SubmodelAnswer> answers;
  bool goes_on = false;          ///< the texts were cut at a length, not ended by the model
  std::optional<Error> problem;  ///< why the question cannot be answered
};

/// A question for several submodels.
struct ElasticQuestion {
  std::shared_ptr<const ModelState> state;
  std::shared_ptr<const data::TextCodec> codec;
  QString question;
  std::vector<SubmodelAnswer> submodels;  ///< without their answers
};

/// An answer drafted by the first submodel and checked by the last, the whole model.
struct ElasticDraft {
  QString draft, whole;    ///< their names
  bool shortened = false;  ///< only the end of the question was used
  train::DraftedQuestion drafted;
  std::optional<Error> problem;  ///< why speculative decoding is not possible
};

/// Speculative decoding by the first submodel and the whole model. Only the end of a text to be
/// continued is used: once the context window is full, each token shifts all others and nothing can
/// be checked ahead.
ElasticDraft answerWithDraft(const ElasticQuestion& question);

/// Decodes greedily, with each submodel extracted as a separate model.
ElasticAnswers answerBySubmodels(const ElasticQuestion& question);

}  // namespace tfm::ui
