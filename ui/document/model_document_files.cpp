// SPDX-License-Identifier: GPL-3.0-or-later
// A document and its file.
#include <QFileInfo>
#include <filesystem>
#include <utility>

#include "core/io/npz.h"
#include "core/train/diverged.h"
#include "ui/document/model_document.h"
#include "ui/document/prepared_document.h"

namespace tfm::ui {
namespace {

namespace fs = std::filesystem;

fs::path pathOf(const QString& path) { return path.toStdString(); }

}  // namespace

void ModelDocument::adopt(train::Document document, const QString& path) {
  const DocumentFile file{path,
                          path.isEmpty() ? io::FileIdentity() : io::fileIdentity(pathOf(path))};
  installAlone(prepare(std::move(document), threads_), {.file = file});
}

void ModelDocument::recover(train::Document document, const DocumentFile& file) {
  installAlone(prepare(std::move(document), threads_), {.file = file, .modified = true});
}

void ModelDocument::open(const QString& path) {
  const io::FileIdentity known = io::fileIdentity(pathOf(path));
  train::Document document = train::openDocument(pathOf(path));
  const std::string note = train::brokenNote(document.state);
  installAlone(prepare(std::move(document), threads_), {.file = {path, known}});
  if (!note.empty()) emit foundBroken(QString::fromStdString(note));
}

void ModelDocument::setFile(const DocumentFile& file) {
  if (file.path != file_.path) {
    lock_ = io::FileLock();
    if (!file.path.isEmpty()) lock_ = io::FileLock(pathOf(file.path));
  }
  file_ = file;
}

bool ModelDocument::isOwnFile(const QString& path) const {
  std::error_code unknown;
  return !file_.path.isEmpty() &&
         (path == file_.path || fs::equivalent(pathOf(path), pathOf(file_.path), unknown));
}

bool ModelDocument::fileChanged() const {
  if (file_.path.isEmpty()) return false;
  const io::FileIdentity found = io::fileIdentity(pathOf(file_.path));
  return found.exists && !(found == file_.known);
}

train::Document ModelDocument::current() {
  settle();
  return loop_->document().get();
}

void ModelDocument::save(const QString& path, bool replace) {
  const bool own = isOwnFile(path);
  // Who had it open may have closed it since.
  if (own && !lock_.held()) lock_ = io::FileLock(pathOf(path));
  io::FileLock other = own ? io::FileLock() : io::FileLock(pathOf(path));
  const io::FileLock& lock = own ? lock_ : other;
  if (!replace && !lock.held())
    throw io::FileReplaced("another program has this file open: " + lock.holder(),
                           path.toStdString(), "Save under another name to keep both.");
  const train::Document document = current();
  const auto known = own && !replace ? std::optional(file_.known) : std::nullopt;
  const io::FileIdentity written = train::saveDocument(pathOf(path), document, known);
  if (!own) lock_ = std::move(other);
  file_ = {path, written};
  saved_step_ = document.state.step;
  modified_ = step_ != saved_step_;
  emit titleChanged();
}

void ModelDocument::exportNpz(const QString& path) {
  const train::Document document = current();
  io::NamedTensors tensors;
  for (const ParameterInfo& p : document.state.layout.parameters)
    tensors[p.name] =
        io::makeTensor(sizes(p.shape), std::span<const float>(document.state.parameters)
                                           .subspan(std::size_t(p.offset), std::size_t(p.size())));
  io::writeNpz(pathOf(path), tensors);
}

QString ModelDocument::name() const {
  if (!file_.path.isEmpty()) return QFileInfo(file_.path).fileName();
  return task_ ? tr("%1 (not saved)").arg(QString::fromStdString(task_->name())) : QString();
}

}  // namespace tfm::ui
