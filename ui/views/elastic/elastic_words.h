// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

#include "core/data/task.h"
#include "core/model/model_state.h"

namespace tfm::ui {

/// The longer texts of the Elastic screen.
struct ElasticWords {
  Q_DECLARE_TR_FUNCTIONS(ElasticWords)

 public:
  /// What is shown, in one sentence.
  static QString sentence(bool nested, const std::string& task, bool holds_out);
  /// The sentence while a difference is chosen, which is not a model; `state`: what is still shown,
  /// or null.
  static QString noModel(const ModelState* state);
  /// Why the parts of a model that is not nested perform badly, and how to improve them.
  static QString plain(bool trained);
  /// How to use the matrices, flat or in 3-D.
  static QString hint(bool space);
  /// Markdown for "Explain".
  static QString page();
  /// The same for the plots.
  static QString scatterPage();
  static QString curvesPage();
};

}  // namespace tfm::ui
