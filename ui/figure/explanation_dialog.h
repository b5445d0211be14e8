// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace tfm::ui {

class Style;

/// A page of text about one view: what is seen, how it is computed, what to try. Closes with Esc.
class ExplanationDialog : public QDialog {
  Q_OBJECT

 public:
  ExplanationDialog(const Style& style, const QString& title, const QString& markdown,
                    QWidget* parent);
};

}  // namespace tfm::ui
