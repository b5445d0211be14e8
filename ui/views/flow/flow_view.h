// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "ui/document/latest_job.h"
#include "ui/forward.h"
#include "ui/views/flow/flow_answers.h"
#include "ui/views/flow/flow_parts.h"
#include "ui/views/flow/flow_run.h"
#include "ui/views/view.h"

namespace tfm::ui {

/// The Flow screen: the running model as a diagram that can be opened part by part, where each
/// number comes from, and what reads it.
class FlowView : public View {
  Q_OBJECT

 public:
  FlowView(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

  FlowDiagram& diagram() { return *diagram_; }
  FlowInspector& numbers() { return *numbers_; }
  FlowTrail& trail() { return *trail_; }
  const FlowTrail& trail() const { return *trail_; }
  FlowStepper& stepper() { return *stepper_; }
  FlowLens& lens() { return *lens_; }
  /// What is shown; null until the first run is there.
  const std::shared_ptr<FlowRun>& run() const { return run_; }
  bool isReady() const { return run_ != nullptr && !job_.isBusy(); }
  bool keepsInspector() const override { return true; }

  void showSide(FlowSide side);
  void showLens(bool shown);
  /// Goes to a number: opens the part that contains it, locks it and adds it to the trail.
  void go(const observe::NumberPlace& place);
  /// Goes to what decides the answer at a position: its probability, or its logit.
  void askWhy(int position);
  /// From the present number along the largest terms, down to a token or a weight.
  void traceToInput();

 protected:
  Need need() const override;
  void shown() override;
  void hidden() override;
  QWidget* picture() const override;
  /// Without the left side, the answer and the path of a number are above the diagram.
  void leftShown(bool shown) override;

 private:
  /// Of the switch above the diagram.
  enum class Choice { Values, Gradients, Difference, Texts };
  struct Made {
    std::shared_ptr<FlowRun> run;
    std::optional<Error> problem;
    bool gradients = false;  ///< were asked for
  };

  QWidget* makeBody();
  QWidget* makeLeft();
  void connectAll();
  void addShortcuts();
  void forget();
  void takeSnapshot();
  /// Whether the run is that of a training step: for gradients, on a path from them, and on a walk.
  bool wantsGradients() const;
  /// Whether the update of a weight is known without asking for gradients, as that is quick.
  bool wantsUpdates() const;
  /// Whether the run that is shown is of the kind that is wanted, or cannot be.
  bool hasWantedRun() const;
  std::optional<FlowSource> source() const;
  void takeRun(Made made);
  /// Offers the difference of two texts where there are two.
  void offerTexts();
  void showAnswer();
  void showHeads();
  void showWay();
  /// The part that the way leads to: that of the locked number, else the one opened last.
  std::size_t shownNode() const;
  /// Closes all inside a part.
  void goUpTo(std::size_t node);
  void toggle(std::size_t node);
  void goUp();
  void showStep();
  void openForStep(std::optional<std::size_t> step);
  void showItem(int item, bool locked);
  void see(const observe::NumberPlace& place);
  /// Shows no number any more, here and in the views that it was chosen in.
  void release();
  /// The number that was shown, with the values of another run; the last one of the way that the
  /// run has, if it does not have that.
  void showAgain();
  void explain(const std::optional<observe::NumberPlace>& place, bool locked);
  /// Frames the numbers that the explained one is computed from.
  void lightTerms();
  /// Tells other views what is locked: a weight, a cell of an attention, or the token of another
  /// number; goes to what they lock.
  void choose(const observe::NumberPlace& place);
  void chooseHead(int head);
  void followChoice();
  /// Whether the number is drawn once its part is open and its head is chosen.
  bool openFor(const observe::NumberPlace& place);
  void addChanges();
  /// Those of some parts that the model lets be changed.
  std::vector<FlowPart> possible(std::vector<FlowPart> parts) const;
  std::vector<FlowPart> partsFor(const observe::NumberPlace& place) const;
  std::vector<FlowPart> partsOfItem(int item) const;
  void showPartsMenu(int item, const QPoint& place);
  void showPartsMenu(const std::vector<FlowPart>& parts,
                     const std::optional<observe::NumberPlace>& number, const QPoint& place);
  /// Lets the locked number be tried with other values, if the model can be asked with them.
  void offerOtherwise();
  void tryNumber(double value);
  void showAttempt(const FlowAnswers& answers);
  FlowSide side() const;
  bool showsLens() const;
  void showMode();

  const Style& style_;
  ModelDocument& document_;
  LatestJob job_{this};
  std::shared_ptr<FlowRun> run_;
  std::optional<observe::NumberPlace> awaited_;  ///< to be shown in a run that is being made
  bool following_ = false;                       ///< a path leads to the other side
  bool on_way_ = false;  ///< from gradients to numbers of the same training step
  /// A number that is tried with other values, and what is answered without them.
  struct Attempt {
    std::string target;
    FlowAnswers before;
    std::optional<std::int64_t> row;  ///< the position whose answer is shown
  };
  struct Tried {
    FlowAnswers answers;
    std::optional<Error> problem;
  };
  LatestJob tries_{this};
  Attempt attempt_;
  std::string model_;                ///< the paths of the map that is open, as one text
  std::vector<std::string> opened_;  ///< parts in the order in which they were opened
  std::set<std::string> walked_;     ///< parts that are open only as a walk is in them

  Panel* panel_;
  Segmented* sides_;
  Segmented* modes_;
  QStackedWidget* pictures_;
  FlowLens* lens_;
  QWidget* place_;  ///< the parts around what is shown, and the head
  QToolButton* back_;
  QLabel* way_;
  QLabel* head_name_;
  QSpinBox* head_;
  FlowDiagram* diagram_;
  FlowStepper* stepper_;
  FlowInspector* numbers_;
  Section* text_;  ///< the question and its answer
  QuestionField* question_;
  TokenLine* answer_;
  bool left_shown_ = true;
  FlowTrail* trail_;
};

}  // namespace tfm::ui
