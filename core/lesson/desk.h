// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

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
  /// A moment of the present.
  train::Moment moment() const;

 private:
  train::Document document_;
  std::shared_ptr<const data::Task> task_;
  int threads_;
};

/// The start of a lesson as a document: a file relative to `folder`, or a preset before its first
/// step, with the lesson's text and its switch for same numbers. Throws Error.
train::Document startOf(const Lesson& lesson, const std::filesystem::path& folder);
bool beginsWithPreset(const Lesson& lesson);
/// Gives a document the lesson's text and its switch for same numbers, as startOf() does.
void begin(const Lesson& lesson, train::Document& document);

}  // namespace tfm::lesson
