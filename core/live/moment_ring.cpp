// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/moment_ring.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/check.h"

namespace tfm::train {

MomentRing::MomentRing(std::int64_t budget_bytes, std::size_t max_moments)
    : budget_(budget_bytes), most_(max_moments) {}

bool MomentRing::isNext(const Moment& moment) const {
  return moments_.empty() ||
         (moment.step() >= moments_.back().step() && moment.events >= moments_.back().events);
}

void MomentRing::add(Moment moment) {
  check(isNext(moment), "moments are added in order");
  if (!moments_.empty()) {
    const Moment& last = moments_.back();
    if (moment.step() == last.step() && moment.events == last.events) {
      moment.landmark = moment.landmark || last.landmark;
      remove(moments_.size() - 1);
    }
  }
  bytes_ += byteCount(*moment.state);
  moments_.push_back(std::move(moment));
  thin();
}

std::vector<Moment> MomentRing::takeAfter(std::int64_t step, std::int64_t events) {
  const auto stays = [&](const Moment& m) { return m.step() <= step && m.events <= events; };
  const auto first = std::ranges::find_if_not(moments_, stays);
  std::vector<Moment> taken(first, moments_.end());
  moments_.erase(first, moments_.end());
  for (const Moment& moment : taken) bytes_ -= byteCount(*moment.state);
  return taken;
}

void MomentRing::thin() {
  while (!moments_.empty() && (bytes_ > budget_ || moments_.size() > most_))
    remove(leastValuable());
}

std::size_t MomentRing::leastValuable() const {
  const std::size_t last = moments_.size() - 1;
  std::size_t best = last;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < last; ++i) {
    if (moments_[i].landmark) continue;
    const auto gap = double(moments_[i + 1].step() - moments_[i - 1].step());
    const std::int64_t age = moments_[last].step() - moments_[i].step();
    const std::int64_t youth = moments_[i].step() - moments_[0].step();
    const double missed = gap / double(1 + std::min(age, youth));
    if (missed < least) {
      least = missed;
      best = i;
    }
  }
  if (best < last) return best;
  // Only landmarks are left: remove the oldest one between the ends, then the first state.
  return last > 1 ? 1 : 0;
}

void MomentRing::remove(std::size_t index) {
  bytes_ -= byteCount(*moments_[index].state);
  moments_.erase(moments_.begin() + std::ptrdiff_t(index));
}

void thin(WindowState& window, std::int64_t budget_bytes) {
  if (budget_bytes == 0) return dropMoments(window);
  WindowState pins;
  pins.pins = window.pins;
  MomentRing ring(std::max<std::int64_t>(0, budget_bytes - byteCount(pins)), kMostKeptMoments);
  for (const Moment& moment : window.moments) ring.add(moment);
  std::vector<Moment> kept = ring.moments();
  if (window.shown == WindowState::Shown::Moment) {
    const Moment& shown = window.moments[std::size_t(window.moment)];
    const auto time = [](const Moment& m) { return std::pair(m.step(), m.events); };
    auto at = std::ranges::lower_bound(kept, time(shown), {}, time);
    if (at == kept.end() || at->state != shown.state) at = kept.insert(at, shown);
    window.moment = at - kept.begin();
  }
  window.moments = std::move(kept);
}

}  // namespace tfm::train
