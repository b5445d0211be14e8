// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <functional>
#include <vector>

namespace tfm::ui {

class MainWindow;
class ModelDocument;
class Style;

/// Plays the program's main job in the real window with no hand on the mouse: makes the README's
/// pictures, measures on the way, and fails if anything is not as it should be. A new screen joins
/// as one more stop.
class Tour {
 public:
  /// Pictures and tour.json go to `folder`, which is made if needed. `startup_milliseconds`: from
  /// the program's start until the window was there.
  Tour(MainWindow& window, ModelDocument& document, Style& style, const QString& folder,
       double startup_milliseconds);

  /// Exit code: 0 if every check held.
  int play();

 private:
  struct Stop {
    const char* name;
    void (Tour::*visit)();
  };
  static const std::vector<Stop>& stops();

  void openTrained();
  void forgetAndLearn();
  void watchTraining();
  void lookAtAttention();
  void followOneCell();
  void compareSteps();
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
  void compareWirings();
  void extractChoice();
  void changeLooks();
  void seeScreens(const QString& look);
  void exportFigures();
  void saveAndReopen();

  void measureClicks();
  void awaitFirstRightAnswer();
  void picture(const QString& name);
  void picture(const QString& name, QWidget& window);
  void check(bool holds, const QString& what);
  void measure(const QString& name, double value);
  /// The newest snapshot was made at or after `step`.
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
