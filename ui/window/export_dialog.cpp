// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/export_dialog.h"

#include <QLabel>
#include <QRadioButton>
#include <utility>

#include "core/base/error.h"
#include "core/tensor/shape.h"
#include "ui/figure/data_table_dialog.h"
#include "ui/figure/save_path.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/window/waiting.h"

namespace tfm::ui {
namespace {

constexpr int kExportWidth = 620, kExportText = 150;

QString textOf(std::string_view words) {
  return QString::fromUtf8(words.data(), qsizetype(words.size()));
}

}  // namespace

ExportDialog::ExportDialog(const Style& style, std::shared_ptr<const train::Document> document,
                           const QString& name, QWidget* window)
    : QDialog(window),
      style_(style),
      document_(std::move(document)),
      name_(name),
      family_(wrappedLabel("")),
      left_out_(wrappedLabel("muted")),
      tensors_(pushButton(tr("Its tensors..."), tr("What becomes of each parameter"))),
      save_(pushButton(tr("Export..."), {}, "primary")) {
  setWindowTitle(tr("Export weights"));
  auto* rows = new QVBoxLayout;
  for (std::size_t i = 0; i < train::exportFormats().size(); ++i) {
    const train::ExportFormat& one = train::exportFormats()[i];
    auto* choice = new QRadioButton(textOf(one.words));
    choice->setAccessibleDescription(textOf(one.opens));
    connect(choice, &QRadioButton::toggled, this, [this, i](bool on) {
      if (on) choose(i);
    });
    choices_.push_back(choice);
    auto* opens = wrappedLabel("muted", textOf(one.opens));
    opens->setIndent(style.px(24));
    rows->addWidget(choice);
    rows->addWidget(opens);
  }
  family_->setAccessibleName(tr("Whether the format has this model"));
  left_out_->setAccessibleName(tr("What is left out"));
  auto* result = columnOf(style, 6, {family_, left_out_, kStretch});
  auto* space = new QWidget;
  space->setLayout(result);
  result->setContentsMargins(0, style.px(12), 0, 0);
  space->setMinimumHeight(style.px(kExportText));  // so that nothing moves when another is chosen
  auto* cancel = pushButton(tr("Cancel"));
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(tensors_, &QPushButton::clicked, this, &ExportDialog::showTensors);
  connect(save_, &QPushButton::clicked, this, &ExportDialog::askAndWrite);
  addParts(new QVBoxLayout(this),
           {rows, {space, 1}, rowOf(style, 8, {tensors_, kStretch, cancel, save_})});
  setMinimumWidth(style.px(kExportWidth));
  save_->setDefault(true);
  choices_.front()->setChecked(true);
}

void ExportDialog::choose(std::size_t format) {
  if (!choices_[format]->isChecked())
    return choices_[format]->setChecked(true);  // which calls this
  chosen_ = format;
  plan_.reset();
  QString problem;
  try {
    const auto make = [document = document_, plan = train::exportFormats()[format].plan] {
      return plan(document, {});
    };
    plan_ = waitedFor<train::ExportPlan>(*this, tr("Looking at the model"), make);
  } catch (const Error& error) {
    problem =
        tr("%1. %2.", "why a format does not have a model")
            .arg(QString::fromStdString(error.problem()), QString::fromStdString(error.hint()));
  }
  save_->setEnabled(plan_.has_value());
  tensors_->setEnabled(plan_.has_value());
  QStringList lines;
  if (!plan_) lines << tr("Every model leaves as a NumPy archive, or alone.");
  if (plan_) {
    for (const std::string& sentence : plan_->left_out)
      lines << tr("Left out: %1", "a sentence").arg(QString::fromStdString(sentence));
    const QString family = QString::fromStdString(plan_->family).section(QStringLiteral(", "), 1);
    problem = family.isEmpty() ? tr("Every model has this format.")
                               : tr("Written as a model of the family %1.").arg(family);
  }
  setRole(*family_, plan_ ? "" : "bad");
  family_->setText(problem);
  left_out_->setText(lines.join(QChar('\n')));
}

void ExportDialog::askAndWrite() {
  if (!plan_) return;
  const QString ending = textOf(format().ending);
  const QString proposal = name_ + textOf(format().beside);
  const QString path =
      ending.isEmpty()
          ? askSavePath(this, {tr("Export to a new folder"), proposal, tr("Folders (*)")},
                        [](const QString& typed, const QString&) { return typed; })
          : askSavePath(this,
                        {tr("Export weights"), proposal,
                         tr("%1 (*%2)").arg(textOf(format().words), ending)},
                        ending.mid(1));
  if (!path.isEmpty()) writeTo(path);
}

bool ExportDialog::writeTo(const QString& path) {
  if (!plan_) return false;
  try {
    const auto write = [plan = *plan_, path] {
      plan.write(path.toStdString());
      return true;
    };
    if (!waitedFor<bool>(*this, tr("Writing %1").arg(path), write)) return false;
  } catch (const Error& error) {
    setRole(*family_, "bad");
    family_->setText(
        tr("%1. %2.", "why nothing was written, and what to do")
            .arg(QString::fromStdString(error.problem()), QString::fromStdString(error.hint())));
    return false;
  }
  notifySaved(*this, path);
  accept();
  return true;
}

void ExportDialog::showTensors() {
  if (!plan_) return;
  DataTable table{{tr("parameter"), tr("shape"), tr("done"), tr("tensor"), tr("shape")}, {}};
  for (const MappedTensor& row : plan_->map)
    table.rows.push_back({QString::fromStdString(row.ours),
                          QString::fromStdString(sizeText(row.our_shape)),
                          QString::fromStdString(row.done), QString::fromStdString(row.name),
                          QString::fromStdString(row.name.empty() ? "" : sizeText(row.shape))});
  auto* dialog =
      new DataTableDialog(style_, tr("What becomes of each parameter"), std::move(table), this);
  dialog->resize(parentWidget() != nullptr ? parentWidget()->size() * 0.9 : size());
  dialog->show();
}

}  // namespace tfm::ui
