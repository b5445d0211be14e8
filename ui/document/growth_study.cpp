// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/growth_study.h"

#include <exception>
#include <utility>

namespace tfm::ui {

GrowthStudy::GrowthStudy(QObject* parent) : QObject(parent) {}

GrowthStudy::~GrowthStudy() {
  cancelled_ = true;
  if (thread_.joinable()) thread_.join();
}

void GrowthStudy::start(train::StudyConfig config) {
  if (running_) return;
  result_.reset();
  problem_.reset();
  progress_ = 0.0;
  cancelled_ = false;
  running_ = true;
  clock_.start();
  thread_ = std::thread([this, config = std::move(config)] { work(config); });
}

void GrowthStudy::cancel() { cancelled_ = true; }

std::optional<double> GrowthStudy::secondsLeft() const {
  if (!running_ || progress_ <= 0.0) return std::nullopt;
  return double(clock_.nsecsElapsed()) / 1e9 * (1.0 - progress_) / progress_;
}

void GrowthStudy::work(const train::StudyConfig& config) {
  std::shared_ptr<const train::StudyResult> result;
  std::optional<Error> problem;
  const auto told = [this](double share, const train::StudyResult& so_far) {
    auto copy = std::make_shared<const train::StudyResult>(so_far);
    QMetaObject::invokeMethod(
        this, [this, share, copy = std::move(copy)] { take(share, copy); }, Qt::QueuedConnection);
    return !cancelled_;
  };
  try {
    result = std::make_shared<const train::StudyResult>(train::runStudy(config, told));
  } catch (const Error& error) {
    problem = error;
  } catch (const std::exception& error) {
    problem = Error(error.what());
  }
  QMetaObject::invokeMethod(
      this, [this, result, problem] { finish(result, problem); }, Qt::QueuedConnection);
}

void GrowthStudy::take(double share, std::shared_ptr<const train::StudyResult> so_far) {
  progress_ = share;
  result_ = std::move(so_far);
  emit advanced();
}

void GrowthStudy::finish(std::shared_ptr<const train::StudyResult> result,
                         const std::optional<Error>& problem) {
  thread_.join();
  running_ = false;
  if (result) result_ = std::move(result);
  problem_ = problem;
  emit finished();
}

}  // namespace tfm::ui
