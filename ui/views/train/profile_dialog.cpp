// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/profile_dialog.h"

#include <QPushButton>
#include <algorithm>

#include "ui/document/training.h"
#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/section.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {
namespace {

constexpr double kMinDialogWidth = 480, kHeight = 620;  // at scale 1

/// Both directions of an op.
struct OpTotal {
  QString op;
  double forward = 0, backward = 0;  ///< seconds
  double flops = 0, bytes = 0;
  double seconds() const { return forward + backward; }
};

std::vector<OpTotal> totalsOf(const train::Profile& profile) {
  std::vector<OpTotal> totals;
  for (const OpCost& cost : profile.ops) {
    const auto op = QString::fromLatin1(cost.op);
    auto total = std::ranges::find(totals, op, &OpTotal::op);
    if (total == totals.end()) total = totals.insert(total, OpTotal{op});
    (cost.backward ? total->backward : total->forward) += cost.seconds;
    total->flops += double(cost.flops);
    total->bytes += double(cost.bytes);
  }
  std::ranges::stable_sort(totals, std::ranges::greater(), &OpTotal::seconds);
  return totals;
}

double secondsOf(const train::Profile& profile) {
  double seconds = 0;
  for (const OpCost& cost : profile.ops) seconds += cost.seconds;
  return seconds;
}

std::vector<BarRow> rowsOf(const train::Profile& profile) {
  const double all = secondsOf(profile);
  const auto rate = [](double amount, double seconds) {
    return amount > 0 && seconds > 0 ? shortNumber(amount / seconds / 1e9) : QStringLiteral("–");
  };
  std::vector<BarRow> rows;
  for (const OpTotal& total : totalsOf(profile))
    rows.push_back({total.op,
                    total.forward / all,
                    {total.backward / all},
                    {fixedNumber(100 * total.seconds() / all, 1),
                     shortNumber(1e3 * total.seconds() / double(profile.steps)),
                     rate(total.flops, total.seconds()), rate(total.bytes, total.seconds())}});
  return rows;
}

DataTable tableOf(const train::Profile& profile) {
  DataTable table{{"op", "direction", "steps", "calls", "seconds", "flops", "bytes"}, {}};
  for (const OpCost& cost : profile.ops)
    table.rows.push_back({QString::fromLatin1(cost.op),
                          cost.backward ? QStringLiteral("backward") : QStringLiteral("forward"),
                          QString::number(profile.steps), QString::number(cost.calls),
                          fullPrecision(cost.seconds), QString::number(cost.flops),
                          QString::number(cost.bytes)});
  return table;
}

}  // namespace

ProfileDialog::ProfileDialog(const Style& style, Training& training, QWidget* parent)
    : QDialog(parent),
      training_(training),
      sentence_(wrappedLabel("sentence")),
      bars_(new BarList(style)),
      play_(new QPushButton) {
  setWindowTitle(tr("Profile of a training step"));
  bars_->setTitle(tr("Time of the ops in a training step"));
  bars_->setSeries({tr("forward, or update"), tr("backward")});
  bars_->setColumns({tr("%"), tr("ms per step"), tr("GFLOP/s"), tr("GB/s")});
  auto* zone = new SideZone(style, kMinDialogWidth);
  zone->addSection(tr("Operation by operation"), {sentence_, bars_})
      ->setFigure(
          bars_,
          tr("A model is a list of **ops**, which run forward and then, in the opposite order, "
             "backward; further ops add gradients up and update the parameters. Bars are shares of "
             "the time of all ops, numbers are totals of both directions.\n\n**GFLOP/s** are "
             "billions of operations per second (a multiply-add counts as two, a backward as two "
             "forwards), **GB/s** the bytes of all matrices that an op reads or writes, each "
             "counted once per call. Many operations per second mean that an op computes; few, and "
             "many bytes, that it waits for memory.\n\nMeasuring makes small steps a little "
             "slower, and only while this window is open."));
  addParts(new QVBoxLayout(this), {{zone, 1}, {play_, 0, Qt::AlignRight}});
  resize(style.px(kMinDialogWidth + 60), style.px(kHeight));
  connect(play_, &QPushButton::clicked, &training_, &Training::togglePlay);
  connect(&training_, &Training::profileChanged, this, &ProfileDialog::showProfile);
  connect(&training_, &Training::replaced, this, &ProfileDialog::showProfile);
  connect(&training_, &Training::runningChanged, this, &ProfileDialog::showRunning);
  training_.setProfiled(true);
  showProfile();
}

ProfileDialog::~ProfileDialog() { training_.setProfiled(false); }

void ProfileDialog::showProfile() {
  const auto& profile = training_.profile();
  bars_->setVisible(profile != nullptr);
  bars_->setRows(profile ? rowsOf(*profile) : std::vector<BarRow>());
  bars_->setData(tableOf(profile ? *profile : train::Profile{}));
  showRunning();
}

void ProfileDialog::showRunning() {
  const bool running = training_.isRunning();
  play_->setText(running ? tr("Pause") : tr("Train"));
  const auto& profile = training_.profile();
  if (!profile)
    return sentence_->setText(running ? tr("Measuring ...")
                                      : tr("Run a training step to measure the operations."));
  const double share = secondsOf(*profile) / (profile->seconds * training_.threads());
  sentence_->setText(
      tr("A step takes %1 ms (mean of %2 steps). Ops take %3 % of the threads' "
         "time; the rest goes into making batches, waiting for each other, and measuring. %4.")
          .arg(shortNumber(1e3 * profile->seconds / double(profile->steps)),
               stepNumber(double(profile->steps)), fixedNumber(100 * share, 0),
               QString::fromStdString(profile->details)));
}

}  // namespace tfm::ui
