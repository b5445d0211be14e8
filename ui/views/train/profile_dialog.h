// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// Shows the time of each op in a training step, live. Not modal; ops are measured while the dialog
/// exists.
class ProfileDialog : public QDialog {
  Q_OBJECT

 public:
  ProfileDialog(const Style& style, Training& training, QWidget* parent = nullptr);
  ~ProfileDialog() override;

  BarList& bars() { return *bars_; }
  QLabel& sentence() { return *sentence_; }
  QPushButton& playButton() { return *play_; }

 private:
  void showProfile();
  void showRunning();

  Training& training_;
  QLabel* sentence_;
  BarList* bars_;
  QPushButton* play_;
};

}  // namespace tfm::ui
