// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <optional>

#include "core/base/error.h"
#include "core/observe/intervention.h"
#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// Asks what to do with a part of the model, and puts that in force. A part is named as on the
/// command line, with the names of the model at hand; what it does not have is explained at once.
class WhatIfForm : public QDialog {
  Q_OBJECT

 public:
  /// Begins with `draft`. `entry`: the one in the list to replace; nullopt: it is added.
  WhatIfForm(const Style& style, ModelDocument& document, const observe::Intervention& draft,
             std::optional<std::size_t> entry, QWidget* parent = nullptr);

  QLineEdit& target() const { return *target_; }
  QComboBox& action() const { return *action_; }
  QLineEdit& number() const;
  QLineEdit& text() const { return *text_; }
  const QLabel& problem() const { return *problem_; }
  QPushButton& applyButton() const { return *apply_; }

  void accept() override;

 private:
  /// Throws Error for a number or text that is missing.
  observe::Intervention chosen() const;
  QStringList partNames() const;
  void begin(const observe::Intervention& draft);
  void check();
  void say(const QString& problem);
  QString shownNumber() const;
  std::optional<double> typedNumber() const;

  ModelDocument& document_;
  const std::optional<std::size_t> entry_;
  double last_number_ = 0.0;  ///< before it was edited
  QLineEdit* target_;
  QComboBox* action_;
  ValueLine* number_;
  QLineEdit* text_;
  QFormLayout* form_;
  QLabel* words_;
  QLabel* problem_;
  QPushButton* apply_;
};

}  // namespace tfm::ui
