// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace tfm::ui {

/// Shows the text of labels letter for letter: a file name, a token or a message may look like
/// HTML. Those of Qt's own dialogs, too. A label with markup says so by
/// setTextFormat(Qt::RichText).
class PlainLabels : public QProxyStyle {
  Q_OBJECT

 public:
  using QProxyStyle::polish;
  using QProxyStyle::QProxyStyle;

  void polish(QWidget* widget) override;
};

}  // namespace tfm::ui
