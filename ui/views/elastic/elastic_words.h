// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

#include "core/data/task.h"
#include "core/model/model_state.h"

namespace tfm::ui {

/// The longer words of the Elastic screen.
struct ElasticWords {
  Q_DECLARE_TR_FUNCTIONS(ElasticWords)

 public:
  /// What is seen, in one sentence.
  static QString sentence(bool nested, const std::string& task, bool holds_out);
  /// The same while a difference is chosen, of which nothing can be shown; `state`: what is still
  /// shown, or null.
  static QString noModel(const ModelState* state);
  /// Why the parts of a model that is not nested are no good, and what would make them so.
  static QString plain(bool trained);
  /// What the hand can do with the matrices, flat or in space.
  static QString hint(bool space);
  /// Markdown for "Explain".
  static QString page();
  /// The same of the plots.
  static QString scatterPage();
  static QString curvesPage();
};

}  // namespace tfm::ui
