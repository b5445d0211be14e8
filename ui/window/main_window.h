// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QPointer>
#include <QTimer>
#include <functional>
#include <optional>
#include <vector>

#include "core/data/task_config.h"
#include "core/io/file_identity.h"
#include "core/io/file_kind.h"
#include "ui/window/settings.h"

class QMenu;

namespace tfm::ui {

class AttentionView;
class ElasticView;
class ExperimentDock;
class GrowView;
class MatricesView;
class MessageBar;
class ModelDocument;
class ProfileDialog;
class Recovery;
class Style;
class TopBar;
class TrainView;
class TransportBar;
class TypingGuard;
class View;
class WriteView;
class Zones;
struct Message;

/// The window: experiment left, screens in the middle, inspector right, transport below. Puts the
/// views together and knows files, menus and what is remembered; what a view shows is the view's
/// business.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  enum Screen { kTrain, kAttention, kMatrices, kGrow, kElastic, kWrite };

  MainWindow(Style& style, ModelDocument& document, Settings& settings);
  ~MainWindow() override;

  /// Says what is wrong in the message bar and returns false if the file cannot be opened. What no
  /// model is, but one can learn from, is offered for a new run.
  bool openFile(const QString& path);
  /// Asks, one after the other, what becomes of the runs that dead programs have left, until one is
  /// opened. `recovery` must outlive this.
  void offerLeftRuns(Recovery& recovery);
  /// Runs what may throw Error and shows the error.
  bool attempt(const std::function<void()>& work);
  /// The small trained model that the window begins with. Space makes it forget and learn again.
  void openDemonstration();

  void showScreen(int screen);
  int screen() const;
  /// Asks nothing when it closes: for runs without a hand on the mouse.
  void setUnattended(bool unattended) { unattended_ = unattended; }

  AttentionView& attention() { return *attention_; }
  MatricesView& matrices() { return *matrices_; }
  TrainView& train() { return *train_; }
  GrowView& grow() { return *grow_; }
  ElasticView& elastic() { return *elastic_; }
  WriteView& write() { return *write_; }
  TypingGuard& typing() { return *typing_; }

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  struct Command;
  struct ScreenRow {
    const char* icon;
    QString name;  ///< with its letter for the menu
    View* view;
  };
  std::vector<ScreenRow> screenRows() const;

  /// What the projector takes away for as long as it lasts.
  struct UsualLook {
    Theme theme;
    double scale;
    QByteArray zones;
  };

  void layOut();
  /// Sees to it that keys reach what they are meant for.
  void shareKeyboard();
  void addMenus();
  void addCommands(QMenu& menu, const std::vector<Command>& commands);
  void addThemes(QMenu& menu);
  void addUndo(QMenu& menu);
  void fillRecent(QMenu& menu);
  void connectDocument();

  /// A trained nested model instead of what is open.
  void openElasticExample(bool facts);
  /// Play goes on with what is there from now on.
  void endDemonstration();
  void startNewRun(const std::optional<data::TaskConfig>& learnt = {});
  void startOver(bool new_seed);
  /// Begins in this folder; "": where it was last.
  void openChosen(const QString& folder = {});
  /// Says what a file is that is no document.
  void explain(const QString& path, io::FileKind kind);
  bool saveFile();
  bool saveAs();
  /// Asks before what another program has put there goes.
  bool saveTo(const QString& path);
  enum class Conflict { Replace, AnotherName, Cancel };
  Conflict askAbout(const io::FileReplaced& problem);
  QString proposedPath() const;
  /// Says once that another program has changed the file.
  void noticeFile();
  void exportWeights();
  /// True if nothing is lost by going on.
  bool mayLeaveDocument();
  void togglePlay();
  /// What the numbers alone do not say of a run that has just begun or goes on.
  void sayHowItRuns();
  void placeMessages();
  /// Stays until it is closed or something else is said.
  void say(const Message& message);
  /// Goes away by itself.
  void showNote(const QString& what, const QString& details);
  void setProjector(bool on);
  /// All sizes, those of the zones at the sides too.
  void zoom(double factor);
  void showShortcuts();
  void showAbout();
  void showProfile();

  Style& style_;
  ModelDocument& document_;
  Settings& settings_;
  TopBar* top_;
  MessageBar* messages_;
  Zones* zones_;
  QPointer<ProfileDialog> profile_;
  ExperimentDock* dock_;
  TrainView* train_;
  AttentionView* attention_;
  MatricesView* matrices_;
  GrowView* grow_;
  ElasticView* elastic_;
  WriteView* write_;
  TransportBar* transport_;
  TypingGuard* typing_;
  QMenu* recent_ = nullptr;
  QTimer note_;  ///< runs out when a note has been there long enough
  bool demonstrating_ = false;
  bool unattended_ = false;
  io::FileIdentity noticed_;             ///< the last file that another program has put there
  std::optional<UsualLook> usual_look_;  ///< while the projector has the window
};

}  // namespace tfm::ui
