// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/save_table.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QSaveFile>

#include "ui/figure/save_path.h"

namespace tfm::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("SaveTable", text); }

}  // namespace

void saveTable(QWidget* asking, const QString& name, const std::string& table) {
  const QString path =
      askSavePath(asking, {tr("Save measurements"), name, tr("Tables (*.tsv)")}, "tsv");
  if (path.isEmpty()) return;
  const QByteArray text = QByteArray::fromStdString(table);
  QSaveFile file(path);
  if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.flush() &&
      file.commit())
    return notifySaved(*asking, path);
  QMessageBox::warning(asking, asking->windowTitle(),
                       tr("The table could not be written: %1").arg(file.errorString()));
}

}  // namespace tfm::ui
