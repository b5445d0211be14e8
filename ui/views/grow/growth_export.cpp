// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/growth_export.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QProgressDialog>
#include <array>

#include "ui/figure/exporter.h"
#include "ui/figure/save_path.h"
#include "ui/growth/growth_pair.h"
#include "ui/style/palette.h"
#include "ui/views/grow/growth_pictures.h"
#include "ui/views/grow/growth_words.h"
#include "ui/views/grow/plan_editor.h"

namespace tfm::ui {
namespace {

struct FileKind {
  const char* ending;
  QString filter;
};

std::array<FileKind, 3> filmKinds() {
  return {FileKind{"mp4", GrowthExport::tr("Films (*.mp4)")},
          FileKind{"gif", GrowthExport::tr("Animated GIFs (*.gif)")},
          FileKind{"", GrowthExport::tr("Folder of images (*)")}};
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

GrowthExport::GrowthExport(const Style& style, PlanEditor& editor, GrowthPictures& pictures,
                           Subject subject, QWidget& window)
    : QObject(&window),
      style_(style),
      editor_(editor),
      pictures_(pictures),
      subject_(std::move(subject)),
      window_(window) {}

void GrowthExport::write(const QString& what, const std::function<QString()>& write) {
  try {
    const QString path = write();
    if (!path.isEmpty()) emit saved(what, path);
  } catch (const Error& problem) {
    emit failed(problem);
  }
}

void GrowthExport::openPlan(const QString& path) {
  if (const auto problem = problemOf([&] { editor_.open(path); })) emit failed(*problem);
}

void GrowthExport::savePlan(const QString& path) {
  write(tr("Plan saved"), [&] {
    editor_.save(path);
    return path;
  });
}

std::unique_ptr<GrowthPair> GrowthExport::beforeAndAfter() const {
  const auto of = subject_();
  return std::make_unique<GrowthPair>(style_, GrowthWords::steps(of->changes()), cellsOf(of));
}

FramePainter GrowthExport::film(const QSize& frame) const {
  const auto of = subject_();
  return pictures_.film(of, GrowthWords::steps(of->changes()), frame);
}

void GrowthExport::askForPlan() {
  const QString path = QFileDialog::getOpenFileName(&window_, tr("Open a plan"), {},
                                                    tr("Plans (*.json);;All files (*)"));
  if (!path.isEmpty()) openPlan(path);
}

void GrowthExport::askWhereToSave() {
  const QString path =
      askSavePath(&window_, {tr("Save the plan"), tr("plan.json"), tr("Plans (*.json)")},
                  QStringLiteral("json"));
  if (!path.isEmpty()) savePlan(path);
}

void GrowthExport::askForFilm() {
  if (subject_()) write(tr("Film saved"), [this] { return writeFilm(); });
}

void GrowthExport::askForPair() {
  if (subject_()) write(tr("Figure saved"), [this] { return writePair(); });
}

QString GrowthExport::writeFilm() {
  const auto known = filmKinds();
  QStringList filters;
  for (const FileKind& kind : known) filters << kind.filter;
  const auto complete = [&](const QString& typed, const QString& filter) {
    return filmPath(typed, QLatin1String(known[std::size_t(filters.indexOf(filter))].ending));
  };
  const QString path = askSavePath(
      &window_, {tr("Export the growth"), tr("growth.mp4"), filters.join(";;")}, complete);
  if (path.isEmpty()) return {};
  const QSize size(1600, 900);
  QProgressDialog progress(tr("Exporting the growth"), tr("Cancel"), 0, 0, &window_);
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

QString GrowthExport::writePair() {
  QStringList filters;
  for (const char* ending : kFigureEndings)
    filters << tr("%1 file (*.%2)").arg(QString(ending).toUpper(), ending);
  const QString path = askSavePath(
      &window_, {tr("Export before and after"), tr("before-and-after.pdf"), filters.join(";;")},
      figurePath);
  if (path.isEmpty()) return {};
  exportFigure(*beforeAndAfter(), path);
  return path;
}

}  // namespace tfm::ui
