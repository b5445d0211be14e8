// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/demonstration.h"

#include <QFile>
#include <array>
#include <span>

#include "core/base/error.h"
#include "core/io/safetensors.h"

// The linker would drop the resources of a static library. Outside any namespace, as Qt requires.
static void loadDocuments() { Q_INIT_RESOURCE(documents); }

namespace tfm::ui {

train::Document demonstration(Demonstration which) {
  constexpr std::array kNames{"rot13", "facts", "sentiment"};
  return bundledDocument(
      QStringLiteral(":/documents/%1.safetensors").arg(kNames.at(std::size_t(which))));
}

train::Document bundledDocument(const QString& path) {
  loadDocuments();
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    throw Error("there is no document '" + path.toStdString() + "' in the program");
  const QByteArray bytes = file.readAll();
  const std::span<const char> all(bytes.constData(), std::size_t(bytes.size()));
  return train::fromTensorFile(io::parseSafetensors(std::as_bytes(all), "demonstration"),
                               "demonstration");
}

}  // namespace tfm::ui
