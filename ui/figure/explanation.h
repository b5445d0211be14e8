// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QString>
#include <QWidget>
#include <vector>

namespace tfm::ui {

/// A part of a view named by its explanation.
struct ExplainedPart {
  QPointer<QWidget> widget;
  QString name;  ///< "All heads"
  QString says;  ///< one or two sentences
};

/// The explanation of a view: its parts by name, then what it shows, how it is computed and what to
/// try, in Markdown.
struct ExplanationPage {
  QPointer<QWidget> host;  ///< the view
  QString title;
  QString markdown;
  std::vector<ExplainedPart> parts;
  QString manual = {};  ///< where the manual tells more: "using-the-window.md#flow-8"; or empty
};

/// Shows explanations beside what they explain. A view uses its nearest ancestor of this type.
class ExplanationHost {
 public:
  virtual ~ExplanationHost() = default;
  virtual void explain(const ExplanationPage& page) = 0;
};

}  // namespace tfm::ui
