// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

class QWidget;

namespace tfm::ui {

/// A term of the field and what it means, in words that need no other term of the field.
struct GlossaryRow {
  QString name;
  QString says;
};

/// The terms that occur in a text, in the order of the glossary.
std::vector<GlossaryRow> termsIn(const QString& text);

/// What a token that is no text stands for, such as <start>; empty for any other label.
QString tokenMeaning(const QString& label);

/// The words that are seen on a widget and its children now, a line each.
QString textsOn(const QWidget& widget);

/// The tool tip of a widget with this text and tip of its own: the tip, and what the terms in both
/// mean. Empty if there is nothing to say.
QString tipWithTerms(const QString& text, const QString& tip);

}  // namespace tfm::ui
