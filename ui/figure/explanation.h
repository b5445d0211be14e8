// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QString>
#include <QWidget>
#include <vector>

namespace tfm::ui {

/// A part of a view that its explanation names.
struct ExplainedPart {
  QPointer<QWidget> widget;
  QString name;  ///< "All heads"
  QString says;  ///< one or two sentences
};

/// What a view says of itself: its parts by name, then what is seen, how it is computed and what to
/// try, in Markdown.
struct Explanation {
  QPointer<QWidget> host;  ///< the view
  QString title;
  QString markdown;
  std::vector<ExplainedPart> parts;
};

/// Shows explanations beside what they explain. The nearest one around a view is asked.
class ExplanationHost {
 public:
  virtual ~ExplanationHost() = default;
  virtual void explain(const Explanation& page) = 0;
};

}  // namespace tfm::ui
