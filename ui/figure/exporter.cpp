// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/exporter.h"

#include <QBuffer>
#include <QClipboard>
#include <QCoreApplication>
#include <QFileInfo>
#include <QFont>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QMimeData>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/base/error.h"
#include "ui/figure/figure.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

QString quoted(const QString& field) {
  const bool plain = !field.contains(',') && !field.contains('"') && !field.contains('\n') &&
                     !field.contains('\r');
  if (plain) return field;
  return '"' + QString(field).replace("\"", "\"\"") + '"';
}

void appendLine(QByteArray& text, const QStringList& fields) {
  QStringList line;
  for (const QString& field : fields) line += quoted(field);
  text += line.join(',').toUtf8() + '\n';
}

struct ExportText {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::Exporter)
};

constexpr double kScreenDpi = 96;  // the unit of Figure::figureSize()
constexpr double kMargin = 16;
constexpr double kTitleGap = 12;
constexpr int kLongestSide = 32767;  // the limit of Qt's raster engine
constexpr double kNarrowest = 240;   // leaves room for a title above a small figure

/// The layout of title and figure on the exported page, in pixels at 96 dpi.
struct Page {
  QFont font = Style::textFace(15, QFont::DemiBold);
  QRectF title;
  QRectF body;
  QSize size;

  explicit Page(const Figure& figure) {
    const QSizeF natural = figure.figureSize();
    check(natural.width() > 0 && natural.height() > 0, "a figure has a size");
    const QRectF room(kMargin, kMargin, std::max(natural.width(), kNarrowest), 1e4);
    title = QFontMetricsF(font).boundingRect(room, Qt::TextWordWrap, figure.figureTitle());
    title.setWidth(room.width());
    body = QRectF(QPointF(kMargin, title.bottom() + kTitleGap), natural);
    size = QSize(int(std::ceil(title.right() + kMargin)), int(std::ceil(body.bottom() + kMargin)));
  }
};

void paintPage(QPainter& painter, const Figure& figure, const Page& page) {
  const Palette palette = paperPalette();
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  // Otherwise PDF stores images such as heat maps as JPEG, which blurs cells.
  painter.setRenderHint(QPainter::LosslessImageRendering);
  painter.fillRect(QRectF(QPointF(), page.size), palette.panel);
  painter.setFont(page.font);
  painter.setPen(palette.text);
  painter.drawText(page.title, Qt::TextWordWrap, figure.figureTitle());
  figure.paintFigure(painter, page.body, palette);
}

QByteArray svg(const Figure& figure, double /*dpi*/) {
  const Page page(figure);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(int(kScreenDpi));  // otherwise text would be a quarter smaller
  generator.setSize(page.size);
  generator.setViewBox(QRect(QPoint(), page.size));
  generator.setTitle(figure.figureTitle());
  QPainter painter(&generator);
  paintPage(painter, figure, page);
  painter.end();
  return bytes;
}

QByteArray pdf(const Figure& figure, double /*dpi*/) {
  const Page page(figure);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setResolution(int(kScreenDpi));
  writer.setPageSize(QPageSize(QSizeF(page.size) * 72 / kScreenDpi, QPageSize::Point, QString(),
                               QPageSize::ExactMatch));
  writer.setPageMargins(QMarginsF());
  writer.setTitle(figure.figureTitle());
  writer.setCreator(QCoreApplication::applicationName());
  QPainter painter(&writer);
  paintPage(painter, figure, page);
  painter.end();
  return bytes;
}

QByteArray png(const Figure& figure, double dpi) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  const bool encoded = figureImage(figure, dpi).save(&buffer, "PNG");
  check(encoded, "Qt writes PNG into memory");
  return bytes;
}

QByteArray csv(const Figure& figure, double /*dpi*/) { return toCsv(figure.figureData()); }

struct Format {
  const char* ending;
  QByteArray (*encode)(const Figure& figure, double dpi);
};
constexpr Format kFormats[] = {{"png", png}, {"svg", svg}, {"pdf", pdf}, {"csv", csv}};

void writeWhole(const QByteArray& bytes, const QString& path) {
  QSaveFile file(path);
  // commit() alone misses a write that fails only when the buffer is flushed, so flush it here.
  if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.flush() &&
      file.commit())
    return;
  throw Error(
      ExportText::tr("the file could not be written: %1").arg(file.errorString()).toStdString(),
      path.toStdString(),
      ExportText::tr("Choose a folder you may write to, or free some space").toStdString());
}

}  // namespace

QByteArray svgOf(const Figure& figure) { return svg(figure, 0); }

QByteArray toCsv(const DataTable& table) {
  QByteArray text;
  appendLine(text, table.columns);
  for (const QStringList& row : table.rows) {
    check(row.size() == table.columns.size(), "every row has one field per column");
    appendLine(text, row);
  }
  return text;
}

void exportFigure(const Figure& figure, const QString& path, double dpi) {
  const QString ending = QFileInfo(path).suffix().toLower();
  for (const Format& format : kFormats)
    if (ending == QLatin1String(format.ending)) return writeWhole(format.encode(figure, dpi), path);
  throw Error(ExportText::tr("unknown file extension \"%1\"").arg(ending).toStdString(),
              path.toStdString(), ExportText::tr("Use .png, .svg, .pdf or .csv").toStdString());
}

QImage figureImage(const Figure& figure, double dpi) {
  check(dpi > 0, "the resolution is positive");
  const Page page(figure);
  const double zoom = dpi / kScreenDpi;
  const QSize size = (QSizeF(page.size) * zoom).toSize();
  QImage image;
  if (std::max(size.width(), size.height()) <= kLongestSide)
    image = QImage(size, QImage::Format_RGB32);
  if (image.isNull())
    throw Error(ExportText::tr("the picture is too large at %1 dpi").arg(dpi).toStdString(),
                figure.figureTitle().toStdString(),
                ExportText::tr("Choose a lower resolution, or SVG or PDF").toStdString());
  image.fill(paperPalette().panel);  // the last row and column may be covered only partly
  QPainter painter(&image);
  painter.scale(zoom, zoom);
  paintPage(painter, figure, page);
  painter.end();
  // Only now: during painting, the image's resolution would scale fonts a second time.
  const int dotsPerMeter = qRound(dpi / 0.0254);
  image.setDotsPerMeterX(dotsPerMeter);
  image.setDotsPerMeterY(dotsPerMeter);
  image.setText("Title", figure.figureTitle());
  return image;
}

void copyFigure(const Figure& figure) {
  auto* content = new QMimeData;
  content->setImageData(figureImage(figure));
  content->setData("image/svg+xml", svg(figure, 0));
  QGuiApplication::clipboard()->setMimeData(content);
}

}  // namespace tfm::ui
