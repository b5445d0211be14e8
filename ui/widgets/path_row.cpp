// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/path_row.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QUrl>
#include <utility>

#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

/// The first local file or folder being dragged; empty if there is none.
QString draggedPath(const QMimeData& data) {
  for (const QUrl& url : data.urls())
    if (url.isLocalFile()) return url.toLocalFile();
  return {};
}

}  // namespace

PathRow::PathRow(const Style& style, Kind kind, PathWords words, QWidget* parent)
    : QWidget(parent),
      kind_(kind),
      words_(std::move(words)),
      editor_(new QLineEdit),
      choose_(new QPushButton(tr("Choose..."))),
      problem_(wrappedLabel("bad")) {
  auto* name = new QLabel(words_.name);
  name->setBuddy(editor_);
  editor_->setPlaceholderText(words_.empty);
  editor_->setClearButtonEnabled(true);
  editor_->setAcceptDrops(false);  // the row handles drops as paths, not URLs
  editor_->setAccessibleName(words_.name);
  editor_->setAccessibleDescription(words_.meaning);
  choose_->setAccessibleName(tr("Choose: %1").arg(words_.name));
  choose_->setAutoDefault(false);
  for (QWidget* part : std::initializer_list<QWidget*>{name, editor_, choose_})
    part->setToolTip(words_.meaning);
  problem_->setFont(style.textFont(12));
  problem_->hide();

  setLayout(columnOf(style, 3, {name, rowOf(style, 6, {{editor_, 1}, choose_}), problem_}));
  setAcceptDrops(true);

  connect(editor_, &QLineEdit::editingFinished, this, [this] { take(editor_->text()); });
  // The clear button does not emit editingFinished().
  connect(editor_, &QLineEdit::textChanged, this, [this](const QString& text) {
    if (text.isEmpty()) take({});
  });
  connect(choose_, &QPushButton::clicked, this, &PathRow::choose);
}

QString PathRow::path() const { return path_; }

void PathRow::setPath(const QString& path) {
  path_ = path;
  editor_->setText(path);
}

void PathRow::setProblem(const QString& problem) {
  setOrHide(*problem_, problem);
  editor_->setAccessibleDescription(problem.isEmpty() ? words_.meaning : problem);
}

void PathRow::take(const QString& path) {
  const QString given = path.trimmed();
  if (given == path_) return;
  setPath(given);
  emit chosen(given);
}

void PathRow::choose() {
  if (kind_ == Kind::File) return chooseFile();
  if (kind_ == Kind::Folder) return chooseFolder();
  // System dialogs can choose either files or folders, not both.
  auto* which = new QMenu(this);
  which->setAttribute(Qt::WA_DeleteOnClose);
  which->addAction(tr("A file..."), this, &PathRow::chooseFile);
  which->addAction(tr("A folder..."), this, &PathRow::chooseFolder);
  which->popup(choose_->mapToGlobal(QPoint(0, choose_->height())));
}

void PathRow::chooseFile() {
  const QString path = QFileDialog::getOpenFileName(this, words_.name, path_, words_.filter);
  if (!path.isEmpty()) take(path);
}

void PathRow::chooseFolder() {
  const QString path = QFileDialog::getExistingDirectory(this, words_.name, path_);
  if (!path.isEmpty()) take(path);
}

void PathRow::dragEnterEvent(QDragEnterEvent* event) {
  if (!draggedPath(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void PathRow::dropEvent(QDropEvent* event) {
  take(draggedPath(*event->mimeData()));
  event->acceptProposedAction();
}

}  // namespace tfm::ui
