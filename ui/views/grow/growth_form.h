// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/expand/growth.h"

class QComboBox;

namespace tfm::ui {

class FieldForm;
class Style;

/// The settings of one growth: its size, and which stacks, layers, attentions and heads it is for.
class GrowthForm : public QWidget {
  Q_OBJECT

 public:
  explicit GrowthForm(const Style& style, QWidget* parent = nullptr);

  /// Shows a growth of a model that has this config before it.
  void showGrowth(const expand::Growth& growth, const ModelConfig& before);
  const expand::Growth& growth() const { return growth_; }
  /// Shows none: forgets what was typed.
  void forget();
  /// What is typed and not allowed, as its field says it; growth() then is what was before. Empty:
  /// growth() is what is seen.
  QString problem() const;

 signals:
  /// The user changed something; growth() is allowed by itself, whether the model can do it is
  /// another question.
  void edited();
  /// problem() is another, because of what the user did.
  void problemChanged();

 private:
  /// A row of buttons with numbers, of which none or some are down; none means all.
  class Numbers;

  void showRows();
  void showPlaces();
  std::int64_t layerCount() const;
  /// The most heads of an attention that is chosen.
  std::int64_t headCount() const;

  const Style& style_;
  expand::Growth growth_;
  ModelConfig before_;
  FieldForm* form_;
  Numbers* layers_;
  Numbers* heads_;
  QWidget* places_row_;
  QComboBox* places_;  ///< of new layers; their data are the growth's positions
};

}  // namespace tfm::ui
