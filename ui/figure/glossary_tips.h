// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace tfm::ui {

/// Lets every label, button and list in the program explain the terms of the glossary that it
/// shows, in its tool tip, behind what the tip says already.
class GlossaryTips : public QObject {
  Q_OBJECT

 public:
  /// Watches the whole application as long as it lives.
  explicit GlossaryTips(QObject* parent = nullptr);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace tfm::ui
