// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/train/train_config.h"
#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// The training settings: every field takes effect with the next step. An invalid value stays in
/// the form, with a message, and is not applied.
class TrainingForm : public QWidget {
  Q_OBJECT

 public:
  /// The steps of a number of passes over the examples, in batches of this size; 0 where examples
  /// are generated without end.
  using StepsOfEpochs = std::function<std::int64_t(double epochs, std::int64_t batch_size)>;

  TrainingForm(const Style& style, Training& training, StepsOfEpochs steps_of_epochs,
               QWidget* parent = nullptr);

  FieldForm& form() { return *form_; }

 private:
  std::vector<io::Field> fields();
  void chooseSchedule(int choice);
  void apply(const QString& field);
  /// Sets the epochs from the last step.
  void countEpochs();
  void show();
  bool isShown(std::string_view field) const;

  Training& training_;
  const StepsOfEpochs steps_of_epochs_;
  train::TrainConfig draft_;
  double epochs_ = 0.0;  ///< after which training stops
  /// The config before the demonstration was chosen.
  std::optional<train::TrainConfig> before_demonstration_;
  FieldForm* form_;
  QPushButton* more_;
};

}  // namespace tfm::ui
