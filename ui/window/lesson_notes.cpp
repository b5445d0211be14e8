// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lesson_notes.h"

#include <QGuiApplication>
#include <QScreen>
#include <QTextBrowser>

#include "core/lesson/live_values.h"
#include "ui/style/style.h"
#include "ui/views/lesson/lesson_panel.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

constexpr QSize kNotes{420, 480};

QString textOf(const std::string& text) { return QString::fromStdString(text); }

}  // namespace

LessonNotes::LessonNotes(const Style& style, LessonPanel& panel, QWidget* window)
    : QDialog(window), panel_(panel), text_(new QTextBrowser) {
  setWindowTitle(tr("Notes for the teacher"));
  text_->setAccessibleName(windowTitle());
  setLayout(columnOf(style, 0, {{text_, 1}}));
  style.follow(this, [this, &style] { text_->setFont(style.textFont(15)); });
  resize(style.px(kNotes.width()), style.px(kNotes.height()));
  connect(&panel_, &LessonPanel::pageOpened, this, &LessonNotes::render);
}

void LessonNotes::showEvent(QShowEvent* event) {
  render();
  for (const QScreen* screen : QGuiApplication::screens())
    if (screen != parentWidget()->screen()) move(screen->availableGeometry().topLeft());
  QDialog::showEvent(event);
}

void LessonNotes::render() {
  if (panel_.lesson().pages.empty()) return;
  const lesson::Page& page = panel_.page();
  QString notes = QStringLiteral("## ") + textOf(page.title) + "\n\n";
  const auto add = [&](const QString& name, const QString& text) {
    if (!text.isEmpty()) notes += QStringLiteral("**%1** %2\n\n").arg(name, text);
  };
  notes += textOf(page.notes) + "\n\n";
  add(tr("To do:"), textOf(page.deed));
  panel_.withSource([&](const lesson::ValueSource& source) {
    const auto answer = [&](const std::optional<lesson::Question>& question) {
      return textOf(lesson::knownAnswer(question, source).value_or(std::string()));
    };
    add(tr("What comes out:"), answer(page.prediction));
    add(tr("Answer:"), answer(page.question));
    (void)problemOf(
        [&] { add(tr("Solution:"), textOf(lesson::withValues(page.solution, source))); });
  });
  const auto next = std::size_t(panel_.progress().page) + 1;
  if (next < panel_.lesson().pages.size())
    add(tr("Next:"), textOf(panel_.lesson().pages[next].title));
  text_->setMarkdown(notes);
}

}  // namespace tfm::ui
