// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "core/backend/registry.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// Where to compute. Devices are looked for in the background, as drivers take their time to
/// answer. Those that cannot run here are listed too, with the reason below.
class DeviceChooser : public QWidget {
  Q_OBJECT

 public:
  explicit DeviceChooser(const Style& style, QWidget* parent = nullptr);

  /// The device that is chosen; empty while they are looked for.
  std::string device() const;
  /// Disabled while devices are looked for, and if there is only one.
  QComboBox& box() { return *box_; }
  /// What was found that cannot run here, and why; or that nothing else was found.
  QLabel& obstacles() { return *obstacles_; }

 private:
  struct Found {
    std::vector<FoundDevice> devices;
    std::string chosen;
  };
  void list(const Found& found);

  QComboBox* box_;
  QLabel* obstacles_;
};

}  // namespace tfm::ui
