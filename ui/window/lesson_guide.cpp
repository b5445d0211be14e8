// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lesson_guide.h"

#include <QApplication>
#include <QDesktopServices>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>

#include "core/io/text_file.h"
#include "core/lesson/desk.h"
#include "core/lesson/password.h"
#include "core/lesson/targets.h"
#include "ui/document/demonstration.h"
#include "ui/document/model_document.h"
#include "ui/document/screens.h"
#include "ui/figure/corner_menu.h"
#include "ui/figure/explanation_pane.h"
#include "ui/style/style.h"
#include "ui/views/lesson/lesson_panel.h"
#include "ui/views/transport/transport_bar.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/lesson_exam.h"
#include "ui/window/lesson_locks.h"
#include "ui/window/main_window.h"
#include "ui/window/settings.h"
#include "ui/window/zones.h"

// The linker would drop the resources of a static library. Outside any namespace, as Qt requires.
static void loadLessons() { Q_INIT_RESOURCE(lessons); }

namespace tfm::ui {
namespace {

const QString kShipped = QStringLiteral(":/lessons");

/// What is compiled into the program.
std::string bundledText(const QString& path) {
  loadLessons();
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    throw Error("there is no '" + path.toStdString() + "'", {}, "See File, Lessons");
  return file.readAll().toStdString();
}

std::string lessonText(const QString& path) {
  return path.startsWith(kShipped) ? bundledText(path) : io::readTextFile(path.toStdString());
}

lesson::ReadLesson readLesson(const QString& path, const std::string& text) {
  return lesson::readLesson(text, path.startsWith(kShipped)
                                      ? QFileInfo(path).fileName().toStdString()
                                      : path.toStdString());
}

lesson::Files filesBeside(const QString& path) {
  const QDir folder = QFileInfo(path).dir();
  if (!path.startsWith(kShipped)) return lesson::filesIn(folder.path().toStdString());
  const auto place = [folder](const std::string& file) {
    return QDir::cleanPath(folder.filePath(QString::fromStdString(file)));
  };
  return {[place](const std::string& file) { return bundledDocument(place(file)); },
          [place](const std::string& file) { return bundledText(place(file)); }};
}

}  // namespace

LessonGuide::LessonGuide(MainWindow& window, Zones& zones, TransportBar& transport,
                         const Style& style, ModelDocument& document, Settings& settings)
    : QObject(&window),
      window_(window),
      zones_(zones),
      transport_(transport),
      style_(style),
      document_(document),
      settings_(settings),
      panel_(new LessonPanel(style, document)),
      locks_(new LessonLocks(style, window)),
      exam_(new LessonExam(window, *panel_)) {
  panel_->hide();
  connect(panel_, &LessonPanel::pageOpened, this, &LessonGuide::openPage);
  connect(panel_, &LessonPanel::advanced, this, [this] {
    settings_.setLessonProgress(path_, QString::fromStdString(lesson::toJson(panel_->progress())));
  });
  connect(panel_, &LessonPanel::linkClicked, this, [this](const QUrl& link) {
    // "manual:glossary.md#head" is a place of the manual.
    if (link.scheme() != QLatin1String("manual")) return void(QDesktopServices::openUrl(link));
    window_.manual(link.path() + (link.hasFragment() ? '#' + link.fragment() : QString()));
  });
  connect(panel_, &LessonPanel::closeAsked, this, &LessonGuide::closeAfterAsking);
  connect(locks_, &LessonLocks::refused, this, &LessonGuide::refused);
  connect(exam_, &LessonExam::running, this, &LessonGuide::examRunning);
  qApp->installEventFilter(this);
}

std::vector<LessonGuide::Row> LessonGuide::shipped() {
  loadLessons();
  std::vector<Row> rows;
  for (const QFileInfo& file :
       QDir(kShipped).entryInfoList({"*.lesson.md"}, QDir::Files, QDir::Name))
    rows.push_back({file.filePath(),
                    QString::fromStdString(
                        readLesson(file.filePath(), lessonText(file.filePath())).lesson.title)});
  return rows;
}

bool LessonGuide::isOpen() const { return !path_.isEmpty(); }

bool LessonGuide::open(const QString& path) { return mayClose() && open(path, nullptr); }

bool LessonGuide::tryOut(const QString& path, std::int64_t page) {
  lesson::Progress anew;
  anew.page = page;
  return open(path, &anew);
}

bool LessonGuide::open(const QString& path, const lesson::Progress* progress) {
  return window_.attempt([&] {
    std::string text = lessonText(path);
    const lesson::ReadLesson read = readLesson(path, text);
    if (!read.problems.empty()) throw Error(read.problems.front());
    train::Document start = lesson::startOf(read.lesson, filesBeside(path));
    locks_->lock({});  // those of the lesson that was open
    if (!document_.mayReplace()) return lock();
    start.window.parts.insert(fresh_.parts.begin(), fresh_.parts.end());
    lesson::Progress now = progress != nullptr ? *progress : lesson::Progress();
    const QString kept = settings_.lessonProgress(path);
    if (progress == nullptr && !kept.isEmpty())
      (void)problemOf([&] { now = lesson::progressFromJson(kept.toStdString(), "settings"); });
    begin(path, std::move(text), std::move(start), std::move(now));
  });
}

void LessonGuide::begin(const QString& path, std::string text, train::Document document,
                        lesson::Progress progress) {
  close();
  usual_zones_ = zones_.state();
  document_.adopt(std::move(document));
  path_ = path;
  text_ = std::move(text);
  panel_->open(readLesson(path_, text_).lesson, std::move(progress));
  panel_->show();
  unlocked_ = false;
  lock();
  if (panel_->lesson().exam) exam_->begin();
  emit opened(true);
  openPage();
}

void LessonGuide::lock() {
  std::vector<LessonLocks::Locked> parts;
  if (isOpen() && !unlocked_)
    for (const lesson::Pointed& locked : panel_->lesson().locked) {
      const lesson::Target& row = lesson::targets()[locked.target];
      parts.push_back({QString::fromUtf8(row.name),
                       row.screen == lesson::kMenu ? nullptr : targetWidget(locked.target)});
    }
  locks_->lock(parts);
}

bool LessonGuide::isLocked() const {
  const lesson::Lesson& lesson = panel_->lesson();
  return isOpen() && !unlocked_ && !(lesson.locked.empty() && lesson.screens.empty());
}

bool LessonGuide::unlock(const QString& password) {
  if (!lesson::unlocks(password.toStdString(), panel_->lesson().password)) return false;
  unlocked_ = true;
  lock();
  emit unlocked();
  return true;
}

bool LessonGuide::askToUnlock() {
  QDialog box(&window_);
  box.setWindowTitle(tr("Unlock the lesson"));
  auto* password = new QLineEdit;
  password->setEchoMode(QLineEdit::Password);
  password->setAccessibleName(tr("Password"));
  auto* words = wrappedLabel("muted");
  words->setText(tr("The password of the lesson, from whoever wrote it."));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  addParts(new QVBoxLayout(&box), {words, password, buttons});
  connect(buttons, &QDialogButtonBox::rejected, &box, &QDialog::reject);
  connect(buttons, &QDialogButtonBox::accepted, &box, [&] {
    if (unlock(password->text())) return box.accept();
    words->setText(tr("This is not the password."));
    password->selectAll();
    password->setFocus();
  });
  return box.exec() == QDialog::Accepted;
}

bool LessonGuide::mayClose() {
  if (!isOpen()) return true;
  if (isLocked() && !panel_->lesson().password.empty()) return askToUnlock();
  return !exam_->isRunning() ||
         QMessageBox::question(&window_, tr("Transformarium"),
                               tr("The exam goes on. Leaving is recorded. Leave?"),
                               QMessageBox::Yes | QMessageBox::Cancel) == QMessageBox::Yes;
}

void LessonGuide::closeAfterAsking() {
  if (mayClose()) close();
}

void LessonGuide::goOn(const report::LessonAnswers& answers, train::Document document) {
  if (!mayClose()) return;
  begin(QString::fromStdString(answers.file), answers.text, std::move(document), answers.progress);
}

report::LessonAnswers LessonGuide::answers() const {
  return {QFileInfo(path_).fileName().toStdString(), text_, panel_->progress()};
}

void LessonGuide::close() {
  if (!isOpen()) return;
  exam_->end();
  path_.clear();
  lock();
  delete marks_;
  panel_->hide();
  zones_.restore(usual_zones_);
  emit opened(false);
}

void LessonGuide::openPage() {
  if (!isOpen()) return;
  const lesson::Page& page = panel_->page();
  if (const auto screen = screenNamed(page.screen)) window_.showScreen(*screen);
  // The picture keeps the room of what the page does not need.
  zones_.ask(Zones::kLeft, false);
  zones_.ask(Zones::kRight, page.inspector);
  point();
}

void LessonGuide::point() {
  delete marks_;
  std::vector<ExplainedPart> parts;
  for (const lesson::Pointed& pointed : panel_->page().point)
    if (QWidget* widget = targetWidget(pointed.target)) parts.push_back({widget, {}, {}});
  if (!parts.empty()) {
    marks_ = new PartMarks(style_, window_, parts, PartMarks::Form::Outlines);
    marks_->show();
  }
}

QWidget* LessonGuide::targetWidget(std::size_t target) const {
  const lesson::Target& row = lesson::targets()[target];
  const QString name = QString::fromUtf8(row.name);
  if (row.screen.empty()) return transport_.findChild<QWidget*>(name);
  if (row.screen == lesson::kMenu) return window_.menuBar();
  const auto screen = screenNamed(row.screen);
  if (!screen) return nullptr;
  for (const CornerMenu* menu : zones_.screen(*screen)->findChildren<CornerMenu*>())
    for (const ExplainedPart& part : menu->parts())
      if (part.name == name) return part.widget;
  return nullptr;
}

bool LessonGuide::eventFilter(QObject* watched, QEvent* event) {
  const bool key = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
  if (!isOpen() || !key || QApplication::activeModalWidget() != nullptr)
    return QObject::eventFilter(watched, event);
  const auto* pressed = static_cast<QKeyEvent*>(event);
  const bool forward = pressed->key() == Qt::Key_PageDown;
  if ((!forward && pressed->key() != Qt::Key_PageUp) || pressed->modifiers() != Qt::NoModifier)
    return QObject::eventFilter(watched, event);
  event->accept();  // no shortcut of a screen
  // The key goes to a window first, then to its widgets.
  if (event->type() == QEvent::KeyPress && qobject_cast<QWidget*>(watched) != nullptr)
    panel_->turn(forward ? 1 : -1);
  return event->type() == QEvent::KeyPress && qobject_cast<QWidget*>(watched) != nullptr;
}

}  // namespace tfm::ui
