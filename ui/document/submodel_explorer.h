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
#include "ui/document/forward.h"
#include "ui/document/latest_job.h"
#include "ui/document/studies.h"
#include "ui/document/submodel_queue.h"

namespace tfm::ui {

/// Chooses, measures, mixes, asks and saves submodels of the open model. Works in the background on
/// the newest snapshot of the document, only while it is active.
class SubmodelExplorer : public QObject {
  Q_OBJECT

 public:
  explicit SubmodelExplorer(ModelDocument& document, QObject* parent = nullptr);
  ~SubmodelExplorer() override;

  /// Starts or stops measuring. Call with true while a view is visible that requests parameters
  /// (Need::parameters).
  void setActive(bool active);

  /// The newest state, or that of the shown moment; null before the first snapshot.
  const std::shared_ptr<const ModelState>& state() const { return state_; }
  /// Whether submodels are trained.
  bool isNested() const;
  /// Why nothing can be nested; empty if it can.
  QString whyNotNestable() const;
  /// The granularities the model is trained with, the whole model last; if it is not nested, the
  /// usual ones. Empty without a state or without layers.
  const std::vector<matformer::Granularity>& granularities() const { return granularities_; }

  const Submodel& choice() const { return choice_; }
  QString choiceName() const { return nameOf(choice_); }
  /// "S", or the widths.
  QString nameOf(const Submodel& submodel) const;
  /// Ignores a submodel the model does not have.
  void choose(const Submodel& submodel);
  /// One width per layer; each layer gets the heads of the smallest granularity that is as wide.
  void chooseWidths(const std::vector<std::int64_t>& widths);

  /// The newest measurements; null if there are none.
  const TimedScore* score(const Submodel& submodel) const { return scores_.find(submodel); }
  const TimedScore* choiceScore() const { return score(choice_); }
  const TimedScore* wholeScore() const;
  /// The requested mixes. They are measured again while training runs.
  const std::vector<Submodel>& mixes() const { return mixes_; }
  /// Remaining measurements, and the number requested since the queue was last empty.
  int left() const { return queue_.left(); }
  int asked() const { return asked_; }
  /// What could not be measured of the newest moment.
  const std::optional<Error>& problem() const { return problem_; }

  /// Equal widths in all layers, at the granularities and midway between two.
  void mixUniform();
  /// Chooses the largest submodel with at most this many parameters by the paper's heuristic.
  void mixBudget(std::int64_t parameters);
  /// Different ones each time.
  void mixRandom(int count);
  /// Every combination of granularities per layer or, if there are too many, those of the
  /// heuristic.
  void mixFront();
  /// Whether mixFront() measures every choice.
  bool frontIsWhole() const;
  /// Removes mixes that have not been measured yet.
  void cancelMixes();
  void forgetMixes();

  /// Answers to the document's question by all granularities, and by the choice if it is none of
  /// them.
  const ElasticAnswers& answers() const { return answers_; }

  /// Continues training with these submodels; none: plain training. Throws Error.
  void train(const matformer::Nesting& nesting);
  /// Trains each granularity separately, and the nested model again. Does nothing if the model is
  /// not nested. Opening another document discards the study.
  void startStudy(std::int64_t steps, int seeds);
  NestingStudy& study() { return study_; }
  /// Saves the choice as a separate document. `done` is called with the error, if any.
  void extract(const QString& path, std::function<void(const std::optional<Error>&)> done);

 signals:
  /// The model, its granularities or how they are trained changed, and perhaps the choice.
  void modelChanged();
  /// The parameters in state() changed.
  void stateChanged();
  void choiceChanged();
  void scoresChanged();
  void answersChanged();

 private:
  /// Takes the newest snapshot of the document.
  void look();
  void takeState(std::shared_ptr<const ModelState> state);
  void updateGranularities();
  /// Starts to measure a newer moment when it is due.
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
  int measured_moment_ = 0;     ///< the one being measured
  matformer::Nesting nesting_;  ///< the nesting that granularities_ are of
  std::vector<matformer::Granularity> granularities_;
  Submodel choice_;
  std::vector<Submodel> mixes_;
  ElasticScores scores_;
  std::optional<Error> problem_;
  ElasticAnswers answers_;
  LatestJob asking_{this};
  std::uint64_t draws_ = 0;  ///< number of random mixes drawn
  int asked_ = 0;
  QElapsedTimer since_round_;
  SubmodelQueue queue_;
  NestingStudy study_{&train::runNestingStudy};
};

}  // namespace tfm::ui
