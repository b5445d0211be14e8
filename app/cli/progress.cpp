// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "app/cli/output.h"

namespace tfm::cli {
namespace {

std::string twoParts(std::int64_t large, const char* unit, std::int64_t small,
                     const char* small_unit) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%lld %s %02lld %s", static_cast<long long>(large), unit,
                static_cast<long long>(small), small_unit);
  return text.data();
}

}  // namespace

std::string durationText(double seconds) {
  const auto whole = std::int64_t(std::llround(std::min(std::max(seconds, 0.0), 1e9)));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return twoParts(whole / 60, "min", whole % 60, "s");
  return twoParts(whole / 3600, "h", whole % 3600 / 60, "min");
}

ProgressLine::ProgressLine(std::int64_t last_step)
    : terminal_(showsProgress()), last_step_(last_step) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() { showProgress({}); }

void ProgressLine::show(std::span<const train::StepMetrics> new_steps) {
  if (!terminal_ || new_steps.empty()) return;
  steps_ += std::int64_t(new_steps.size());
  double loss = 0.0, accuracy = 0.0;
  for (const train::StepMetrics& m : new_steps) {
    loss += m.loss / double(new_steps.size());
    accuracy += m.accuracy / double(new_steps.size());
  }
  const double rate = double(steps_) / std::chrono::duration<double>(Clock::now() - begin_).count();
  const std::int64_t step = new_steps.back().step;
  showProgress("step " + withCommas(step) + " of " + withCommas(last_step_) + "  loss " +
               shortNumber(loss) + "  accuracy " + percent(accuracy) + "  " + shortNumber(rate, 3) +
               " steps/s  " + durationText(double(last_step_ - step) / rate) + " left");
}

void ShareLine::clear() const { showProgress({}); }

void ShareLine::show(double share) {
  const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  if (seconds < 0.5) first_ = share;
  std::string text = percent(share) + " done";
  if (share > first_)
    text += ", " + durationText(seconds * (1.0 - share) / (share - first_)) + " left";
  showProgress(text);
}

bool LongWork::goOn(double share) {
  line_.show(share);
  if (const auto signal = signals_.waitFor(std::chrono::milliseconds(0))) signal_ = *signal;
  return signal_ == 0;
}

}  // namespace tfm::cli
