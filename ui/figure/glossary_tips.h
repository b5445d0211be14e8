// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace tfm::ui {

/// Adds the meaning of glossary terms on labels, buttons and lists to their tooltips.
class GlossaryTips : public QObject {
  Q_OBJECT

 public:
  /// Watches the whole application while it exists.
  explicit GlossaryTips(QObject* parent = nullptr);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace tfm::ui
