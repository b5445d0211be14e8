// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/growth_export.h"

#include <QFileInfo>
#include <QProgressDialog>
#include <array>

#include "ui/figure/exporter.h"
#include "ui/figure/save_path.h"
#include "ui/growth/growth_pair.h"
#include "ui/growth/growth_wall.h"
#include "ui/style/palette.h"

namespace tfm::ui {
namespace {

struct FileKind {
  const char* ending;
  QString filter;
};

std::array<FileKind, 3> filmKinds() {
  return {FileKind{"mp4", GrowthWall::tr("Films (*.mp4)")},
          FileKind{"gif", GrowthWall::tr("Animated GIFs (*.gif)")},
          FileKind{"", GrowthWall::tr("Folder of images (*)")}};
}

constexpr std::array kFigureEndings = {"pdf", "svg", "png", "csv"};

/// Appends the filter's extension unless another kind was typed.
QString figurePath(const QString& path, const QString& filter) {
  for (const char* ending : kFigureEndings)
    if (path.endsWith(QLatin1Char('.') + QLatin1String(ending), Qt::CaseInsensitive)) return path;
  for (const char* ending : kFigureEndings)
    if (filter.contains(QLatin1String(ending))) return withEnding(path, QLatin1String(ending));
  return withEnding(path, QLatin1String(kFigureEndings.front()));
}

}  // namespace

QString filmPath(const QString& path, const QString& ending) {
  const QString typed = QFileInfo(path).suffix().toLower();
  if (typed == ending || typed == QLatin1String("gif")) return path;
  const bool proposed = typed == QLatin1String("mp4");
  const QString stem = proposed ? path.chopped(4) : path;
  return ending.isEmpty() ? stem : stem + '.' + ending;
}

QString exportFilm(QWidget& owner, const FilmMaker& film) {
  const auto known = filmKinds();
  QStringList filters;
  for (const FileKind& kind : known) filters << kind.filter;
  const auto complete = [&](const QString& typed, const QString& filter) {
    return filmPath(typed, QLatin1String(known[std::size_t(filters.indexOf(filter))].ending));
  };
  const QString path = askSavePath(
      &owner,
      {GrowthWall::tr("Export the growth"), GrowthWall::tr("growth.mp4"), filters.join(";;")},
      complete);
  if (path.isEmpty()) return {};
  const QSize size(1600, 900);
  QProgressDialog progress(GrowthWall::tr("Exporting the growth"), GrowthWall::tr("Cancel"), 0, 0,
                           &owner);
  progress.setWindowModality(Qt::WindowModal);
  progress.setAutoReset(false);  // the last frame is not the end
  const bool saved =
      exportFrames(film(size), path, size, paperPalette().ground, [&](int done, int all) {
        progress.setMaximum(all);
        progress.setValue(done);  // also processes events
        return !progress.wasCanceled();
      });
  return saved ? path : QString();
}

QString exportBeforeAfter(QWidget& owner, const GrowthPair& pair) {
  QStringList filters;
  for (const char* ending : kFigureEndings)
    filters << GrowthWall::tr("%1 file (*.%2)").arg(QString(ending).toUpper(), ending);
  const QString path = askSavePath(&owner,
                                   {GrowthWall::tr("Export before and after"),
                                    GrowthWall::tr("before-and-after.pdf"), filters.join(";;")},
                                   figurePath);
  if (path.isEmpty()) return {};
  exportFigure(pair, path);
  return path;
}

}  // namespace tfm::ui
