// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "core/expand/change.h"

namespace tfm::ui {

class GrowthPlanner;
class ModelDocument;

/// The plan while the user works on it: one of its growths is selected, and it is that one which is
/// edited, dragged and broken.
class PlanEditor : public QObject {
  Q_OBJECT

 public:
  PlanEditor(ModelDocument& document, GrowthPlanner& planner, QObject* parent = nullptr);

  /// The place of the selected growth; -1: nothing is planned.
  int selected() const;
  /// Null: nothing is planned.
  const expand::Growth* growth() const;
  /// What the selected growth does to the model; null as long as that is not known.
  const expand::Change* change() const;

  /// Plans an expansion of this kind, or selects the planned one.
  void choose(expand::Kind kind);
  void select(int growth);
  /// All of the growth but what it breaks.
  void edit(const expand::Growth& growth);
  /// Nothing happens for a size that cannot be done: an edge that is dragged waits for the next.
  void resize(std::int64_t size);
  void breakRule(expand::Break broken);
  void removeAt(int growth);
  void remove() { removeAt(selected()); }
  void move(int from, int to);

  /// Takes the plan of a file of JSON, as the command line does. Throws Error.
  void open(const QString& path);
  /// Throws Error.
  void save(const QString& path) const;

 signals:
  /// Another growth of the plan is selected.
  void selectionChanged();

 private:
  template <class Edit>
  void editSelected(const Edit& edit);

  ModelDocument& document_;
  GrowthPlanner& planner_;
  int selected_ = -1;
};

}  // namespace tfm::ui
