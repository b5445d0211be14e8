// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/studies.h"
#include "ui/study/study_dialog.h"

namespace tfm::ui {

/// The wiring of a well-known notebook beside the published one: what is wrong with it in words,
/// and what that does in measurements, for the document's task and sizes.
class WiringDialog : public StudyDialog {
  Q_OBJECT

 public:
  WiringDialog(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  WiringStudy& study() const { return static_cast<WiringStudy&>(*study_); }

 protected:
  void start() override { study().start(config()); }
  Outcome outcome() const override;
};

}  // namespace tfm::ui
