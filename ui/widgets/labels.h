// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

#include "ui/style/forward.h"

namespace tfm::ui {

/// A heading in small capitals: "MODEL".
class SectionLabel : public QLabel {
  Q_OBJECT

 public:
  explicit SectionLabel(const QString& text, QWidget* parent = nullptr);
};

/// Makes a label with word wrap, in a role of the style sheet such as "muted"; "": none.
QLabel* wrappedLabel(const char* role, const QString& text = {});
/// The same for links, in the colours of the theme.
QLabel* linkLabel(const char* role = "");

/// Sets the text of a label that is hidden while it has none.
void setOrHide(QLabel& label, const QString& text);

/// A number in digits of equal width, so that it does not jitter while it changes. Selectable.
class NumberLabel : public QLabel {
  Q_OBJECT

 public:
  explicit NumberLabel(const QString& text = {}, QWidget* parent = nullptr);
};

/// A number with its name above, "loss" over "0.0061", or, horizontally, beside it.
class NamedNumber : public QWidget {
  Q_OBJECT

 public:
  NamedNumber(const Style& style, const QString& name, Qt::Orientation along = Qt::Vertical);

  void setText(const QString& number);
  QString text() const;
  void setName(const QString& name);
  QString name() const;
  /// Reserves the width of this number, so that a growing one does not move its neighbours.
  void reserveWidthFor(const QString& number);
  /// Null for the text's colour, or "good", "bad", "mark".
  void setTone(const char* tone);

 private:
  void updateSizes();

  const Style& style_;
  const double digits_;  ///< their size
  QLabel* caption_;
  QLabel* number_;
  QString longest_;
};

}  // namespace tfm::ui
