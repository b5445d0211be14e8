// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/guarded_output.h"

#include <utility>

#include "core/io/atomic_file.h"

namespace tfm::cli {

GuardedOutput::GuardedOutput(std::filesystem::path path)
    : path_(std::move(path)), lock_(path_), known_(io::fileIdentity(path_)) {
  lock_.require();
  const io::AtomicFile writable(path_);  // fails now rather than after the work
}

void GuardedOutput::save(const train::Document& document) {
  known_ = train::saveDocument(path_, document, known_);
}

void GuardedOutput::saveOver(const train::Document& document) {
  known_ = train::saveDocument(path_, document);
}

}  // namespace tfm::cli
