// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lesson_editor.h"

#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QTextBlock>
#include <QToolButton>

#include "core/io/text_file.h"
#include "core/lesson/check.h"
#include "core/lesson/lesson.h"
#include "core/lesson/lesson_edit.h"
#include "core/lesson/targets.h"
#include "ui/document/model_document.h"
#include "ui/document/screens.h"
#include "ui/style/style.h"
#include "ui/views/lesson/lesson_panel.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/window/lesson_guide.h"
#include "ui/window/main_window.h"

namespace tfm::ui {
namespace {

constexpr QSize kSize{560, 640};
constexpr int kLine = Qt::UserRole;
const QString kEnding = QStringLiteral(".lesson.md");

QString filter() { return LessonEditor::tr("Lessons (*.lesson.md);;All files (*)"); }

}  // namespace

LessonEditor::LessonEditor(MainWindow& window, LessonGuide& guide, const Style& style,
                           ModelDocument& document)
    : QDialog(&window),
      window_(window),
      guide_(guide),
      document_(document),
      source_(new QPlainTextEdit),
      mistakes_(new QListWidget),
      seen_(new QListWidget),
      state_(wrappedLabel("muted")),
      verdict_(wrappedLabel("strong")),
      point_(new QToolButton),
      record_(
          pushButton(tr("Record"), tr("See what is done in the window, as checks of the page"))),
      add_(pushButton(tr("Add to the page"),
                      tr("Write the chosen check into the page of the cursor"))),
      try_(pushButton(tr("Try this page"),
                      tr("Save, and play the lesson from the page of the cursor"), "primary")) {
  source_->setFont(style.numberFont());
  source_->setAccessibleName(tr("Source of the lesson"));
  source_->setLineWrapMode(QPlainTextEdit::WidgetWidth);
  mistakes_->setAccessibleName(tr("Mistakes"));
  seen_->setAccessibleName(tr("What was done"));
  mistakes_->setWordWrap(true);
  seen_->setWordWrap(true);
  const int few = style.px(96);
  mistakes_->setMaximumHeight(few);
  seen_->setMaximumHeight(few);
  record_->setCheckable(true);
  point_->setText(tr("Point at"));
  point_->setToolTip(tr("Write a part of the window into the page, for an outline around it"));
  point_->setPopupMode(QToolButton::InstantPopup);
  point_->setMenu(new QMenu(point_));
  auto* page = pushButton(tr("New page"), tr("Write another page after the one of the cursor"));
  auto* open = pushButton(tr("Open..."));
  auto* keep = pushButton(tr("Save"));
  auto* keep_as = pushButton(tr("Save as..."));
  addParts(new QVBoxLayout(this), {rowOf(style, 8, {page, point_, record_, {state_, 1}}),
                                   {source_, 1},
                                   seen_,
                                   {add_, 0, Qt::AlignLeft},
                                   verdict_,
                                   mistakes_,
                                   rowOf(style, 8, {open, keep, keep_as, kStretch, try_})});
  seen_->hide();
  add_->hide();
  resize(kSize * style.px(100) / 100);

  connect(page, &QPushButton::clicked, this,
          [this] { edit(lesson::withPage(source_->toPlainText().toStdString(), line())); });
  connect(point_->menu(), &QMenu::aboutToShow, this, &LessonEditor::point);
  connect(record_, &QPushButton::toggled, this, &LessonEditor::record);
  connect(add_, &QPushButton::clicked, this, &LessonEditor::addSeen);
  connect(try_, &QPushButton::clicked, this, &LessonEditor::tryPage);
  connect(open, &QPushButton::clicked, this, [this] {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a lesson"), path_, filter());
    if (!path.isEmpty() && mayGo()) openFile(path);
  });
  connect(keep, &QPushButton::clicked, this, &LessonEditor::save);
  connect(keep_as, &QPushButton::clicked, this, &LessonEditor::saveAs);
  connect(source_, &QPlainTextEdit::textChanged, this, &LessonEditor::showMistakes);
  connect(mistakes_, &QListWidget::itemClicked, this,
          [this](const QListWidgetItem* item) { goToLine(item->data(kLine).toLongLong()); });
}

void LessonEditor::begin() {
  if (!mayGo()) return;
  const QString file = document_.files().path();
  take({}, lesson::newLesson(file.isEmpty() ? "preset rot13" : file.toStdString(),
                             document_.window(0)));
}

void LessonEditor::openFile(const QString& path) {
  window_.attempt([&] { take(path, io::readTextFile(path.toStdString())); });
}

void LessonEditor::take(const QString& path, const std::string& source) {
  path_ = path;
  source_->setPlainText(QString::fromStdString(source));
  source_->document()->setModified(false);
  setWindowTitle(path.isEmpty() ? tr("A new lesson")
                                : tr("Lesson: %1").arg(QFileInfo(path).fileName()));
  showMistakes();
  show();
}

std::int64_t LessonEditor::line() const { return source_->textCursor().blockNumber() + 1; }

void LessonEditor::goToLine(std::int64_t line) {
  source_->setTextCursor(QTextCursor(source_->document()->findBlockByNumber(int(line) - 1)));
  source_->setFocus();
}

void LessonEditor::edit(const std::string& source) {
  const std::int64_t at = line();
  QTextCursor all(source_->document());
  all.select(QTextCursor::Document);
  all.insertText(QString::fromStdString(source));
  goToLine(at);
}

void LessonEditor::point() {
  point_->menu()->clear();
  const std::string_view open = kScreens[std::size_t(window_.screen())].name;
  for (const lesson::Target& target : lesson::targets())
    if (target.screen.empty() || target.screen == open)
      point_->menu()->addAction(QString::fromUtf8(target.name), this, [this, &target] {
        window_.attempt([&] {
          edit(lesson::withKey(source_->toPlainText().toStdString(), line(), "point",
                               std::string(target.name)));
        });
      });
}

std::set<std::string> LessonEditor::holding() const {
  std::set<std::string> checks;
  guide_.panel().withSource([&](const lesson::ValueSource& source) {
    for (std::string& check : lesson::checksThatHold(source.situation))
      checks.insert(std::move(check));
  });
  return checks;
}

void LessonEditor::record(bool on) {
  record_->setText(on ? tr("Stop recording") : tr("Record"));
  seen_->setVisible(!on);
  add_->setVisible(!on);
  if (on) {
    before_ = holding();
    state_->setText(tr("Do in the window what the student should do, then stop."));
    return;
  }
  seen_->clear();
  for (const std::string& check : holding())
    if (!before_.contains(check)) seen_->addItem(QString::fromStdString(check));
  seen_->setCurrentRow(0);
  add_->setEnabled(seen_->count() > 0);
  state_->setText(seen_->count() > 0 ? tr("Choose what the page checks, and add it.")
                                     : tr("Nothing was done that a page can check."));
}

void LessonEditor::addSeen() {
  const QListWidgetItem* chosen = seen_->currentItem();
  if (chosen == nullptr) return;
  window_.attempt([&] {
    std::string source = source_->toPlainText().toStdString();
    source = lesson::withKey(source, line(), "check", chosen->text().toStdString());
    const auto page = lesson::pageAt(source, line());
    const lesson::ReadLesson read = lesson::readLesson(source, {});
    if (page && read.lesson.pages[*page].screen.empty())
      source = lesson::withKey(source, line(), "screen",
                               std::string(kScreens[std::size_t(window_.screen())].name));
    edit(source);
  });
}

void LessonEditor::tryPage() {
  const auto page = lesson::pageAt(source_->toPlainText().toStdString(), line());
  if (save()) guide_.tryOut(path_, std::int64_t(page.value_or(0)));
}

bool LessonEditor::save() {
  if (path_.isEmpty()) return saveAs();
  return window_.attempt([&] {
    QSaveFile file(path_);
    const QByteArray bytes = source_->toPlainText().toUtf8();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
      throw Error("the lesson could not be saved: " + file.errorString().toStdString(),
                  path_.toStdString(), "Save it in a folder of yours");
    source_->document()->setModified(false);
    setWindowTitle(tr("Lesson: %1").arg(QFileInfo(path_).fileName()));
  });
}

bool LessonEditor::saveAs() {
  QString path = QFileDialog::getSaveFileName(this, tr("Save the lesson"), path_, filter());
  if (path.isEmpty()) return false;
  if (!path.endsWith(kEnding)) path += kEnding;
  path_ = path;
  return save();
}

bool LessonEditor::mayGo() {
  if (!source_->document()->isModified() || !isVisible()) return true;
  const auto answer = QMessageBox::question(
      this, tr("Save the lesson?"), tr("The lesson has been edited."),
      QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
  return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

void LessonEditor::reject() {
  if (mayGo()) QDialog::reject();
}

void LessonEditor::showMistakes() {
  const std::string name = QFileInfo(path_).fileName().toStdString();
  const lesson::ReadLesson read = lesson::readLesson(source_->toPlainText().toStdString(), name);
  mistakes_->clear();
  for (const Error& mistake : read.problems) {
    const std::string& where = mistake.where();
    const auto line = QString::fromStdString(where.substr(where.rfind(':') + 1));
    auto* item = new QListWidgetItem(tr("Line %1: %2. %3")
                                         .arg(line, QString::fromStdString(mistake.problem()),
                                              QString::fromStdString(mistake.hint())),
                                     mistakes_);
    item->setData(kLine, line.toLongLong());
  }
  mistakes_->setVisible(mistakes_->count() > 0);
  const auto pages = int(read.lesson.pages.size());
  verdict_->setText(mistakes_->count() > 0 ? tr("Mistakes")
                    : pages == 1           ? tr("One page, without mistakes")
                                           : tr("%1 pages, without mistakes").arg(pages));
}

}  // namespace tfm::ui
