// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "core/train/train_config.h"

class QPushButton;
class QVBoxLayout;

namespace tfm::ui {

class FieldForm;
class Style;
class Training;

/// The training settings: every field takes effect with the next step. An invalid value stays in
/// the form, with a message, and is not applied.
class TrainingForm : public QWidget {
  Q_OBJECT

 public:
  TrainingForm(const Style& style, Training& training, QWidget* parent = nullptr);

  FieldForm& form() { return *form_; }

 private:
  std::vector<io::Field> fields();
  void chooseSchedule(int choice);
  void apply(const QString& field);
  void show();
  bool isShown(std::string_view field) const;

  const Style& style_;
  Training& training_;
  train::TrainConfig draft_;
  /// The config before the demonstration was chosen.
  std::optional<train::TrainConfig> before_demonstration_;
  FieldForm* form_;
  QPushButton* more_;
  QVBoxLayout* column_;
};

}  // namespace tfm::ui
