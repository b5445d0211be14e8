// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "ui/document/moments.h"
#include "ui/document/undo_history.h"

namespace tfm::ui {

/// Changes to the open model, made to see their effect. Answers and what views observe are those of
/// the model with the interventions in force; it is trained, measured and exported without them.
/// Every change of the list can be undone.
class Interventions : public QObject {
  Q_OBJECT

 public:
  Interventions(const OpenRun& run, const Moments& moments);

  const InterventionList& list() const { return *list_; }
  const std::shared_ptr<const InterventionList>& shared() const { return list_; }
  /// Those that are switched on and fit the shown model, in order.
  const std::vector<observe::Intervention>& inForce() const { return in_force_; }
  /// Why an entry does not fit the shown model and is not in force, whatever its switch says.
  const std::optional<Error>& problem(std::size_t entry) const { return problems_[entry]; }
  /// Throws Error for a part that the shown model does not have, a change that the part does not
  /// support, and a text that the model cannot read.
  void require(const observe::Intervention& what) const;

  /// Puts one in force, in place of the entry with the same target if there is one. Throws as
  /// require().
  void add(const observe::Intervention& what);
  /// Adds one; if it is not possible, opens the form for correction.
  void putInForce(const observe::Intervention& what);
  /// Switches a part off, or on again if that is in force.
  void toggle(const std::string& target);
  /// Throws as require(); switches it on. Another entry with the same target goes.
  void replace(std::size_t entry, const observe::Intervention& what);
  void setOn(std::size_t entry, bool on);
  /// Does nothing if all are off.
  void switchAllOff();
  void remove(std::size_t entry);
  void clear();
  /// Whether an entry in force switches this part off.
  bool isOff(const std::string& target) const { return find(target).has_value(); }

  /// Lets the user choose what to do with a part of the model; `draft` is what is proposed.
  void propose(const observe::Intervention& draft) { emit proposed(draft); }

  /// For the document, which opens another model, and for undo.
  void set(std::shared_ptr<const InterventionList> list);

 signals:
  /// list(), inForce() or problem() changed.
  void changed();
  /// The list was `before`; for undo.
  void edited(const QString& label,
              const std::shared_ptr<const std::vector<tfm::train::ListedIntervention>>& before);
  /// The shown model changed, and `count` that were in force do not fit it.
  void lost(int count);
  /// See propose().
  void proposed(const tfm::observe::Intervention& draft);

 private:
  void edit(const QString& label, InterventionList list);
  void update();
  /// The entry in force that switches a part off; nullopt if there is none.
  std::optional<std::size_t> find(const std::string& target) const;

  const OpenRun& run_;
  const Moments& moments_;
  std::shared_ptr<const InterventionList> list_ = std::make_shared<const InterventionList>();
  std::vector<std::optional<Error>> problems_;
  std::vector<observe::Intervention> in_force_;
};

/// An intervention; as it is, it switches the part off.
observe::Intervention changeOf(const std::string& target,
                               observe::Intervention::Kind kind = observe::Intervention::Kind::Set,
                               double number = 0.0);

/// A target of interventions in words, counted from 1: "decoder, layer 1, self attention, head 4".
QString placeInWords(const QString& target);

/// What an intervention does, in words, counted from 1: "decoder, layer 1, self attention, head 4:
/// off".
QString wordsOf(const observe::Intervention& intervention);

/// The title of a figure made with interventions in force, followed by their words.
QString titleWith(const QString& title, const std::vector<observe::Intervention>& in_force);

}  // namespace tfm::ui
