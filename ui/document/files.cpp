// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/files.h"

#include <QFileInfo>
#include <filesystem>
#include <utility>

namespace tfm::ui {

namespace fs = std::filesystem;

fs::path filePath(const QString& path) { return path.toStdString(); }

QString Files::name() const {
  if (!path().isEmpty()) return QFileInfo(path()).fileName();
  return run_.codec ? tr("%1 (not saved)").arg(QString::fromStdString(run_.codec->name()))
                    : QString();
}

bool Files::isModifiedExternally() const {
  if (path().isEmpty()) return false;
  const io::FileIdentity found = io::fileIdentity(filePath(path()));
  return found.exists && !(found == file_.known);
}

void Files::update(const Content& content) {
  const bool modified = file_.saved != content;
  if (std::exchange(modified_, modified) != modified) emit titleChanged();
}

void Files::set(const DocumentFile& file, const Content& content) {
  if (file.path != file_.path) {
    lock_ = io::FileLock();
    if (!file.path.isEmpty()) lock_ = io::FileLock(filePath(file.path));
  }
  file_ = file;
  modified_ = file_.saved != content;
}

bool Files::isOwn(const QString& path) const {
  std::error_code unknown;
  return !file_.path.isEmpty() &&
         (path == file_.path || fs::equivalent(filePath(path), filePath(file_.path), unknown));
}

void Files::saveCopy(const QString& path, const train::Document& document) const {
  if (isOwn(path))
    throw Error("this is the file of the open document", path.toStdString(),
                "Give the copy another name");
  io::FileLock lock(filePath(path));
  lock.require();
  train::saveDocument(filePath(path), document, {}, run_.task.get());
}

void Files::save(const QString& path, const train::Document& document, bool replace,
                 const Content& content, const Content& now) {
  const bool own = isOwn(path);
  // The program that had it open may have closed it since.
  if (own && !lock_.held()) lock_ = io::FileLock(filePath(path));
  io::FileLock other = own ? io::FileLock() : io::FileLock(filePath(path));
  const io::FileLock& lock = own ? lock_ : other;
  if (!replace && !lock.held())
    throw io::FileReplaced("another program has this file open: " + lock.holder(),
                           path.toStdString(), "Save under another name to keep both.");
  const auto known = own && !replace ? std::optional(file_.known) : std::nullopt;
  const io::FileIdentity written =
      train::saveDocument(filePath(path), document, known, run_.task.get());
  if (!own) lock_ = std::move(other);
  file_.path = path;  // with this lock
  set({path, written, content}, now);
  emit titleChanged();
}

}  // namespace tfm::ui
