// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/report_desk.h"

#include <QElapsedTimer>
#include <QFile>
#include <QMessageBox>
#include <utility>

#include "core/io/atomic_file.h"
#include "core/report/report_html.h"
#include "ui/document/latest_job.h"
#include "ui/document/model_document.h"
#include "ui/figure/exporter.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/lesson_guide.h"
#include "ui/window/main_window.h"
#include "ui/window/report_dialog.h"
#include "ui/window/report_pdf.h"

namespace tfm::ui {
namespace {

constexpr int kLookAgain = 40;   // milliseconds between looks whether the screens have followed
constexpr int kPatience = 2000;  // until a figure is taken as it is
constexpr std::size_t kMostRows = 5000;  // of a table in a page
constexpr int kTypingPause = 500;        // in typing
constexpr int kDraw = 120;               // for a screen to draw what it was told

report::Table tableOf(const DataTable& data) {
  report::Table table;
  for (const QString& name : data.columns) table.columns.push_back(name.toStdString());
  for (const QStringList& fields : data.rows) {
    table.rows.emplace_back();
    for (const QString& field : fields) table.rows.back().push_back(field.toStdString());
  }
  return table;
}

/// A figure with its numbers, and what it shows; or why there are none.
struct Computed {
  report::Item item;
  report::Report models;  ///< of which only the models count
  std::optional<Error> problem;
};

}  // namespace

ReportDesk::ReportDesk(MainWindow& window, const Style& style, ModelDocument& document,
                       LessonGuide& lessons, const QString& kept)
    : QObject(&window),
      window_(window),
      style_(style),
      document_(document),
      lessons_(lessons),
      kept_(kept) {
  report_.title = tr("My report").toStdString();
  keeping_.setSingleShot(true);
  keeping_.setInterval(kTypingPause);
  connect(&keeping_, &QTimer::timeout, this, [this] {
    if (const auto problem = keep())
      window_.say({MessageKind::Warning, tr("The report is not kept for the next start"),
                   QString::fromStdString(problem->problem()), tr("Save it before you quit.")});
  });
}

report::Report& ReportDesk::own() {
  if (std::exchange(loaded_, true) || !QFile::exists(kept_)) return report_;
  // A damaged file is no reason not to go on, and stays until something is put into the report.
  (void)problemOf([&] { report_ = report::readReport(kept_.toStdString()); });
  saved_ = report_.items.empty();
  return report_;
}

ReportDesk::~ReportDesk() {
  if (keeping_.isActive()) (void)keep();
}

void ReportDesk::add(QWidget& view, const Figure& figure,
                     const std::function<report::Source()>& source) {
  const auto taken = [this, seen = QPointer(&view), &figure, source] {
    if (seen) take(*seen, figure, source ? source() : report::Source());
  };
  if (!document_.training().isRunning()) return taken();
  document_.training().pause();
  auto* look = new QTimer(this);
  auto clock = std::make_shared<QElapsedTimer>();
  clock->start();
  connect(look, &QTimer::timeout, this, [this, look, clock, taken] {
    const auto& snapshot = document_.observing().snapshot();
    const bool followed =
        !document_.training().isRunning() && (!snapshot || !document_.moments().showsNow() ||
                                              snapshot->step == document_.training().step());
    if (!followed && clock->elapsed() < kPatience) return;
    look->deleteLater();
    look->stop();
    QTimer::singleShot(kDraw, this, taken);
  });
  look->start(kLookAgain);
}

void ReportDesk::take(QWidget& view, const Figure& figure, const report::Source& source) {
  report::Item drawn;
  drawn.title = figure.figureTitle().toStdString();
  if (drawn.title.empty()) drawn.title = view.accessibleName().toStdString();
  drawn.picture = svgOf(figure).toStdString();
  drawn.table = tableOf(figure.figureData());
  if (drawn.table.rows.size() > kMostRows) drawn.table = {};  // the model has them
  drawn.source = source;
  ++busy_;
  const auto document = std::make_shared<const train::Document>(document_.current());
  const auto compute = [document, drawn]() -> std::shared_ptr<Computed> {
    auto computed = std::make_shared<Computed>();
    computed->problem =
        problemOf([&] { computed->item = report::itemOf(*document, drawn, computed->models); });
    return computed;
  };
  const auto put = [this](const std::shared_ptr<Computed>& computed) {
    --busy_;
    if (computed->problem)
      return window_.say({MessageKind::Error, tr("Not put into the report"),
                          QString::fromStdString(computed->problem->problem()),
                          QString::fromStdString(computed->problem->hint())});
    edit([&](report::Report& report) { append(computed->item, computed->models, report); });
    window_.say({MessageKind::Good,
                 tr("In the report"),
                 tr("Figures: %1").arg(report_.items.size()),
                 {},
                 tr("Open the report"),
                 [this] { show(); }});
  };
  inBackground<std::shared_ptr<Computed>>(this, compute, put);
}

void ReportDesk::edit(const std::function<void(report::Report&)>& change) {
  change(own());
  report::dropUnused(report_);
  saved_ = false;
  keeping_.start();
  emit changed();
}

std::optional<Error> ReportDesk::keep() const {
  return problemOf([&] { io::writeFile(kept_.toStdString(), report::toHtml(report_)); });
}

bool ReportDesk::mayGo() {
  if (own().items.empty() || saved_) return true;
  return QMessageBox::question(
             dialog_ && dialog_->isVisible() ? static_cast<QWidget*>(dialog_) : &window_,
             tr("Transformarium"), tr("The report was not saved. Let it go?"),
             QMessageBox::Discard | QMessageBox::Cancel) == QMessageBox::Discard;
}

void ReportDesk::setReport(report::Report report) {
  report_ = std::move(report);
  saved_ = true;
  keeping_.start();
  emit changed();
}

bool ReportDesk::open(const QString& path) {
  return window_.attempt([&] {
    report::Report report = report::readReport(path.toStdString());
    if (!mayGo()) return;
    setReport(std::move(report));
    show();
  });
}

void ReportDesk::clear() {
  if (mayGo()) setReport({tr("My report").toStdString(), report_.author});
}

ReportDialog& ReportDesk::dialog() {
  if (!dialog_) dialog_ = new ReportDialog(style_, *this, &window_);
  return *dialog_;
}

void ReportDesk::show() {
  dialog().show();
  dialog().raise();
  dialog().activateWindow();
}

void ReportDesk::showAgain(std::size_t item) {
  window_.attempt([&] {
    train::Document document = report::documentOf(own(), own().items.at(item).shown);
    if (document_.mayReplace()) document_.adopt(std::move(document));
  });
}

void ReportDesk::continueLesson() {
  window_.attempt([&] {
    const auto& answers = own().lesson;
    if (!answers) return;
    train::Document document = report::documentOf(own(), answers->shown);
    if (document_.mayReplace()) lessons_.goOn(*answers, std::move(document));
  });
}

bool ReportDesk::hasLesson() const { return lessons_.isOpen(); }

report::Report ReportDesk::complete() {
  report::Report report = own();
  if (!lessons_.isOpen()) return report;
  report.lesson = lessons_.answers();
  report.lesson->shown = report::keep(document_.current(), report);
  report::dropUnused(report);
  return report;
}

bool ReportDesk::save(const QString& path) {
  return window_.attempt([&] {
    report::Report report = complete();
    if (path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)) return writePdf(report, path);
    io::writeFile(path.toStdString(), report::toHtml(report));
    setReport(std::move(report));
  });
}

}  // namespace tfm::ui
