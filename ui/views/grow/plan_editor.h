// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>

#include "core/expand/change.h"
#include "ui/document/forward.h"

namespace tfm::ui {

/// Edits the plan. One of its growths is selected; edits, drags and broken rules apply to it. Edits
/// can be undone until the plan is applied or another model is opened.
class PlanEditor : public QObject {
  Q_OBJECT

 public:
  PlanEditor(ModelDocument& document, GrowthPlanner& planner, QObject* parent = nullptr);

  /// The index of the selected growth; -1 if the plan is empty.
  int selected() const;
  /// The selected growth; null if the plan is empty.
  const expand::Growth* growth() const;
  /// The change of the model by the selected growth; null until it has been computed.
  const expand::Change* change() const;

  /// Adds a growth of this kind to the plan, or selects the planned one.
  void choose(expand::Kind kind);
  void select(int growth);
  /// Replaces the selected growth, except for the rule it breaks.
  void edit(const expand::Growth& growth);
  /// Sets the size of the selected growth. Impossible sizes are ignored: a dragged edge passes over
  /// them.
  void resize(std::int64_t size);
  void breakRule(expand::Break broken);
  void removeAt(int growth);
  void remove() { removeAt(selected()); }
  void move(int from, int to);

  /// Reads the plan from a JSON file, as the command line does. Throws Error.
  void open(const QString& path);
  /// Writes the plan as JSON. Throws Error.
  void save(const QString& path) const;

 signals:
  /// Another growth was selected.
  void selectionChanged();

 private:
  /// Sets the plan and the selected growth, undoable as `label`.
  void set(const QString& label, expand::Plan plan, int selected);
  std::shared_ptr<const SmallEdit> editTo(expand::Plan plan, int selected);
  template <class Edit>
  void editSelected(const QString& label, const Edit& edit);
  void planChanged();

  ModelDocument& document_;
  GrowthPlanner& planner_;
  int selected_ = -1;
  expand::Plan known_;  ///< the newest plan that was set or seen
};

}  // namespace tfm::ui
