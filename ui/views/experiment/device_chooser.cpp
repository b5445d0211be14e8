// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/device_chooser.h"

#include <QComboBox>
#include <QLabel>
#include <QStandardItemModel>

#include "ui/document/latest_job.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {

DeviceChooser::DeviceChooser(const Style& style, QWidget* parent)
    : QWidget(parent), box_(new QComboBox), obstacles_(wrappedLabel("muted")) {
  box_->setAccessibleName(tr("Device"));
  box_->addItem(tr("Looking..."));
  box_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  box_->setEnabled(false);
  obstacles_->setAccessibleName(tr("Devices that cannot run here"));
  obstacles_->hide();
  auto* name = new QLabel(tr("Device"));
  name->setBuddy(box_);
  setLayout(columnOf(style, 4, {rowOf({{name, 1}, box_}), obstacles_}));
  inBackground<Found>(
      this,
      [] {
        return Found{findDevices(), chosenDevice()};
      },
      [this](const Found& found) { list(found); });
}

std::string DeviceChooser::device() const { return box_->currentData().toString().toStdString(); }

void DeviceChooser::list(const Found& found) {
  box_->clear();
  QStringList reasons;
  for (const FoundDevice& device : found.devices) {
    const QString name = QString::fromStdString(device.name);
    const QString obstacle = QString::fromStdString(device.obstacle);
    box_->addItem(obstacle.isEmpty() ? name : tr("%1 (cannot run here)").arg(name), name);
    if (obstacle.isEmpty()) continue;
    reasons << tr("%1: %2").arg(name, obstacle);
    const int row = box_->count() - 1;
    box_->setItemData(row, obstacle, Qt::ToolTipRole);
    qobject_cast<QStandardItemModel*>(box_->model())->item(row)->setEnabled(false);
  }
  if (found.devices.size() == 1)
    reasons << tr("No GPU plugin found. For its folder, see Training > Device plugins.");
  box_->setCurrentIndex(box_->findData(QString::fromStdString(found.chosen)));
  box_->setEnabled(box_->count() > 1);
  setOrHide(*obstacles_, reasons.join('\n'));
}

}  // namespace tfm::ui
