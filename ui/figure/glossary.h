// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "ui/forward.h"

namespace tfm::ui {

/// A term of the field and its meaning, explained without other such terms.
struct GlossaryRow {
  QString name;
  QString says;
};

/// The anchor of a heading of the manual, as in links to it: "train-1" for "Train (1)".
QString anchorOf(const QString& heading);
/// Where the manual explains a term: "glossary.md#softmax".
QString placeOf(const GlossaryRow& term);

/// All terms, in the order of the glossary.
std::vector<GlossaryRow> allTerms();

/// The terms that occur in a text, in the order of the glossary.
std::vector<GlossaryRow> termsIn(const QString& text);

/// The meaning of a special token such as <start>; empty for any other label.
QString tokenMeaning(const QString& label);

/// The texts currently visible on a widget and its children, one per line.
QString textsOn(const QWidget& widget);

/// The tooltip of a widget with this text and tip: the tip, then the meaning of the terms in both.
/// Empty if there is nothing to say.
QString tipWithTerms(const QString& text, const QString& tip);

/// Everything known about a widget, as rich text: its name, its tip, the part of a view that it
/// belongs to, and the terms in them. Empty if there is nothing to say.
QString whatIs(const QWidget& widget);

/// Adds the meaning of glossary terms on labels, buttons and lists to their tooltips, and answers
/// "What is this?" with whatIs(), whose terms are links.
class GlossaryTips : public QObject {
  Q_OBJECT

 public:
  /// Watches the whole application while it exists.
  explicit GlossaryTips(QObject* parent = nullptr);

 signals:
  /// A term was clicked: see placeOf().
  void manualRequested(const QString& place);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace tfm::ui
