// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/guarded_output.h"

#include <system_error>
#include <utility>

#include "app/cli/output_files.h"
#include "core/base/error.h"
#include "core/document/document.h"
#include "core/io/atomic_file.h"
#include "core/io/file_kind.h"

namespace tfm::cli {
namespace {

/// Whether there is a file with content that is no model of this program.
bool isForeign(const std::filesystem::path& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;  // writing says what it is
  if (std::filesystem::file_size(path, unknown) == 0) return false;
  if (io::fileKind(path) != io::FileKind::Tensors) return true;
  try {
    train::openDocument(path);
    return false;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

GuardedOutput::GuardedOutput(std::filesystem::path path, bool force)
    : path_(std::move(path)), lock_(path_), known_(io::fileIdentity(path_)) {
  requireEnding({"--out", path_.string(), kDocumentEndings});
  lock_.require();
  if (!force && isForeign(path_))
    throw Error("there is a file that is no model of this program, and --out would replace it",
                path_.string(), "Choose another --out, or move that file away");
  const io::AtomicFile writable(path_);  // fails now rather than after the work
}

void GuardedOutput::save(const train::Document& document) {
  known_ = train::saveDocument(path_, document, known_);
}

void GuardedOutput::saveOver(const train::Document& document) {
  known_ = train::saveDocument(path_, document);
}

}  // namespace tfm::cli
