// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/base/error.h"
#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/widgets/forward.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {

/// The left side of Elastic: examples to open, and which smaller models are trained inside the open
/// one, or beside it.
class ElasticSetup : public SideZone {
  Q_OBJECT

 public:
  /// Built-in trained nested models: for a task where width matters, and for one where it hardly
  /// does.
  enum class Example { Facts, Sentiment };

  ElasticSetup(const Style& style, ModelDocument& document, SubmodelExplorer& explorer,
               QWidget* parent = nullptr);

  NestingForm& form() const { return *form_; }
  TwinsPanel& twins() const { return *twins_; }
  /// Opens a built-in example.
  QPushButton* exampleButton(Example example) const { return examples_[std::size_t(example)]; }
  /// The model or its nesting changed.
  void showModel();
  /// Trains the model with the typed nesting from the next step on.
  void nest();

 signals:
  void exampleRequested(tfm::ui::ElasticSetup::Example example);
  /// The typed nesting is impossible, and the form that says so is hidden.
  void failed(const tfm::Error& problem);

 private:
  ModelDocument& document_;
  SubmodelExplorer& explorer_;
  std::array<QPushButton*, 2> examples_{};
  NestingForm* form_;
  TwinsPanel* twins_;
};

}  // namespace tfm::ui
