// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/report_dialog.h"

#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QSvgRenderer>
#include <QSvgWidget>
#include <algorithm>

#include "core/base/error.h"
#include "ui/figure/save_path.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/layouts.h"
#include "ui/window/main_window.h"
#include "ui/window/report_desk.h"

namespace tfm::ui {
namespace {

constexpr QSize kReportSize{980, 660};
constexpr int kListWidth = 300, kNoteHeight = 110, kPictureHeight = 260;

/// What `report check` does with the numbers of a figure.
QString numbersSentence(const report::Item& item) {
  const report::SourceKind* kind = report::kindOf(item.source);
  if (kind == nullptr) return ReportDialog::tr("Its numbers stay as they were drawn.");
  return kind->recorded
             ? ReportDialog::tr("Its numbers were measured while the model learned.")
             : ReportDialog::tr("Its numbers can be computed anew from the model in the report.");
}

}  // namespace

ReportDialog::ReportDialog(const Style& style, ReportDesk& desk, QWidget* window)
    : QDialog(window),
      style_(style),
      desk_(desk),
      title_(new QLineEdit),
      author_(new QLineEdit),
      lesson_(new QLabel),
      empty_(
          new QLabel(tr("No figure yet. Choose \"Put into the report\" in the menu at the corner "
                        "of a picture, a table, an explanation or a proof (Ctrl+Shift+P)."))),
      caption_(new QLabel),
      list_(new QListWidget),
      picture_(new QSvgWidget),
      note_(new QPlainTextEdit),
      again_(pushButton(tr("Show again"), tr("Open its model as it was shown"))),
      go_on_(pushButton(tr("Continue the lesson"),
                        tr("Open the lesson that was handed in, with its model"))),
      up_(pushButton(tr("Up"))),
      down_(pushButton(tr("Down"))),
      remove_(pushButton(tr("Remove"))),
      html_(pushButton(tr("Save..."), tr("One HTML file for any browser, with the models in it"),
                       "primary")),
      pdf_(pushButton(tr("Save as PDF..."), tr("Pages to print, without models"))) {
  setWindowTitle(tr("Report"));
  title_->setAccessibleName(tr("Title"));
  title_->setPlaceholderText(tr("Title"));
  author_->setAccessibleName(tr("Name"));
  author_->setPlaceholderText(tr("Name (only if you want to give one)"));
  list_->setAccessibleName(tr("Figures of the report"));
  note_->setAccessibleName(tr("Note to the figure"));
  note_->setPlaceholderText(tr("What do you see?"));
  note_->setTabChangesFocus(true);
  for (QLabel* label : {lesson_, empty_, caption_}) {
    setRole(*label, "muted");
    label->setWordWrap(true);
  }
  list_->setWordWrap(true);
  auto* clear = pushButton(tr("New"), tr("Begin an empty report"));
  auto* open = pushButton(tr("Open..."), tr("Open a report that was saved"));
  auto* figure = columnOf(
      style, 8,
      {{picture_, 1}, caption_, note_, rowOf(style, 8, {again_, up_, down_, remove_, kStretch})});
  addParts(new QVBoxLayout(this), {rowOf(style, 8, {{title_, 2}, {author_, 1}}),
                                   rowOf(style, 8, {{lesson_, 1}, go_on_}),
                                   empty_,
                                   {rowOf(style, 12, {list_, {figure, 1}}), 1},
                                   rowOf(style, 8, {clear, open, kStretch, pdf_, html_})});
  style.follow(this, [this] {
    list_->setFixedWidth(style_.px(kListWidth));
    note_->setFixedHeight(style_.px(kNoteHeight));
    picture_->setMinimumHeight(style_.px(kPictureHeight));
  });
  // On a projector everything is larger, and the screen is not.
  resize(QSize(style.px(kReportSize.width()), style.px(kReportSize.height()))
             .boundedTo(window->size()));

  connect(&desk_, &ReportDesk::changed, this, &ReportDialog::render);
  connect(list_, &QListWidget::currentRowChanged, this, &ReportDialog::showItem);
  const auto write = [this](QLineEdit* field, std::string report::Report::*member) {
    connect(field, &QLineEdit::textEdited, this, [this, member](const QString& words) {
      desk_.edit([&](report::Report& report) { report.*member = words.toStdString(); });
    });
  };
  write(title_, &report::Report::title);
  write(author_, &report::Report::author);
  connect(note_, &QPlainTextEdit::textChanged, this, [this] {
    const int item = chosen();
    if (rendering_ || item < 0) return;
    desk_.edit([&](report::Report& report) {
      report.items[std::size_t(item)].note = note_->toPlainText().toStdString();
    });
  });
  connect(again_, &QPushButton::clicked, this, [this] { desk_.showAgain(std::size_t(chosen())); });
  connect(go_on_, &QPushButton::clicked, this, [this] { desk_.continueLesson(); });
  connect(up_, &QPushButton::clicked, this, [this] { move(-1); });
  connect(down_, &QPushButton::clicked, this, [this] { move(1); });
  connect(remove_, &QPushButton::clicked, this, &ReportDialog::remove);
  connect(html_, &QPushButton::clicked, this, [this] { save(QStringLiteral("html")); });
  connect(pdf_, &QPushButton::clicked, this, [this] { save(QStringLiteral("pdf")); });
  connect(clear, &QPushButton::clicked, this, [this] { desk_.clear(); });
  connect(open, &QPushButton::clicked, this, &ReportDialog::openChosen);
  render();
}

int ReportDialog::chosen() const { return list_->currentRow(); }

void ReportDialog::render() {
  const report::Report& report = desk_.report();
  rendering_ = true;
  // A field that is being typed into keeps its cursor.
  if (title_->text() != QString::fromStdString(report.title))
    title_->setText(QString::fromStdString(report.title));
  if (author_->text() != QString::fromStdString(report.author))
    author_->setText(QString::fromStdString(report.author));
  const int row = std::clamp(chosen(), 0, std::max(0, int(report.items.size()) - 1));
  const bool grown = list_->count() < int(report.items.size());
  while (list_->count() > int(report.items.size())) delete list_->takeItem(list_->count() - 1);
  while (list_->count() < int(report.items.size())) list_->addItem(QString());
  for (int i = 0; i < list_->count(); ++i)
    list_->item(i)->setText(
        tr("%1. %2").arg(i + 1).arg(QString::fromStdString(report.items[std::size_t(i)].title)));
  list_->setCurrentRow(grown ? list_->count() - 1 : row);
  rendering_ = false;
  const bool has_items = list_->count() > 0;
  empty_->setVisible(!has_items);
  list_->setVisible(has_items);
  html_->setEnabled(has_items || report.lesson || desk_.hasLesson());
  pdf_->setEnabled(html_->isEnabled());
  lesson_->setText(desk_.hasLesson() ? tr("Your answers to the open lesson are saved with it.")
                   : report.lesson   ? tr("With answers to a lesson.")
                                     : QString());
  lesson_->setVisible(!lesson_->text().isEmpty());
  go_on_->setVisible(report.lesson && !desk_.hasLesson());
  showItem();
}

void ReportDialog::showItem() {
  if (rendering_) return;
  const int item = chosen();
  for (QWidget* part :
       std::initializer_list<QWidget*>{picture_, caption_, note_, again_, up_, down_, remove_})
    part->setVisible(item >= 0);
  if (item < 0) return;
  const report::Item& shown = desk_.report().items[std::size_t(item)];
  rendering_ = true;
  picture_->load(QByteArray::fromStdString(shown.picture));
  picture_->renderer()->setAspectRatioMode(Qt::KeepAspectRatio);
  picture_->setAccessibleName(QString::fromStdString(shown.title));
  caption_->setText(tr("Step %1. Fingerprint: %2. %3")
                        .arg(shown.step)
                        .arg(QString::fromStdString(shown.fingerprint), numbersSentence(shown)));
  if (note_->toPlainText() != QString::fromStdString(shown.note))
    note_->setPlainText(QString::fromStdString(shown.note));
  rendering_ = false;
  up_->setEnabled(item > 0);
  down_->setEnabled(item + 1 < list_->count());
}

void ReportDialog::move(int by) {
  const int from = chosen(), to = from + by;
  desk_.edit([&](report::Report& report) {
    std::swap(report.items[std::size_t(from)], report.items[std::size_t(to)]);
  });
  list_->setCurrentRow(to);
}

void ReportDialog::remove() {
  const int item = chosen();
  desk_.edit([&](report::Report& report) { report.items.erase(report.items.begin() + item); });
}

void ReportDialog::save(const QString& ending) {
  const QString proposal =
      withEnding(fileNameFor(QString::fromStdString(desk_.report().title)), ending);
  const QString filter = tr("%1 file (*.%2)").arg(ending.toUpper(), ending);
  const QString path = askSavePath(this, {tr("Save the report"), proposal, filter}, ending);
  if (path.isEmpty()) return;
  if (desk_.save(path)) notifySaved(*this, path);
}

void ReportDialog::openChosen() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Open a report"), {},
                                                    tr("Reports (*.html);;All files (*)"));
  if (!path.isEmpty()) desk_.open(path);
}

}  // namespace tfm::ui
