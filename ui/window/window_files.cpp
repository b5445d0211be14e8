// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_files.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <limits>
#include <memory>

#include "core/base/error.h"
#include "core/data/task_for_file.h"
#include "core/io/read_file.h"
#include "core/model/pretrained/pretrained_model.h"
#include "core/report/report_html.h"
#include "core/tensor/shape.h"
#include "ui/document/model_document.h"
#include "ui/document/recovery.h"
#include "ui/figure/data_table_dialog.h"
#include "ui/figure/save_path.h"
#include "ui/style/style.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/export_dialog.h"
#include "ui/window/main_window.h"
#include "ui/window/report_desk.h"
#include "ui/window/settings.h"
#include "ui/window/waiting.h"

namespace tfm::ui {
namespace {

const char* const kDocumentEnding = "safetensors";

QString kept(const RecoverableRun& run) {
  QStringList words{WindowFiles::tr("Step %1").arg(QString::number(run.step))};
  if (run.accuracy)
    words += WindowFiles::tr("%1 % right on held-out examples")
                 .arg(QString::number(100.0 * *run.accuracy, 'f', 1));
  if (run.when.isValid()) words += run.when.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
  return words.join(QStringLiteral(" · "));
}

/// Whether a new run can use a folder of reviews.
bool holdsTexts(const QString& folder) {
  const QDir inside(folder);
  return inside.exists("pos") || inside.exists("train/pos");
}

bool isReport(const QString& path) {
  constexpr std::size_t kBeginning = 1000;
  bool is_report = false;
  if (path.endsWith(QStringLiteral(".html"), Qt::CaseInsensitive))
    (void)problemOf([&] {
      is_report = report::isReport(io::RegularFile(path.toStdString()).beginning(kBeginning));
    });
  return is_report;
}

bool holdsModel(const QString& folder) {
  const QDir inside(folder);
  return inside.exists("config.json") &&
         (inside.exists("vocab.txt") || inside.exists("model.safetensors") ||
          inside.exists("model.safetensors.index.json") || inside.exists("model.npz"));
}

}  // namespace

WindowFiles::WindowFiles(MainWindow& window, const Style& style, ModelDocument& document,
                         Settings& settings)
    : QObject(&window), window_(window), style_(style), document_(document), settings_(settings) {
  document_.setReplaceQuestion([this] { return !window_.refuses(tr("Open")) && maybeSave(); });
  connect(&document_, &ModelDocument::replaced, this, [this] {
    kept_bytes_.reset();
    imported_.clear();
  });
}

bool WindowFiles::open(const QString& path) {
  if (isReport(path)) return window_.reports().open(path);
  const io::FileKind kind = io::fileKind(path.toStdString());
  if (kind == io::FileKind::Folder ? holdsModel(path) : isGguf(filePath(path)))
    return importModel(path);
  if (kind != io::FileKind::Tensors && kind != io::FileKind::Other) {
    explain(path, kind);
    return false;
  }
  if (!document_.mayReplace()) return false;
  if (!openRead(path, [this, path] { return document_.readFile(path); })) return false;
  settings_.addRecentFile(path);
  if (const QString other = document_.files().lockHolder(); !other.isEmpty())
    window_.say({MessageKind::Warning, tr("Another program has this file open"), other,
                 tr("Saving asks before replacing it.")});
  return true;
}

bool WindowFiles::openRead(const QString& path, std::function<ReadModel()> read) {
  bool opened = false;
  window_.attempt([&] {
    auto model =
        waitedFor(window_, tr("Opening %1").arg(QFileInfo(path).fileName()), std::move(read));
    opened = model.has_value();
    if (opened) document_.open(std::move(*model));
  });
  return opened;
}

bool WindowFiles::importModel(const QString& folder) {
  if (!document_.mayReplace()) return false;
  if (!openRead(folder, [this, folder] { return document_.readImport(folder); })) return false;
  settings_.addRecentFile(folder);
  imported_ = folder;
  Message message{MessageKind::Good,
                  tr("%1 has no task").arg(QFileInfo(folder).fileName()),
                  folder,
                  {},
                  tr("Its tensors..."),
                  [this] { showTensorMap(); }};
  const data::DrawnFeatures& rows = document_.codec().drawn();
  switch (document_.codec().form()) {
    case data::TaskForm::Text:
      message.hint = tr("It goes on with a text: type one, and look into it.");
      break;
    case data::TaskForm::Sequence:
      message.hint = tr("It answers a text: type one, and look into it.");
      break;
    case data::TaskForm::Masked:
      message.hint = tr("It fills in hidden tokens: type a text with its mask, and look into it.");
      break;
    default:
      message.hint =
          rows.width == 0 ? tr("Look into it, grow it, or train a classifier on its features.")
          : rows.given ? tr("It reads rows of numbers: r1, r2 and so on are those of its inputs.")
                       : tr("Each letter stands for a row of random numbers.");
      if (rows.width > 0) break;
      message.action = tr("New run with it...");
      message.onAction = [this, folder] {
        window_.startNewRun(data::taskForFile(folder.toStdString()));
      };
  }
  window_.say(message);
  return true;
}

void WindowFiles::showTensorMap() {
  if (imported_.isEmpty()) {
    window_.say({MessageKind::Good,
                 tr("The open model was not imported"),
                 {},
                 tr("File, Import model opens one of another program, and shows how its tensors "
                    "became parameters.")});
    return;
  }
  std::vector<MappedTensor> map;
  if (!window_.attempt([&] { map = readTensorMap(filePath(imported_)); })) return;
  DataTable table{{tr("tensor"), tr("type"), tr("shape"), tr("done"), tr("parameter"), tr("shape")},
                  {}};
  for (const MappedTensor& row : map)
    table.rows.push_back({QString::fromStdString(row.name), QString::fromStdString(row.type),
                          QString::fromStdString(sizeText(row.shape)),
                          QString::fromStdString(row.done), QString::fromStdString(row.ours),
                          QString::fromStdString(row.ours.empty() ? "" : sizeText(row.our_shape))});
  auto* dialog = new DataTableDialog(
      style_, tr("How the tensors of %1 were read").arg(QFileInfo(imported_).fileName()),
      std::move(table), &window_);
  dialog->resize(window_.size() * 0.9);
  dialog->show();
}

void WindowFiles::importChosen() {
  if (window_.refuses(tr("Open"))) return;
  const QString folder = QFileDialog::getExistingDirectory(
      &window_, tr("Import model: a folder with config.json and model.safetensors"));
  if (!folder.isEmpty()) importModel(folder);
}

void WindowFiles::explain(const QString& path, io::FileKind kind) {
  const QString name = QFileInfo(path).fileName();
  Message message{MessageKind::Warning,
                  tr("%1 is a text, not a model").arg(name),
                  path,
                  tr("A new model can be trained on it."),
                  tr("New run with it..."),
                  [this, path] { window_.startNewRun(data::taskForFile(path.toStdString())); }};
  if (kind == io::FileKind::Table) {
    message.what = tr("%1 is a table, not a model").arg(name);
  } else if (kind == io::FileKind::Folder) {
    message.what = tr("%1 is a folder, not a model").arg(name);
    if (!holdsTexts(path)) {
      message.hint = tr("Choose a document in this folder.");
      message.action = tr("Choose...");
      message.onAction = [this, path] { openChosen(path); };
    }
  } else if (kind == io::FileKind::Archive) {
    message.what = tr("%1 is an archive, not a model").arg(name);
    message.hint =
        tr("Exported weights (.npz) are for other programs. Open the document (.safetensors) they "
           "were exported from.");
    message.action.clear();
  }
  window_.say(message);
}

void WindowFiles::openChosen(const QString& folder) {
  if (window_.refuses(tr("Open"))) return;
  const QString path = QFileDialog::getOpenFileName(
      &window_, tr("Open a document"), folder,
      tr("Transformarium documents and reports (*.safetensors *.html);;All files (*)"));
  if (!path.isEmpty()) open(path);
}

bool WindowFiles::save() {
  document_.changes().settle();  // starting over detaches the file
  return document_.files().path().isEmpty() ? saveAs() : saveTo(document_.files().path());
}

QString WindowFiles::proposedPath() const {
  if (!document_.files().path().isEmpty()) return document_.files().path();
  const QString recent = settings_.recentFiles().value(0);
  const QDir folder = recent.isEmpty() ? QDir() : QFileInfo(recent).dir();
  const QString task = QString::fromStdString(document_.codec().name());
  QString name = withEnding(task, kDocumentEnding);
  for (int number = 2; folder.exists(name); ++number)
    name = withEnding(QStringLiteral("%1-%2").arg(task).arg(number), kDocumentEnding);
  return folder.filePath(name);
}

bool WindowFiles::saveAs() {
  if (!document_.isOpen()) return false;
  const QString path = askSavePath(
      &window_,
      {tr("Save the document"), proposedPath(), tr("Transformarium documents (*.safetensors)")},
      kDocumentEnding);
  return !path.isEmpty() && saveTo(path);
}

void WindowFiles::saveBare() {
  if (!document_.isOpen()) return;
  const QString path = askSavePath(&window_,
                                   {tr("Save a copy without my texts and moments"), proposedPath(),
                                    tr("Transformarium documents (*.safetensors)")},
                                   kDocumentEnding);
  if (!path.isEmpty()) window_.attempt([&] { document_.saveBare(path); });
}

std::optional<std::int64_t> WindowFiles::keptBytes() {
  constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
  const std::int64_t all = train::byteCount(document_.window(kAll));
  if (all <= train::kUsualKeptBytes) return kAll;
  if (unattended_) return train::kUsualKeptBytes;
  if (kept_bytes_) return kept_bytes_;
  const auto megabytes = [](std::int64_t bytes) { return QString::number(bytes >> 20); };
  constexpr std::int64_t kNumbers = 3;  // the value and two optimizer moments
  const std::int64_t model =
      kNumbers * std::int64_t(sizeof(float)) * document_.training().layout().total;
  const train::WindowState fewer = document_.window(train::kUsualKeptBytes);
  QMessageBox box(QMessageBox::NoIcon, tr("How much of the time machine to save"),
                  tr("The moments and pins of this model take %1 MB in the file, beside %2 MB for "
                     "the model itself.")
                      .arg(megabytes(all), megabytes(model)),
                  QMessageBox::Cancel, &window_);
  box.setIconPixmap(style_.icon("document", style_.palette().accent).pixmap(style_.px(40)));
  QPushButton* less = box.addButton(tr("&Fewer (%1 MB)").arg(megabytes(train::byteCount(fewer))),
                                    QMessageBox::AcceptRole);
  QPushButton* whole =
      box.addButton(tr("&All (%1 MB)").arg(megabytes(all)), QMessageBox::AcceptRole);
  QPushButton* none = box.addButton(tr("&None"), QMessageBox::AcceptRole);
  box.setDefaultButton(less);
  box.exec();
  if (box.clickedButton() == less) kept_bytes_ = train::kUsualKeptBytes;
  if (box.clickedButton() == whole) kept_bytes_ = kAll;
  if (box.clickedButton() == none) kept_bytes_ = 0;
  return kept_bytes_;
}

bool WindowFiles::saveTo(const QString& path) {
  const auto bytes = keptBytes();
  if (!bytes) return false;
  for (bool replace = false;;) {
    std::optional<io::FileReplaced> conflict;
    const auto save = [&] {
      try {
        document_.save(path, replace, *bytes);
      } catch (const io::FileReplaced& problem) {
        if (unattended_) throw;
        conflict = problem;
      }
    };
    if (!window_.attempt(save)) return false;
    if (!conflict) break;
    const Conflict answer = askAbout(*conflict);
    if (answer == Conflict::AnotherName) return saveAs();
    if (answer == Conflict::Cancel) return false;
    replace = true;
  }
  settings_.addRecentFile(path);
  return true;
}

WindowFiles::Conflict WindowFiles::askAbout(const io::FileReplaced& problem) {
  const QFileInfo file(QString::fromStdString(problem.where()));
  QMessageBox box(QMessageBox::NoIcon, tr("Not saved"),
                  tr("%1 was not saved: %2.", "a file, and why")
                      .arg(file.fileName(), QString::fromStdString(problem.problem())),
                  QMessageBox::Cancel, &window_);
  box.setIconPixmap(style_.icon("warning", style_.palette().bad).pixmap(style_.px(40)));
  QPushButton* another = box.addButton(tr("Save under another &name"), QMessageBox::AcceptRole);
  QPushButton* replace = box.addButton(tr("&Replace it"), QMessageBox::DestructiveRole);
  box.setDefaultButton(another);
  box.exec();
  if (box.clickedButton() == another) return Conflict::AnotherName;
  return box.clickedButton() == replace ? Conflict::Replace : Conflict::Cancel;
}

void WindowFiles::checkForExternalChange() {
  if (unattended_ || !document_.files().isModifiedExternally()) return;
  const io::FileIdentity found = io::fileIdentity(document_.files().path().toStdString());
  if (found == noticed_) return;
  noticed_ = found;
  window_.say({MessageKind::Warning,
               tr("Another program has changed %1").arg(document_.files().name()),
               document_.files().path(),
               tr("This window shows the earlier version. Saving asks before replacing the file."),
               tr("Reload"), [this] { open(document_.files().path()); }});
}

void WindowFiles::exportWeights() {
  if (window_.refuses(tr("Export weights")) || !document_.isOpen()) return;
  const QString name = QFileInfo(proposedPath()).completeBaseName();
  auto* dialog = new ExportDialog(
      style_, std::make_shared<const train::Document>(document_.current()), name, &window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

bool WindowFiles::maybeSave() {
  if (unattended_ || !document_.isOpen() || !document_.files().isModified()) return true;
  QMessageBox box(QMessageBox::NoIcon, tr("Unsaved changes"),
                  document_.files().path().isEmpty()
                      ? tr("This model is not saved.")
                      : tr("%1 has unsaved changes.").arg(document_.files().name()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &window_);
  box.setIconPixmap(style_.icon("warning", style_.palette().bad).pixmap(style_.px(40)));
  box.setDefaultButton(QMessageBox::Save);
  const int answer = box.exec();
  if (answer == QMessageBox::Save) return save();
  return answer == QMessageBox::Discard;
}

void WindowFiles::offerRecovery(Recovery& recovery) {
  connect(&recovery, &Recovery::failed, this, [this](const Error& problem) {
    window_.say({MessageKind::Warning, tr("No recovery copy could be written"),
                 QString::fromStdString(problem.where()),
                 QString::fromStdString(problem.problem())});
  });
  const auto runs = std::make_shared<std::vector<RecoverableRun>>(recovery.recoverableRuns());
  const auto offer = std::make_shared<std::function<void(std::size_t)>>();
  *offer = [this, &recovery, runs, again = std::weak_ptr(offer)](std::size_t at) {
    if (at >= runs->size()) return runs->clear();
    const RecoverableRun& run = (*runs)[at];
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Recover a run"),
                                tr("%1 was not saved when Transformarium ended.").arg(run.name),
                                QMessageBox::NoButton, &window_);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(kept(run));
    box->setIconPixmap(style_.icon("document", style_.palette().accent).pixmap(style_.px(40)));
    QPushButton* open = box->addButton(tr("&Open"), QMessageBox::AcceptRole);
    box->setDefaultButton(open);
    const QPushButton* discard = box->addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    box->setEscapeButton(box->addButton(tr("Ask me &later"), QMessageBox::RejectRole));
    connect(box, &QMessageBox::finished, this, [=, this, &recovery, next = again.lock()] {
      if (box->clickedButton() == discard) Recovery::discard((*runs)[at]);
      const bool opened = box->clickedButton() == open && document_.mayReplace() &&
                          window_.attempt([&] { recovery.open((*runs)[at]); });
      // The others are left for another window or the next start.
      (*next)(opened ? runs->size() : at + 1);
    });
    box->open();
  };
  (*offer)(0);
}

}  // namespace tfm::ui
