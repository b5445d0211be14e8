// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/report_pdf.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QCoreApplication>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgRenderer>
#include <QTextDocument>

#include "core/base/html_text.h"
#include "core/io/atomic_file.h"
#include "core/report/report_html.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr int kDpi = 96;
constexpr double kGap = 12;        // pixels below a part
constexpr double kMargin = 18;     // millimetres
constexpr double kTallest = 0.62;  // of the page, for a picture

/// Parts one below the other, on as many pages as they need.
class Pages {
 public:
  explicit Pages(QPdfWriter& writer) : writer_(writer), painter_(&writer) {
    painter_.setRenderHint(QPainter::LosslessImageRendering);
  }

  /// Begins a page unless so much is free.
  void need(double height) {
    if (top_ > 0.0 && top_ + height > writer_.height()) turn();
  }

  void add(const QString& html) {
    QTextDocument text;
    text.setDefaultFont(Style::textFace(15));
    text.documentLayout()->setPaintDevice(&writer_);
    text.setDocumentMargin(0);
    text.setHtml(html);
    text.setTextWidth(writer_.width());
    // What is longer than a page goes on where the last page ended, line by line.
    double from = 0.0;
    const double height = text.size().height();
    if (height < writer_.height()) need(height);
    while (from < height) {
      const double room = writer_.height() - top_, part = std::min(room, height - from);
      painter_.save();
      painter_.translate(0, top_ - from);
      const QRectF lines(0, from, writer_.width(), part);
      painter_.setClipRect(lines);
      QAbstractTextDocumentLayout::PaintContext context;
      context.clip = lines;
      context.palette.setColor(QPalette::Text, paperPalette().text);  // on any theme
      text.documentLayout()->draw(&painter_, context);
      painter_.restore();
      from += part;
      top_ += part;
      if (from < height) turn();
    }
    top_ += kGap;
  }

  void add(QSvgRenderer& picture) {
    const QSizeF room(writer_.width(), kTallest * writer_.height());
    const QSizeF natural = picture.defaultSize();
    QSizeF size = natural.scaled(room, Qt::KeepAspectRatio);
    if (natural.width() < size.width()) size = natural;
    need(size.height());
    picture.render(&painter_, QRectF(QPointF((room.width() - size.width()) / 2, top_), size));
    top_ += size.height() + kGap;
  }

 private:
  void turn() {
    writer_.newPage();
    top_ = 0.0;
  }

  QPdfWriter& writer_;
  QPainter painter_;
  double top_ = 0.0;
};

}  // namespace

void writePdf(const report::Report& report, const QString& path) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setResolution(kDpi);
  writer.setPageSize(QPageSize(QPageSize::A4));
  writer.setPageMargins(QMarginsF(kMargin, kMargin, kMargin, kMargin), QPageLayout::Millimeter);
  writer.setTitle(QString::fromStdString(report.title));
  writer.setCreator(QCoreApplication::applicationName());
  {
    Pages pages(writer);
    const report::ReportTexts words = report::textsOf(report);
    pages.add(QString::fromStdString("<h1>" + htmlText(report.title) + "</h1>" + words.author));
    if (!words.answers.empty()) pages.add(QString::fromStdString(words.answers));
    for (std::size_t i = 0; i < report.items.size(); ++i) {
      QSvgRenderer picture(QByteArray::fromStdString(report.items[i].picture));
      pages.need(std::min(kTallest * writer.height(), picture.defaultSize().height() + 80.0));
      pages.add(QString::fromStdString(words.titles[i]));
      pages.add(picture);
      pages.add(QString::fromStdString(words.captions[i]));
    }
  }
  io::writeFile(path.toStdString(), bytes.toStdString());
}

}  // namespace tfm::ui
