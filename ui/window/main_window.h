// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QTimer>
#include <functional>
#include <optional>
#include <vector>

#include "ui/window/settings.h"

class QMenu;
class QSplitter;
class QStackedWidget;

namespace tfm::ui {

class AttentionView;
class ElasticView;
class ExperimentDock;
class GrowView;
class MatricesView;
class MessageBar;
class ModelDocument;
class Style;
class TopBar;
class TrainView;
class TransportBar;
struct Message;

/// The window: experiment left, screens in the middle, inspector right, transport below. Puts the
/// views together and knows files, menus and what is remembered; what a view shows is the view's
/// business.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  enum Screen { kTrain, kAttention, kMatrices, kGrow, kElastic };

  MainWindow(Style& style, ModelDocument& document, Settings& settings);
  ~MainWindow() override;

  /// Says what is wrong in the message bar and returns false if the file cannot be opened.
  bool openFile(const QString& path);
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

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  struct Command;
  /// One screen with what stands beside it.
  struct ScreenRow {
    const char* icon;
    QString name;  ///< with its letter for the menu
    QWidget* view;
    QWidget* left;
    QWidget* inspector;
  };
  std::vector<ScreenRow> screenRows() const;

  /// What the projector takes away for as long as it lasts.
  struct DeskLook {
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

  /// Play goes on with what is there from now on.
  void endDemonstration();
  void startNewRun();
  void openChosen();
  bool saveFile();
  bool saveAs();
  void exportWeights();
  /// True if nothing is lost by going on.
  bool mayLeaveDocument();
  /// Runs what may throw Error and shows the error.
  bool attempt(const std::function<void()>& work);
  void togglePlay();
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

  Style& style_;
  ModelDocument& document_;
  Settings& settings_;
  TopBar* top_;
  MessageBar* messages_;
  QSplitter* zones_;
  QStackedWidget* left_;
  QStackedWidget* screens_;
  QStackedWidget* inspectors_;
  ExperimentDock* dock_;
  TrainView* train_;
  AttentionView* attention_;
  MatricesView* matrices_;
  GrowView* grow_;
  ElasticView* elastic_;
  TransportBar* transport_;
  QMenu* recent_ = nullptr;
  QTimer note_;  ///< runs out when a note has been there long enough
  bool demonstrating_ = false;
  bool unattended_ = false;
  std::optional<DeskLook> desk_;  ///< while the projector has the window
};

}  // namespace tfm::ui
