// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/expand/growth.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// The settings of one growth: its size, and the stacks, layers, attentions and heads it applies
/// to.
class GrowthForm : public QWidget {
  Q_OBJECT

 public:
  explicit GrowthForm(const Style& style, QWidget* parent = nullptr);

  /// Shows a growth of a model with the config `before`.
  void showGrowth(const expand::Growth& growth, const ModelConfig& before);
  const expand::Growth& growth() const { return growth_; }
  /// Shows no growth and discards what was typed.
  void forget();
  /// The message of an invalid field, in which case growth() has the last valid value; empty:
  /// growth() is what is shown.
  QString problem() const;

 signals:
  /// The user changed something; growth() is valid, but may not be possible for the model.
  void edited();
  /// problem() changed because of a user action.
  void problemChanged();

 private:
  /// A row of numbered toggle buttons; none checked means all.
  class Numbers;

  void showRows();
  void showPlaces();
  std::int64_t layerCount() const;
  /// The largest number of heads of the chosen attentions.
  std::int64_t headCount() const;

  const Style& style_;
  expand::Growth growth_;
  ModelConfig before_;
  FieldForm* form_;
  Numbers* layers_;
  Numbers* heads_;
  QWidget* places_row_;
  QComboBox* places_;  ///< of new layers; item data are the growth's positions
};

}  // namespace tfm::ui
