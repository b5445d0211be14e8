// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/demonstration.h"

#include <QFile>
#include <array>
#include <span>

#include "core/base/check.h"
#include "core/io/safetensors.h"

// The linker would drop the resources of a static library. Outside any namespace, as Qt requires.
static void loadDocuments() { Q_INIT_RESOURCE(documents); }

namespace tfm::ui {

train::Document demonstration(Demonstration which) {
  constexpr std::array kFiles{":/documents/rot13.safetensors", ":/documents/facts.safetensors",
                              ":/documents/sentiment.safetensors"};
  loadDocuments();
  QFile file(QLatin1String(kFiles.at(std::size_t(which))));
  check(file.open(QIODevice::ReadOnly), "the demonstration is compiled in");
  const QByteArray bytes = file.readAll();
  const std::span<const char> all(bytes.constData(), std::size_t(bytes.size()));
  return train::fromTensorFile(io::parseSafetensors(std::as_bytes(all), "demonstration"),
                               "demonstration");
}

}  // namespace tfm::ui
