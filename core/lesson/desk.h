// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "core/ask/weight_step.h"
#include "core/expand/growth.h"
#include "core/lesson/lesson.h"
#include "core/lesson/situation.h"

namespace tfm::lesson {

/// A document on which the deeds of a lesson are done without a window.
class Desk {
 public:
  /// Throws Error for a document that cannot be trained, where training is asked for.
  explicit Desk(train::Document document, int threads = 1);

  const train::Document& document() const { return document_; }
  Situation situation() const { return situationOf(document_); }
  /// What a window would show; deeds change it.
  train::WindowState& window() { return document_.window; }

  /// Trains, with evaluations as the document's config says, until `enough` of what is there, at
  /// most to this step. Throws Error where that is not reached.
  void trainUntil(std::int64_t last_step, const std::function<bool(const Situation&)>& enough);
  /// Grows by the smallest step that the kind allows, proved or not.
  void grow(expand::Kind kind, bool proved);
  /// Lists an intervention. Throws Error where the model has no such part.
  void intervene(const std::string& what);
  /// The weights before the first step.
  void startOver();
  /// Opens a preset in place of the model. Throws Error.
  void open(const std::string& preset);
  /// Nests submodels of half the width.
  void nest();
  /// Begins a new run that learns from a text of the student.
  void learnFromOwnFile();
  /// What a training step on the shown text does to a weight. Throws Error.
  train::WeightStep step(const std::string& weight) const;
  /// A moment of the present.
  train::Moment moment() const;

 private:
  train::Document document_;
  std::shared_ptr<const data::Task> task_;
  int threads_;
};

/// Where the files of a lesson come from, by their path relative to it. Both throw Error.
struct Files {
  std::function<train::Document(const std::string& path)> document;
  std::function<std::string(const std::string& path)> text;
};
Files filesIn(const std::filesystem::path& folder);

/// The start of a lesson: a document, or a preset before its first step that learns from the
/// lesson's data, with the lesson's text and its switch for same numbers. Throws Error.
train::Document startOf(const Lesson& lesson, const Files& files);

}  // namespace tfm::lesson
