// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "ui/document/asked_texts.h"
#include "ui/document/interventions.h"
#include "ui/document/moments.h"
#include "ui/document/need.h"

namespace tfm::ui {

/// Observes what is shown, with what some view needs of it.
class Observing : public QObject {
  Q_OBJECT

 public:
  Observing(OpenRun& run, Moments& moments, const Interventions& interventions);

  /// Sets what a view needs from now on; nothing while it is hidden.
  void setNeed(const QObject* view, const Need& need);
  /// The newest snapshot, or null.
  const std::shared_ptr<const train::Snapshot>& snapshot() const { return snapshot_; }

  /// The texts that the model reads, together in one padded batch where a view needs them all.
  const AskedTexts& texts() const { return texts_; }
  static constexpr std::size_t kMostTexts = 4;
  /// Adds an example, if possible as long as the first text, and shows it. At most kMostTexts.
  void addText();
  /// Removes a text unless it is the only one.
  void removeText(int text);
  void setText(int text, const QString& words);
  void showText(int text);

  /// The text that is shown.
  const QString& question() const { return texts_.question(); }
  void setQuestion(const QString& question) { setText(texts_.shown, question); }
  /// Why the model cannot encode the question, or another text; nullopt if it can.
  std::optional<Error> questionProblem() const { return textProblem(texts_.shown); }
  std::optional<Error> textProblem(int text) const;
  /// What was read of a text; null if that was not, or not yet.
  const train::ProbeInput* inputOf(int text) const;
  /// Why two texts cannot be compared position by position; empty if they can.
  QString noComparison(const ComparedTexts& pair) const;

  /// Held-out questions that are answered again and again, with the right answers; none without a
  /// task.
  const std::vector<data::Sample>& samples() const { return samples_; }

  /// For the document: starts with the texts, or an example if there is none; takes new snapshots.
  void open(const AskedTexts& texts);
  void take(std::shared_ptr<const train::Snapshot> snapshot);

  /// Emits topTextsWanted().
  void wantTopTexts(const std::string& target) { emit topTextsWanted(target); }

 signals:
  /// A view asks for the texts that excite a part most, see train::topTexts().
  void topTextsWanted(const std::string& target);
  void snapshotChanged();
  /// Another text is shown, or it was edited.
  void questionChanged(const QString& question);
  /// texts() changed.
  void textsChanged();

 private:
  void setTexts(AskedTexts texts);
  QString exampleBeside(const QStringList& texts) const;
  train::Looking looking() const;
  /// Looks at what is shown unless that is what is looked at already.
  void look();

  OpenRun& run_;
  Moments& moments_;
  const Interventions& interventions_;
  std::map<const QObject*, Need> needs_;
  AskedTexts texts_;
  std::vector<data::Sample> samples_;
  std::shared_ptr<const train::Snapshot> snapshot_;
  std::optional<train::Looking> looking_;  ///< none yet of this run
};

}  // namespace tfm::ui
