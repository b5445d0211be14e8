// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "core/base/error.h"
#include "ui/document/forward.h"
#include "ui/document/latest_job.h"
#include "ui/views/flow/flow_run.h"
#include "ui/views/flow/flow_shown.h"

namespace tfm::ui {

/// Makes the runs that Flow shows, on another thread, of the newest look at the document's model.
class FlowMaker : public QObject {
  Q_OBJECT

 public:
  explicit FlowMaker(ModelDocument& document, QObject* parent = nullptr);

  /// Makes a run for what is shown. Does nothing while there is no look at the model: another
  /// follows. Of several requests, the newest counts.
  void make(const FlowShown& shown);
  /// What make() would start from.
  std::optional<FlowSource> source(const FlowShown& shown) const;
  /// The newest run; null until the first is there.
  const std::shared_ptr<FlowRun>& run() const { return run_; }
  /// Whether the newest run is of the kind that is shown, or cannot be.
  bool fits(const FlowShown& shown) const;
  /// Whether the update of a weight is known without asking for gradients, as that is quick.
  bool knowsUpdates(const FlowShown& shown) const;
  bool isBusy() const { return job_.isBusy(); }
  /// Drops the request that waits.
  void drop() { job_.drop(); }
  /// Forgets the run, and all requests.
  void forget();

 signals:
  /// run() is a new one. `before`: the one before it, or null; `gradients`: were asked for.
  void made(const std::shared_ptr<tfm::ui::FlowRun>& before, bool gradients);
  void failed(const QString& problem);

 private:
  ModelDocument& document_;
  LatestJob job_{this};
  std::shared_ptr<FlowRun> run_;
};

}  // namespace tfm::ui
