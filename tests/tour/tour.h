// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <functional>
#include <vector>

#include "ui/document/forward.h"
#include "ui/figure/forward.h"
#include "ui/style/forward.h"
#include "ui/window/forward.h"

namespace tfm::ui {

/// Plays through the main features in the real window without a user: saves the manual's pictures,
/// measures, and fails if a check fails. A new screen adds a stop.
class Tour {
 public:
  /// Pictures and tour.json are written to `folder`, which is created if needed.
  /// `startup_milliseconds`: from program start until the window was shown.
  Tour(MainWindow& window, ModelDocument& document, Style& style, const QString& folder,
       double startup_milliseconds);

  /// Returns the exit code: 0 if all checks passed. `only`: the name of the one stop to visit;
  /// empty: all.
  int play(const QString& only = {});

 private:
  struct Stop {
    const char* name;
    void (Tour::*visit)();
  };
  static const std::vector<Stop>& stops();

  void openTrained();
  void retrain();
  void watchTraining();
  void lookAtAttention();
  void followOneCell();
  void followANumber();
  void compareSteps();
  void askWhatIf();
  void lookForDevices();
  void walkMatrices();
  void answerWords();
  void growTrained();
  void seeLooks();
  void breakARule();
  void trainGrown();
  void trainNested();
  void moveWidths();
  void mapFront();
  void compareTwins();
  void seeFunnel();
  void seeDelight();
  void openSources();
  void extractChoice();
  void changeLooks();
  void seeScreens(const QString& look);
  /// Calls `see` in the light and the high-contrast theme and on a projector, with their names.
  void inOtherLooks(const std::function<void(const QString&)>& see);
  /// Shows a stop as a class sees it, on a projector of 1280 x 720, and takes its picture: nothing
  /// may have to be scrolled.
  void onProjector(const QString& name);
  void exportFigures();
  /// Exports a figure in every format.
  void exportAll(const QString& name, const Figure& figure);
  void saveAndReopen();
  void openLarge();

  /// A new run of a preset, for a few steps.
  void trainShortly(const char* preset, const char* task, const QString& question);
  void measureClicks();
  /// Clicks at places of every picture that is shown.
  void measureClicksOn(const QString& screen);
  void awaitFirstRightAnswer();
  void picture(const QString& name);
  void picture(const QString& name, QWidget& window);
  void check(bool holds, const QString& what);
  static constexpr double kPatience = 180.0;  ///< seconds, for the slowest machine
  /// Checks that `done` becomes true in this time.
  void await(const QString& what, const std::function<bool()>& done, double seconds = kPatience);
  void measure(const QString& name, double value);
  /// Waits until the newest snapshot is of `step` or later.
  bool waitForLook(std::int64_t step);

  MainWindow& window_;
  ModelDocument& document_;
  Style& style_;
  QDir folder_;
  QJsonObject measured_;
  QJsonArray pictures_, failures_;
  int checks_ = 0;
};

}  // namespace tfm::ui
