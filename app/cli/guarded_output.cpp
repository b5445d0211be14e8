// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/guarded_output.h"

#include <system_error>
#include <utility>

#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "core/base/error.h"
#include "core/document/document.h"
#include "core/io/atomic_file.h"
#include "core/io/file_kind.h"

namespace tfm::cli {
namespace {

/// The model in a file, if there is a file with content. Throws Error if that is anything else.
std::optional<train::Document> modelIn(const std::filesystem::path& path) {
  std::error_code unknown;
  // Of what is no file, writing says what it is.
  if (!std::filesystem::is_regular_file(path, unknown)) return std::nullopt;
  if (std::filesystem::file_size(path, unknown) == 0) return std::nullopt;
  try {
    if (io::fileKind(path) == io::FileKind::Tensors) return train::openDocument(path);
  } catch (const Error&) {  // said below
  }
  throw Error("there is a file that is no model of this program, and --out would replace it",
              path.string(), "Choose another --out, or move that file away");
}

/// What the window showed of other weights is not saved.
void sayIfDropped(const train::Document& document) {
  if (document.window.isEmpty() || train::isAbout(document.window, document.state)) return;
  say("note: without what the window showed of the earlier weights (" +
      train::inWords(document.window) + ")");
}

}  // namespace

GuardedOutput::GuardedOutput(std::filesystem::path path, bool force)
    : path_(std::move(path)), lock_(path_), known_(io::fileIdentity(path_)) {
  requireEnding({"--out", path_.string(), kDocumentEndings});
  lock_.require();
  if (!force) model_ = modelIn(path_);
  const io::AtomicFile writable(path_);  // fails now rather than after the work
}

void GuardedOutput::save(const train::Document& document) {
  sayIfDropped(document);
  known_ = train::saveDocument(path_, document, known_);
}

void GuardedOutput::saveOver(const train::Document& document) {
  sayIfDropped(document);
  known_ = train::saveDocument(path_, document);
}

}  // namespace tfm::cli
