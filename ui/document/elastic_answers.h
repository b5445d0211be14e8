// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/model/submodel.h"
#include "core/train/answering.h"

namespace tfm::ui {

/// What one submodel makes of a question.
struct SubmodelAnswer {
  QString name;
  Submodel submodel;
  train::AnsweredQuestion answer;
};

/// The same question answered by several submodels.
struct ElasticAnswers {
  QString question;
  std::vector<SubmodelAnswer> answers;
  bool goes_on = false;          ///< texts that were ended at a length, not by the model
  std::optional<Error> problem;  ///< why the question cannot be answered
};

/// What is to be answered, and by whom.
struct ElasticQuestion {
  std::shared_ptr<const ModelState> state;
  std::shared_ptr<const data::TextCodec> codec;
  QString question;
  std::vector<SubmodelAnswer> submodels;  ///< without their answers
};

/// A question that the first submodel drafted an answer to and the last, the whole, checked.
struct ElasticDraft {
  QString draft, whole;    ///< their names
  bool shortened = false;  ///< only the question's end was asked
  train::DraftedQuestion drafted;
  std::optional<Error> problem;  ///< why it cannot be answered so
};

/// Speculative decoding by the first of the submodels and the whole model. Of a text that goes on
/// only the end is asked: where the window is full, each token moves all others, and nothing can be
/// checked ahead.
ElasticDraft answerWithDraft(const ElasticQuestion& question);

/// Answers greedily, each submodel extracted as a model of its own.
ElasticAnswers answerBySubmodels(const ElasticQuestion& question);

}  // namespace tfm::ui
