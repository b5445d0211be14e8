// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/save_path.h"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QRegularExpression>
#include <QStatusTipEvent>
#include <QTimer>

#include "ui/figure/tips.h"

namespace tfm::ui {
namespace {

struct SavePathText {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::SavePath)
};

bool mayReplace(QWidget* parent, const QString& title, const QString& path) {
  const QFileInfo file(path);
  QMessageBox box(QMessageBox::NoIcon, title,
                  SavePathText::tr("%1 already exists. Replace it?").arg(file.fileName()),
                  QMessageBox::Yes | QMessageBox::No, parent);
  box.setInformativeText(QDir::toNativeSeparators(file.absolutePath()));
  box.button(QMessageBox::Yes)->setText(SavePathText::tr("&Replace"));
  box.button(QMessageBox::No)->setText(SavePathText::tr("&Another name"));
  box.setDefaultButton(QMessageBox::No);
  return box.exec() == QMessageBox::Yes;
}

}  // namespace

QString withEnding(const QString& path, const QString& ending) {
  const QString wanted = '.' + ending;
  return path.endsWith(wanted, Qt::CaseInsensitive) ? path : path + wanted;
}

QString fileNameFor(const QString& title) {
  constexpr qsizetype kLongest = 80;
  static const QRegularExpression other("[^\\p{L}\\p{N}]+");
  QString name = title.toLower().replace(other, "-");
  while (name.startsWith('-')) name.remove(0, 1);
  if (name.size() > kLongest) {
    const qsizetype word_end = name.lastIndexOf('-', kLongest);
    name.truncate(word_end > 0 ? word_end : kLongest);
  }
  while (name.endsWith('-')) name.chop(1);
  return name.isEmpty() ? "figure" : name;
}

QString askSavePath(
    QWidget* parent, SaveQuestion question,
    const std::function<QString(const QString& typed, const QString& filter)>& complete) {
  for (;;) {
    QString filter = question.filters.section(QStringLiteral(";;"), 0, 0);
    const QString typed = QFileDialog::getSaveFileName(parent, question.title, question.proposal,
                                                       question.filters, &filter);
    if (typed.isEmpty()) return {};
    const QString path = complete(typed, filter);
    if (path == typed || !QFileInfo(path).isFile() || mayReplace(parent, question.title, path))
      return path;
    question.proposal = path;
  }
}

QString askSavePath(QWidget* parent, SaveQuestion question, const QString& ending) {
  return askSavePath(parent, std::move(question), [&](const QString& typed, const QString&) {
    return withEnding(typed, ending);
  });
}

void notifySaved(QWidget& by, const QString& path) {
  QStatusTipEvent event(path);
  if (QCoreApplication::sendEvent(by.window(), &event)) return;
  // The window is activated again after the file dialog, which would close a tooltip at once.
  constexpr int kAfterwards = 300, kShown = 8000;  // milliseconds
  QTimer::singleShot(kAfterwards, &by, [&by, path] {
    const QPoint place = by.mapToGlobal(by.rect().bottomLeft());
    const QString text = QCoreApplication::translate("SavePath", "Saved as %1").arg(path);
    showTip(place, text, &by, {}, kShown);
  });
}

}  // namespace tfm::ui
