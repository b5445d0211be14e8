// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/compare_dialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QListWidget>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>

#include "core/base/error.h"
#include "core/matformer/nesting.h"
#include "core/model/presets.h"
#include "core/train/fit_task.h"
#include "ui/document/files.h"
#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {
namespace {

/// Without what belongs to a model.
train::TrainConfig sharedOf(train::TrainConfig train) {
  train.nesting = {};
  train.growths.clear();
  return train;
}

}  // namespace

CompareDialog::CompareDialog(Style& style, ModelDocument& document, QWidget* parent)
    : CurvesDialog(style, document, &train::compareModels, tr("Compare models"),
                   {tr("Models compared"),
                    tr("Each model trains on the document's task with the same examples, seeds, "
                       "optimizer and batch size.")},
                   parent),
      document_(document),
      task_(document.sharedTask()),
      shared_(sharedOf(base_.train)),
      choices_(new QWidget),
      models_(new QListWidget),
      problem_(wrappedLabel("bad")),
      measured_(new QComboBox),
      equal_(new Segmented(style, {tr("Steps"), tr("Operations"), tr("Seconds")})),
      same_start_(new QCheckBox(tr("Same starting weights where shapes agree"))),
      shared_words_(wrappedLabel("muted")) {
  models_->setAccessibleName(tr("Models"));
  models_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  measured_->setAccessibleName(tr("Measured submodel"));
  measured_->setToolTip(tr("For a model trained as MatFormer: which submodel is measured"));
  equal_->setAccessibleName(tr("Equal for all models"));

  auto* models = new Section(
      style_, tr("Models"),
      tr("All train with the examples, optimizer and batch size of this document. A saved model "
         "starts from its weights. Double-click a name to change it."));
  models->add(models_);
  models->add(makeButtons());
  models->add(problem_);
  models->add(measured_);
  auto* equal = new Section(style_, tr("The same for all"),
                            tr("The first model trains for this many steps; the others get equal "
                               "steps, operations or seconds."));
  equal->add(equal_);
  same_start_->setToolTip(
      tr("Each tensor that has the name and the sizes of one of the first model starts with its "
         "numbers. Otherwise each model draws its own from the seed"));
  equal->add(same_start_);
  equal->add(shared_words_);
  choices_->setLayout(columnOf({models, equal}));
  about_->add(choices_);

  connect(models_, &QListWidget::currentRowChanged, this, &CompareDialog::showMeasured);
  connect(models_, &QListWidget::itemChanged, this,
          [this](const QListWidgetItem* item) { rename(models_->row(item)); });
  connect(measured_, &QComboBox::activated, this, [this](int choice) {
    arms_[std::size_t(models_->currentRow())].granularity =
        measured_->itemData(choice).toString().toStdString();
  });
  connect(same_start_, &QCheckBox::toggled, this, &CompareDialog::showShared);
  addOpen();
}

QWidget* CompareDialog::makeButtons() {
  auto* buttons = new QWidget;
  auto* add = new QPushButton(tr("Add"));
  add->setAutoDefault(false);
  auto* menu = new QMenu(add);
  menu->addAction(tr("This model, untrained"), this, &CompareDialog::addOpen);
  menu->addAction(tr("This model as it is now"), this, &CompareDialog::addTrained);
  fillPresets(*menu->addMenu(tr("A preset")));
  menu->addAction(tr("A saved model..."), this, &CompareDialog::askForFile);
  add->setMenu(menu);
  auto* remove = new QPushButton(tr("Remove"));
  remove->setAutoDefault(false);
  connect(remove, &QPushButton::clicked, this, &CompareDialog::removeModel);
  buttons->setLayout(rowOf({add, remove, kStretch}));
  return buttons;
}

void CompareDialog::fillPresets(QMenu& menu) {
  menu.setToolTipsVisible(true);
  for (const Preset& preset : presets()) {
    if (problemOf([&] { train::framingFor(preset.config(), *task_); })) continue;
    const std::string name(preset.name);
    QAction* action =
        menu.addAction(QString::fromStdString(name), this, [this, name] { addPreset(name); });
    action->setToolTip(
        QString::fromUtf8(preset.description.data(), qsizetype(preset.description.size())));
  }
}

void CompareDialog::addPreset(const std::string& preset) {
  add([&] { return train::newArm(preset, presetNamed(preset).config(), shared_, *task_); });
}

void CompareDialog::addOpen() {
  add([&] {
    train::StudyArm arm = train::newArm("this model", base_.model, shared_, *task_);
    arm.train.nesting = base_.train.nesting;
    return arm;
  });
}

void CompareDialog::addTrained() {
  // The copy comes on the training thread, perhaps after this was closed.
  const QPointer<CompareDialog> dialog(this);
  document_.copy([dialog](train::Document document, double) {
    const auto copied = std::make_shared<const train::Document>(std::move(document));
    QMetaObject::invokeMethod(
        qApp,
        [dialog, copied] {
          if (!dialog) return;
          dialog->add([&] {
            return train::trainedArm("this model, trained", *copied, dialog->shared_,
                                     *dialog->task_);
          });
        },
        Qt::QueuedConnection);
  });
}

void CompareDialog::askForFile() {
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Add a saved model"), {},
                                   tr("Transformarium documents (*.safetensors);;All files (*)"));
  if (!path.isEmpty()) addFile(path);
}

void CompareDialog::addFile(const QString& path) {
  add([&] {
    return train::trainedArm(QFileInfo(path).completeBaseName().toStdString(),
                             train::openDocument(filePath(path)), shared_, *task_);
  });
}

void CompareDialog::add(const std::function<train::StudyArm()>& make) {
  QString problem;
  try {
    train::StudyArm arm = make();
    arm.name = freeName(QString::fromStdString(arm.name)).toStdString();
    arms_.push_back(std::move(arm));
  } catch (const Error& error) {
    problem = QString::fromStdString(error.what());
  }
  showModels(int(arms_.size()) - 1);
  setOrHide(*problem_, problem);
}

void CompareDialog::removeModel() {
  const int row = models_->currentRow();
  if (row < 0) return;
  arms_.erase(arms_.begin() + row);
  showModels(std::min(row, int(arms_.size()) - 1));
}

QString CompareDialog::freeName(const QString& name, int but) const {
  const auto is_taken = [&](const QString& wanted) {
    for (int i = 0; i < int(arms_.size()); ++i)
      if (i != but && arms_[std::size_t(i)].name == wanted.toStdString()) return true;
    return false;
  };
  QString free = name;
  for (int number = 2; is_taken(free); ++number)
    free = QStringLiteral("%1 %2").arg(name).arg(number);
  return free;
}

void CompareDialog::rename(int row) {
  QListWidgetItem* item = models_->item(row);
  QString name = item->text().simplified();
  name.remove(QLatin1Char('/')).remove(QLatin1Char('\\'));  // of files of finished runs
  std::string& kept = arms_[std::size_t(row)].name;
  if (!name.isEmpty()) kept = freeName(name, row).toStdString();
  const QSignalBlocker quiet(models_);
  item->setText(QString::fromStdString(kept));
  showShared();
  showOutcome();
}

void CompareDialog::showModels(int current) {
  {
    const QSignalBlocker quiet(models_);
    models_->clear();
    for (const train::StudyArm& arm : arms_) {
      auto* item = new QListWidgetItem(QString::fromStdString(arm.name), models_);
      item->setFlags(item->flags() | Qt::ItemIsEditable);
    }
    models_->setCurrentRow(current);
  }
  problem_->hide();
  showMeasured();
  showShared();
  showOutcome();
}

void CompareDialog::showShared() {
  QStringList lines;
  try {
    if (same_start_->isChecked())
      for (const train::SharedStart& one : train::sharedStarts(config()))
        lines << tr("%1: %2 of %3 tensors, %4 of its parameters")
                     .arg(QString::fromStdString(one.arm), stepNumber(double(one.tensors)),
                          stepNumber(double(one.all_tensors)),
                          percentText(double(one.parameters) / double(one.all_parameters)));
  } catch (const Error& problem) {  // starting reports it, too
    lines << QString::fromStdString(problem.what());
  }
  setOrHide(*shared_words_, lines.join(QLatin1Char('\n')));
}

void CompareDialog::showMeasured() {
  measured_->clear();
  const int row = models_->currentRow();
  if (row >= 0) {
    const train::StudyArm& arm = arms_[std::size_t(row)];
    measured_->addItem(tr("Measured as a whole"), QString());
    for (const auto& one : matformer::granularities(arm.model, arm.train.nesting)) {
      const QString name = QString::fromStdString(one.name);
      measured_->addItem(tr("Measured as its %1").arg(name), name);
    }
    measured_->setCurrentIndex(
        std::max(0, measured_->findData(QString::fromStdString(arm.granularity))));
  }
  measured_->setVisible(measured_->count() > 1);
}

train::StudyConfig CompareDialog::config() const {
  train::StudyConfig config = CurvesDialog::config();
  config.arms = arms_;
  for (train::StudyArm& arm : config.arms) arm.train.evaluate_every = config.train.evaluate_every;
  config.equal = train::Equal(equal_->current());
  config.same_start = same_start_->isChecked();
  return config;
}

std::vector<std::string> CompareDialog::armNames() const {
  std::vector<std::string> names;
  for (const train::StudyArm& arm : arms_) names.push_back(arm.name);
  return names;
}

QString CompareDialog::whyNot() const {
  return arms_.size() < 2 ? tr("Add a second model to compare with.") : QString();
}

void CompareDialog::setChoicesEnabled(bool enabled) { choices_->setEnabled(enabled); }

}  // namespace tfm::ui
