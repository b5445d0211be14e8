// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCloseEvent>
#include <QDropEvent>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QScrollArea>
#include <QStatusTipEvent>
#include <algorithm>

#include "core/backend/registry.h"
#include "core/base/error.h"
#include "ui/document/model_document.h"
#include "ui/document/screens.h"
#include "ui/figure/explanation_pane.h"
#include "ui/figure/glossary.h"
#include "ui/style/style.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/elastic/elastic_inspector.h"
#include "ui/views/elastic/elastic_setup.h"
#include "ui/views/elastic/elastic_view.h"
#include "ui/views/experiment/experiment_dock.h"
#include "ui/views/flow/flow_view.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/lesson/lesson_panel.h"
#include "ui/views/matrices/matrices_view.h"
#include "ui/views/shape/shape_view.h"
#include "ui/views/train/train_view.h"
#include "ui/views/transport/transport_bar.h"
#include "ui/views/write/write_view.h"
#include "ui/widgets/forward_key.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/lesson_guide.h"
#include "ui/window/presenter.h"
#include "ui/window/rail.h"
#include "ui/window/report_desk.h"
#include "ui/window/top_bar.h"
#include "ui/window/typing_guard.h"
#include "ui/window/window_files.h"
#include "ui/window/zones.h"

namespace tfm::ui {
namespace {

constexpr double kWidestMessage = 640;  // longer lines are hard to read
constexpr double kMinMessage = 300;
constexpr double kPictureShare = 0.6, kTrainShare = 0.45;  // of the window, for a screen
// A projector's text is as large as the room for the picture permits.
constexpr double kProjectorWidth = 1024, kLeastProjector = 1.25, kMostProjector = 1.8;
constexpr double kMinName = 200;  // of the document beside a message; else it is hidden

}  // namespace

MainWindow::MainWindow(Style& style, ModelDocument& document, Settings& settings)
    : putting_together_(std::make_unique<WithoutSheet>(style)),
      style_(style),
      document_(document),
      settings_(settings),
      top_(new TopBar(style)),
      messages_(new MessageBar(style)),
      rail_(new Rail(style)),
      zones_(new Zones(style)),
      dock_(new ExperimentDock(style, document)),
      train_(new TrainView(style, document)),
      attention_(new AttentionView(style, document)),
      matrices_(new MatricesView(style, document)),
      grow_(new GrowView(style, document)),
      elastic_(new ElasticView(style, document)),
      write_(new WriteView(style, document)),
      live_text_(new WriteView(style, document, WriteView::Form::Pane)),
      shape_(new ShapeView(style, document)),
      flow_(new FlowView(style, document)),
      screens_{train_, attention_, matrices_, grow_, elastic_, write_, shape_, flow_},
      transport_(new TransportBar(style, document)),
      typing_(new TypingGuard(*this)),
      files_(new WindowFiles(*this, style, document, settings)),
      lessons_(new LessonGuide(*this, *zones_, *transport_, style, document, settings)),
      reports_(new ReportDesk(*this, style, document, *lessons_, settings.reportPath())),
      presenter_(new Presenter(style, *this)) {
  transport_->setPlayAction([this] { togglePlay(); });
  transport_->setStartOverAction([this](bool new_seed) { startOver(new_seed); });
  dock_->setChangeAction([this] { startNewRun(); });
  train_->setTextPane(live_text_);
  layOut();
  addMenus();
  connectDocument();
  connectInterventions();
  shareKeyboard();
  connect(new GlossaryTips(this), &GlossaryTips::manualRequested, this,
          [this](const QString& place) { manual(place); });
  setAcceptDrops(true);
  if (!restoreGeometry(settings_.geometry()))
    resize(QSize(1600, 1000).boundedTo(QWidget::screen()->availableSize()));
  zones_->restore(settings_.zones());
  if (!settings_.pluginFolder().isEmpty()) addPluginFolder(settings_.pluginFolder().toStdString());
  showScreen(settings_.screen());
  putting_together_.reset();
  train::WindowState fresh;
  keepIn(fresh);
  lessons_->setFresh(std::move(fresh));
}

MainWindow::~MainWindow() {
  document_.setWindowParts({});
  document_.setReplaceQuestion({});
}

void MainWindow::layOut() {
  for (View* view : screens_) {
    const auto screen = std::size_t(zones_->count());
    top_->addScreen(screenText(screen), QLatin1String(kScreens[screen].icon));
    QWidget* left = view->left();
    zones_->add({view, left != nullptr ? left : dock_, view->inspector(),
                 left != nullptr ? view->leftName() : tr("Experiment"),
                 view == train_ ? kTrainShare : kPictureShare});
  }
  // A lesson stands in the rail's place.
  connect(lessons_, &LessonGuide::opened, rail_, &QWidget::setHidden);
  connect(lessons_, &LessonGuide::opened, this, &MainWindow::lockScreens);
  connect(lessons_, &LessonGuide::unlocked, this, &MainWindow::lockScreens);
  connect(lessons_, &LessonGuide::refused, this, &MainWindow::refuses);
  connect(lessons_, &LessonGuide::examRunning, top_, &TopBar::setExam);
  connect(&zones_->explanation(), &ExplanationPane::manualRequested, this,
          [this](const QString& place) { manual(place); });

  auto* all = new QWidget;
  all->setLayout(columnOf(
      style_, 0,
      {top_, {rowOf(style_, 0, {rail_, &lessons_->panel(), {zones_, 1}}), 1}, transport_}));
  setCentralWidget(all);
  // On top of the screens' bar and in no layout, so that showing a message moves nothing.
  messages_->setParent(all);
  messages_->installEventFilter(this);
  connect(top_, &TopBar::roomChanged, this, &MainWindow::placeMessages);
  connect(top_, &TopBar::inspectorAsked, this,
          [this](bool shown) { zones_->ask(Zones::kRight, shown); });
  connect(rail_, &Rail::asked, this, [this](bool shown) { zones_->ask(Zones::kLeft, shown); });
  connect(zones_, &Zones::sidesChanged, this, [this] {
    rail_->setPanel(zones_->leftName(), zones_->isShown(Zones::kLeft));
    top_->setInspectorShown(zones_->isShown(Zones::kRight));
  });
}

void MainWindow::zoom(double factor) {
  const double before = style_.scale();
  const QList<int> sizes = zones_->sizes();  // a larger scale may widen the zones by itself
  style_.setScale(before * factor);
  if (usual_look_) return;
  settings_.setScale(style_.scale());
  zones_->scaleSides(sizes, style_.scale() / before);
}

void MainWindow::shareKeyboard() {
  // Clicking a button or the background leaves no button focused, so that Space still means play.
  for (auto* button : findChildren<QAbstractButton*>())
    button->setFocusPolicy(Qt::FocusPolicy(button->focusPolicy() & Qt::TabFocus));
  setFocusPolicy(Qt::ClickFocus);
  setFocus();
  // A scroll area follows Tab only between its own controls.
  connect(qApp, &QApplication::focusChanged, this, [](QWidget*, QWidget* now) {
    for (QWidget* around = now; around != nullptr; around = around->parentWidget())
      if (auto* area = qobject_cast<QScrollArea*>(around)) area->ensureWidgetVisible(now);
  });
}

bool MainWindow::event(QEvent* event) {
  // Sent by whatever has saved a file.
  if (event->type() == QEvent::StatusTip) {
    const QString tip = static_cast<QStatusTipEvent*>(event)->tip();
    if (!tip.isEmpty()) showNote(tr("Saved"), tip);
    return true;
  }
  // Space presses a button focused by Tab rather than acting as a shortcut.
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Space && qobject_cast<QAbstractButton*>(focusWidget()) != nullptr) {
      event->accept();
      return true;
    }
  }
  if (event->type() == QEvent::WindowActivate) files_->checkForExternalChange();
  return QMainWindow::event(event);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  if (watched == messages_ &&
      (event->type() == QEvent::Show || event->type() == QEvent::LayoutRequest))
    placeMessages();
  return QMainWindow::eventFilter(watched, event);
}

void MainWindow::placeMessages() {
  const QRect room = top_->room();
  const int widest = style_.px(kWidestMessage), name = style_.px(kMinName);
  const int width = room.width() < widest + name ? room.width() : widest;
  const int least = style_.px(kMinMessage);
  if (room.width() >= least) {
    const int height = messages_->layout()->totalHeightForWidth(width);
    messages_->setGeometry(room.left(), room.top(), width, std::max(room.height(), height));
  } else {
    // Below the bar, as low as its text permits: what it covers is in use.
    const int wide = std::min(widest, top_->width());
    const int height = messages_->layout()->totalHeightForWidth(wide);
    messages_->setGeometry(top_->width() - wide, top_->geometry().bottom() + 1, wide, height);
  }
  messages_->raise();
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_F1) return zones_->explainScreen();
  // After a click on a button the focus is here, but keys are meant for the screen.
  if (event->key() == Qt::Key_Escape && forwardKey(*zones_->screen(screen()), *event)) return;
  typing_->wasUnused(*event);
  QMainWindow::keyPressEvent(event);
}

void MainWindow::connectDocument() {
  connect(typing_, &TypingGuard::ignoring, this, [this] {
    showNote(tr("Nothing is listening to your typing"),
             tr("Click into a field to type. Esc: keys are commands again."));
  });
  note_.setSingleShot(true);
  connect(&note_, &QTimer::timeout, messages_, &QWidget::hide);
  connect(top_, &TopBar::screenChosen, this, &MainWindow::showScreen);
  connect(&document_.files(), &Files::titleChanged, this, [this] {
    top_->setDocument(document_.files().name(), document_.files().isModified());
    setWindowTitle(
        tr("%1[*] — Transformarium").arg(document_.files().name().replace("[*]", "[*][*]")));
    setWindowModified(document_.files().isModified());
  });
  connect(&document_, &ModelDocument::replaced, this, [this] {
    demonstrating_ = false;
    opened_.clear();
    messages_->hide();
  });
  document_.setWindowParts([this](train::WindowState& window) { keepIn(window); });
  connect(&document_, &ModelDocument::reopened, this, &MainWindow::reopen);
  // After growing or training the demonstration, Play should continue, not restart.
  connect(&document_.moments(), &Moments::shapeChanged, this, &MainWindow::endDemonstration);
  connect(&document_.training(), &Training::rewound, this, &MainWindow::endDemonstration);
  connect(&document_.training(), &Training::measured, this, &MainWindow::endDemonstration);
  // The same after other actions on it.
  connect(&document_.training(), &Training::configChanged, this, [this] {
    const train::TrainConfig& training = document_.training().config();
    if (!training.growths.empty() || !training.nesting.widths.empty()) endDemonstration();
  });
  connect(&document_.training(), &Training::runningChanged, this, [this](bool running) {
    if (!running) return;
    messages_->hide();
    showRunNote();
  });
  connect(&document_.training(), &Training::stopped, this,
          [this](const QString& reason) { showNote(tr("Training stopped"), reason); });
  connect(&document_.changes(), &Changes::stepsSetAside, this, [this](std::int64_t steps) {
    if (document_.training().isRunning() && sayTrainedWithout()) return;
    showNote(tr("%1 steps of training were set aside").arg(QString::number(steps)),
             tr("Ctrl+Z brings them back."));
  });
  connect(&document_.training(), &Training::rewound, this, [this] {
    if (note_.isActive()) messages_->hide();
  });
  connect(&document_.changes(), &Changes::undoDropped, this, [this] {
    showNote(tr("The oldest changes can no longer be undone"), tr("The undo memory is full."));
  });
  const auto show_error = [this](const Error& problem) {
    note_.stop();
    messages_->showError(problem);
  };
  const auto write = [this] {
    if (screen() == kTrain) return live_text_->write();
    showScreen(kWrite);
    write_->write();
  };
  connect(dock_, &ExperimentDock::writeRequested, this, write);
  connect(dock_, &ExperimentDock::sourcesRequested, this, &MainWindow::showSources);
  connect(grow_, &GrowView::failed, this, show_error);
  connect(grow_, &GrowView::saved, this, &MainWindow::showNote);
  connect(elastic_->parts().setup, &ElasticSetup::failed, this, show_error);
  connect(elastic_->parts().inspector, &ElasticInspector::failed, this, show_error);
  connect(shape_, &ShapeView::failed, this, show_error);
  connect(shape_, &ShapeView::started, this, [this] {
    showScreen(kTrain);
    document_.training().play();
  });
  connect(elastic_->parts().setup, &ElasticSetup::exampleRequested, this,
          [this](ElasticSetup::Example example) {
            if (document_.mayReplace()) openElasticExample(example == ElasticSetup::Example::Facts);
          });
  connect(elastic_->parts().inspector, &ElasticInspector::saved, this,
          [this](const QString& name, const QString& path) {
            showNote(tr("Submodel %1 saved").arg(name), path);
          });
  connect(&document_.training(), &Training::failed, this, [this](const QString& problem) {
    say({MessageKind::Error, tr("Training stopped"), {}, problem});
  });
  connect(&document_.training(), &Training::deviceFull, this, [this](const QString& problem) {
    say({MessageKind::Error,
         tr("Training stopped"),
         {},
         problem,
         tr("Continue on the CPU"),
         [this] {
           chooseDevice("cpu");
           document_.training().moveToDevice();
           document_.training().play();
         }});
  });
  const auto offer_task = [this](const QString& what, const QString& where, const QString& hint) {
    say({MessageKind::Warning, what, where, hint, tr("Give it a task..."),
         [this] { startNewRun({}); }});
  };
  connect(&document_.training(), &Training::taskWanted, this, [this, offer_task] {
    const Error why = document_.whyNoTask();
    offer_task(QString::fromStdString(why.problem()), QString::fromStdString(why.where()),
               tr("Training, measuring and studies need one. The weights are kept."));
  });
  connect(&document_, &ModelDocument::foundNoTask, this, [offer_task](const Error& problem) {
    offer_task(QString::fromStdString(problem.problem()), QString::fromStdString(problem.where()),
               QString::fromStdString(problem.hint()));
  });
  connect(&document_, &ModelDocument::foundBroken, this, [this](const QString& note) {
    say({MessageKind::Warning, tr("This model is broken"), {}, note});
  });
  connect(&document_, &ModelDocument::importedWithNote, this, [this](const QString& note) {
    say({MessageKind::Warning, tr("Something was left out of the import"), {}, note});
  });
  connect(&document_.training(), &Training::diverged, this,
          [this](const QString& problem, bool can_go_back) {
            Message message{MessageKind::Error, tr("Training stopped"), {}, problem};
            if (can_go_back) {
              message.action = tr("Restore the last good state");
              message.onAction = [this] { document_.changes().restoreLastGood(); };
            }
            say(message);
          });
}

bool MainWindow::refuses(const QString& name) {
  const QString why = lessons_->whyLocked(name);
  if (!why.isEmpty()) showNote(tr("%1 is locked").arg(name), why);
  return !why.isEmpty();
}

QString MainWindow::whyLocked(int screen) const {
  if (!lessons_->isLocked()) return {};
  const std::vector<std::string>& used = lessons_->panel().lesson().screens;
  if (used.empty() || std::ranges::count(used, kScreens[std::size_t(screen)].name) > 0) return {};
  QStringList names;
  for (const std::string& name : used) names << QString::fromStdString(name);
  return tr("The open lesson uses %1 only.").arg(names.join(tr(", ")));
}

void MainWindow::lockScreens() {
  int open = -1;
  for (int screen = zones_->count() - 1; screen >= 0; --screen) {
    const QString why = whyLocked(screen);
    top_->setLocked(screen, why);
    if (why.isEmpty()) open = screen;
  }
  if (!whyLocked(zones_->current()).isEmpty()) showScreen(open);
}

void MainWindow::showScreen(int screen) {
  const int known = std::clamp(screen, 0, zones_->count() - 1);
  if (const QString why = whyLocked(known); !why.isEmpty()) {
    top_->setCurrent(zones_->current());
    return showNote(tr("%1 is locked").arg(screenText(std::size_t(known))), why);
  }
  // Otherwise the next button would get the focus, and Space would press it instead of playing.
  const QWidget* focused = focusWidget();
  if (focused != nullptr && known != zones_->current() &&
      zones_->screen(zones_->current())->isAncestorOf(focused))
    zones_->setFocus();
  // Its greeting was for the first screen.
  if (demonstrating_ && known != zones_->current()) messages_->hide();
  zones_->setCurrent(known);
  top_->setCurrent(known);
  settings_.setScreen(known);
}

int MainWindow::screen() const { return zones_->current(); }

bool MainWindow::attempt(const std::function<void()>& work) {
  try {
    work();
    return true;
  } catch (const Error& problem) {
    note_.stop();
    messages_->showError(problem);
  } catch (const std::exception& problem) {
    say({MessageKind::Error, QString::fromUtf8(problem.what())});
  }
  return false;
}

void MainWindow::say(const Message& message) {
  note_.stop();
  messages_->showMessage(message);
}

void MainWindow::showNote(const QString& what, const QString& details) {
  constexpr int kMilliseconds = 6000;
  say({MessageKind::Good, what, {}, details});
  note_.start(kMilliseconds);
}

void MainWindow::setProjector(bool on) {
  if (on) usual_look_ = UsualLook{style_.theme(), style_.scale(), zones_->state()};
  style_.setTheme(on ? Theme::Light : usual_look_->theme);
  style_.setScale(on ? std::clamp(width() / kProjectorWidth, kLeastProjector, kMostProjector)
                     : usual_look_->scale);
  menuBar()->setVisible(!on);
  top_->setMenuShown(on);
  presenter_->setProjector(on);
  if (on) return;
  zones_->restore(usual_look_->zones);
  usual_look_.reset();
}

bool MainWindow::openFile(const QString& path) {
  return path.endsWith(QStringLiteral(".lesson.md")) ? openLesson(path) : files_->open(path);
}

void MainWindow::addToReport(QWidget& view, const Figure& figure,
                             const std::function<report::Source()>& source) {
  reports_->add(view, figure, source);
}

bool MainWindow::openLesson(const QString& path) { return lessons_->open(path); }

void MainWindow::offerRecovery(Recovery& recovery) { files_->offerRecovery(recovery); }

void MainWindow::setUnattended(bool unattended) { files_->setUnattended(unattended); }

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (!urls.isEmpty() && urls.front().isLocalFile()) openFile(urls.front().toLocalFile());
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!files_->maybeSave()) return event->ignore();
  settings_.setGeometry(saveGeometry());
  settings_.setZones(usual_look_ ? usual_look_->zones : zones_->state());
  event->accept();
}

}  // namespace tfm::ui
