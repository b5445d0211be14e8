// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QPointer>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/data/task_config.h"
#include "ui/document/forward.h"
#include "ui/document/screens.h"
#include "ui/figure/report_host.h"
#include "ui/study/forward.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/widgets/forward.h"
#include "ui/window/forward.h"
#include "ui/window/settings.h"

namespace tfm {
struct Preset;
}  // namespace tfm
namespace tfm::train {
struct Document;
struct WindowState;
}  // namespace tfm::train

namespace tfm::ui {

/// The main window: experiment on the left, screens in the middle, inspector on the right,
/// transport bar below. Connects the views and handles files, menus and settings.
class MainWindow : public QMainWindow, public ReportHost {
  Q_OBJECT

 public:
  MainWindow(Style& style, ModelDocument& document, Settings& settings);
  ~MainWindow() override;

  /// Opens a document, or imports the encoder in a folder. Returns false and shows a message if
  /// that fails; for a file that is not a model but can be trained on, the message offers a new
  /// run.
  bool openFile(const QString& path);
  /// Asks, one by one, whether to recover the runs found by `recovery`, until one is opened.
  /// `recovery` must outlive this.
  void offerRecovery(Recovery& recovery);
  /// Runs `work` and shows the Error it throws, if any; returns whether there was none.
  bool attempt(const std::function<void()>& work);
  /// Opens a lesson; see LessonGuide::open().
  bool openLesson(const QString& path);
  /// Shows ways to begin.
  void welcome();
  /// Opens the small trained model shown at startup. Space retrains it from its initial weights.
  void openDemonstration();

  /// A screen that the open lesson does not use stays closed, and a note says why.
  void showScreen(int screen);
  int screen() const;
  /// Why a screen cannot be opened now; empty: it can.
  QString whyLocked(int screen) const;
  /// Whether the open lesson locks a command or a part of a screen; then a note says so.
  bool refuses(const QString& name);
  /// Never asks questions, e.g. when closing; for automated runs.
  void setUnattended(bool unattended);
  /// Asks for the data and model of a new run; `learned`: what it is to learn.
  void startNewRun(const std::optional<data::TaskConfig>& learned = {});
  /// Shows a message until it is closed or replaced.
  void say(const Message& message);

  AttentionView& attention() { return *attention_; }
  MatricesView& matrices() { return *matrices_; }
  TrainView& train() { return *train_; }
  GrowView& grow() { return *grow_; }
  ElasticView& elastic() { return *elastic_; }
  WriteView& write() { return *write_; }
  WriteView& liveText() { return *live_text_; }
  ShapeView& shape() { return *shape_; }
  /// The list of interventions, opened where it is not.
  WhatIfDialog& whatIf();
  FlowView& flow() { return *flow_; }
  /// The documents that the program grew out of.
  SourcesDialog& sources();
  /// The pages of docs/, shown at a place of them; empty: where it was.
  Manual& manual(const QString& place = {});
  TypingGuard& typing() { return *typing_; }
  LessonGuide& lessons() { return *lessons_; }
  ReportDesk& reports() { return *reports_; }
  void addToReport(QWidget& view, const Figure& figure,
                   const std::function<report::Source()>& source) override;

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  struct Command;
  /// The look to restore when projector mode ends.
  struct UsualLook {
    Theme theme;
    double scale;
    QByteArray zones;
  };

  void layOut();
  void lockScreens();
  /// Sets up keyboard focus, so that keys reach their targets.
  void shareKeyboard();
  void addMenus();
  void addCommands(QMenu& menu, const std::vector<Command>& commands);
  void addThemes(QMenu& menu);
  void addUndo(QMenu& menu);
  void fillRecent(QMenu& menu);
  void addLessons(QMenu& menu);
  void writeLesson();
  void showNotes();
  void addPresenter(QMenu& view);
  void connectDocument();

  /// Opens a trained nested model.
  void openElasticExample(bool facts);
  /// From now on Play continues instead of retraining the demonstration.
  void endDemonstration();
  void startOver(bool new_seed);
  void togglePlay();
  void stepOnce();
  /// Shows a note when a run starts slowly or continues past its stop.
  void showRunNote();
  void placeMessages();
  /// Shows a message for a few seconds.
  void showNote(const QString& what, const QString& details);
  void setProjector(bool on);
  /// Scales everything, including the widths of the side zones.
  void zoom(double factor);
  void showShortcuts();
  void showProfile();
  void choosePluginFolder();
  void compareModels();
  void measureImportance();
  void patchTexts();
  void showTopTexts(const std::string& target);
  void showSources();
  /// Opens a preset, or the recipe of a source document if it is empty or the document's own,
  /// unless it is open, and shows a screen; on Shape, only a preset's outlines.
  void openSource(const reproduce::Source& source, int screen, const std::string& preset = {});
  void addPresets(QMenu& menu);
  void openPreset(const Preset& preset);
  /// Switches to a model made on another thread, which can be undone.
  void openUntrained(std::function<train::Document()> make, std::function<void()> then);
  void sayUntrained(const QString& title, const QString& action = {},
                    std::function<void()> run = {});
  void showInterventions();
  void connectInterventions();
  /// What the window shows of the open model, for its document; and shows it again.
  void keepIn(train::WindowState& window) const;
  void reopen(const train::WindowState& window);
  void fillHistory(QMenu& menu);
  /// Says that training runs without the interventions in force; false if there are none.
  bool sayTrainedWithout();

  std::unique_ptr<WithoutSheet> putting_together_;  ///< until then
  Style& style_;
  ModelDocument& document_;
  Settings& settings_;
  TopBar* top_;
  MessageBar* messages_;
  Rail* rail_;
  Zones* zones_;
  QPointer<ProfileDialog> profile_;
  QPointer<WhatIfDialog> what_if_;
  QPointer<Manual> manual_;
  SourcesDialog* sources_ = nullptr;
  std::string opened_;  ///< what openSource() opened: a source or a preset; empty: another model
  ExperimentDock* dock_;
  TrainView* train_;
  AttentionView* attention_;
  MatricesView* matrices_;
  GrowView* grow_;
  ElasticView* elastic_;
  WriteView* write_;
  WriteView* live_text_;  ///< on the Train screen
  ShapeView* shape_;
  FlowView* flow_;
  std::vector<View*> screens_;  ///< all, in the order of Screen
  TransportBar* transport_;
  TypingGuard* typing_;
  WindowFiles* files_;
  LessonGuide* lessons_;
  ReportDesk* reports_;
  LessonEditor* editor_ = nullptr;  ///< made when first asked for
  LessonNotes* notes_ = nullptr;    ///< the same
  Presenter* presenter_;
  QMenu* recent_ = nullptr;
  QTimer note_;  ///< hides a note
  bool demonstrating_ = false;
  std::optional<UsualLook> usual_look_;  ///< set in projector mode
};

}  // namespace tfm::ui
