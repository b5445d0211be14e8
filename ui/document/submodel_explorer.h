// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/matformer/nesting.h"
#include "ui/document/elastic_answers.h"
#include "ui/document/elastic_scores.h"
#include "ui/document/latest_job.h"
#include "ui/document/studies.h"
#include "ui/document/submodel_queue.h"

namespace tfm::ui {

class ModelDocument;

/// Where a submodel of the open model is chosen, measured, mixed, asked and saved. Works on the
/// newest snapshot of the document in the background, and only while it is active.
class SubmodelExplorer : public QObject {
  Q_OBJECT

 public:
  explicit SubmodelExplorer(ModelDocument& document, QObject* parent = nullptr);
  ~SubmodelExplorer() override;

  /// Whether somebody looks. It asks the document for parameters and measures while it is active.
  void setActive(bool active);

  /// What is looked at: the newest state, or that of a moment shown; null before the first
  /// snapshot.
  const std::shared_ptr<const ModelState>& state() const { return state_; }
  /// Whether training contains submodels.
  bool isNested() const;
  /// Why nothing can be nested; empty where it can.
  QString whyNotNestable() const;
  /// Those that the model is trained to contain, the whole last. Where nothing is nested: those
  /// that it would usually be trained with. Empty without a state or without layers.
  const std::vector<matformer::Granularity>& granularities() const { return granularities_; }

  const Submodel& choice() const { return choice_; }
  QString choiceName() const { return nameOf(choice_); }
  /// "S", or the widths.
  QString nameOf(const Submodel& submodel) const;
  /// Nothing happens for a submodel that the model has not.
  void choose(const Submodel& submodel);
  /// One width a layer, and in each layer the heads of the smallest granularity as wide.
  void chooseWidths(const std::vector<std::int64_t>& widths);

  /// The newest measurements; null before anything is known.
  const TimedScore* score(const Submodel& submodel) const { return scores_.find(submodel); }
  const TimedScore* choiceScore() const { return score(choice_); }
  const TimedScore* wholeScore() const;
  /// The mixes that were asked for. They are measured again as training goes on.
  const std::vector<Submodel>& mixes() const { return mixes_; }
  /// Measurements still to come, and of how many since the last time there was nothing to do.
  int left() const { return queue_.left(); }
  int asked() const { return asked_; }
  /// What could not be measured, of the newest moment.
  const std::optional<Error>& problem() const { return problem_; }

  /// Equal widths in all layers, at the granularities and midway between two.
  void mixUniform();
  /// Chooses the largest submodel with at most so many parameters, as the paper's heuristic.
  void mixBudget(std::int64_t parameters);
  /// Other ones each time.
  void mixRandom(int count);
  /// Every choice of a granularity a layer, or, where those are too many, the heuristic's.
  void mixFront();
  /// Whether mixFront() measures every choice.
  bool frontIsWhole() const;
  /// Takes back mixes that are not measured yet.
  void cancelMixes();
  void forgetMixes();

  /// The document's question, answered by all granularities, and by the choice if it is another.
  const ElasticAnswers& answers() const { return answers_; }

  /// Trains on with these submodels inside; none: plainly. Throws Error.
  void train(const matformer::Nesting& nesting);
  /// Each granularity trained on its own, beside the nested model. Nothing where nothing is nested.
  /// Another document ends and forgets the study.
  void startStudy(std::int64_t steps, int seeds);
  NestingStudy& study() { return study_; }
  /// Saves the choice as a document of its own. `done` hears what went wrong, if anything did.
  void extract(const QString& path, std::function<void(const std::optional<Error>&)> done);

 signals:
  /// Another model or other granularities are here, trained otherwise perhaps; the choice may be
  /// another, too.
  void modelChanged();
  /// state() has other numbers of the same model.
  void stateChanged();
  void choiceChanged();
  void scoresChanged();
  void answersChanged();

 private:
  /// Looks at what the document shows.
  void look();
  void takeState(std::shared_ptr<const ModelState> state);
  void updateGranularities();
  /// Begins to measure a newer moment where it is time to.
  void follow();
  void startRound();
  std::vector<Submodel> wanted() const;
  void addMixes(std::vector<Submodel> mixes);
  void measureMissing();
  void answer();

  ModelDocument& document_;
  bool active_ = false;
  std::shared_ptr<const ModelState> state_;
  int moment_ = 0;              ///< counts the states
  int measured_moment_ = 0;     ///< that the queue is about
  matformer::Nesting nesting_;  ///< of the training that granularities_ are from
  std::vector<matformer::Granularity> granularities_;
  Submodel choice_;
  std::vector<Submodel> mixes_;
  ElasticScores scores_;
  std::optional<Error> problem_;
  ElasticAnswers answers_;
  LatestJob<ElasticAnswers> asking_{this};
  std::uint64_t draws_ = 0;  ///< of random mixes
  int asked_ = 0;
  QElapsedTimer since_round_;
  SubmodelQueue queue_;
  NestingStudy study_{&train::runNestingStudy};
};

}  // namespace tfm::ui
