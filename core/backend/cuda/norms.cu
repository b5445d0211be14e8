// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cuda/device_op.h"
#include "core/backend/cuda/launch.h"

namespace tfm::cuda {
namespace {

/// Layer norm of weighted columns, group by group, and RMS norm, which is not centred:
/// n = (x - mean) * scale;  y = m (n * gain + bias). Statistics of a group are mean and scale, or
/// the scale alone.
template <class Real>
struct Norm {
  Matrix<const Real> x, gain, bias;
  Matrix<Real> saved;
  std::int64_t size = 0;  ///< of a group
  std::int64_t full = 0;  ///< columns of weight 1; the others have that of the mask
  MaskedNormArguments mask = {};
  const RunPosition* position = nullptr;  ///< on the device; nullptr without a mask
  Real eps = 0;
  bool centred = true;

  explicit Norm(const OpCall<Real>& c, double e)
      : x(c.in(0)),
        gain(c.in(1)),
        bias(c.in(2)),
        saved(c.out(1)),
        size(gain.cols),
        full(size),
        eps(Real(e)) {}

  std::int64_t groups() const { return x.cols / size; }
  __device__ Real weight() const {
    return position == nullptr ? Real(1) : Real(mask.weightAt(*position));
  }
  __device__ Real m(std::int64_t j) const { return j < full ? Real(1) : weight(); }
  __device__ Real count() const { return Real(full) + weight() * Real(size - full); }
  __device__ Real mean(std::int64_t r, std::int64_t group) const {
    return centred ? saved.at(r, 2 * group) : Real(0);
  }
  __device__ Real scale(std::int64_t r, std::int64_t group) const {
    return saved.at(r, centred ? 2 * group + 1 : group);
  }
};

/// A block for each group of each row.
template <class Real>
Grid gridOf(const Norm<Real>& norm) {
  const unsigned threads = sumThreads(norm.size);
  return {norm.x.rows * norm.groups(), threads, threads * sizeof(Real)};
}

template <class Real>
__global__ void normalize(Norm<Real> norm, Matrix<Real> y, std::int64_t groups) {
  const Shared<Real> room(0, blockDim.x);
  const std::int64_t r = blockIdx.x / groups, group = blockIdx.x % groups;
  const std::int64_t first = group * norm.size;
  Real mean = 0;
  if (norm.centred) {
    Real own = 0;
    for (std::int64_t j = threadIdx.x; j < norm.size; j += blockDim.x)
      own += norm.m(j) * norm.x.at(r, first + j);
    mean = blockSum(room, own) / norm.count();
  }
  Real own = 0;
  for (std::int64_t j = threadIdx.x; j < norm.size; j += blockDim.x) {
    const Real value = norm.x.at(r, first + j) - mean;
    own += norm.m(j) * value * value;
  }
  const Real variance = blockSum(room, own) / norm.count();
  const Real scale = Real(1) / std::sqrt(variance + norm.eps);
  for (std::int64_t j = threadIdx.x; j < norm.size; j += blockDim.x) {
    const Real n = (norm.x.at(r, first + j) - mean) * scale;
    const Real shift = norm.bias ? norm.bias.at(0, j) : Real(0);
    y.at(r, first + j) = norm.m(j) * (n * norm.gain.at(0, j) + shift);
  }
  if (threadIdx.x != 0) return;
  if (norm.centred) norm.saved.at(r, 2 * group) = mean;
  norm.saved.at(r, norm.centred ? 2 * group + 1 : group) = scale;
}

/// dx = scale * (dn - m (sum(dn) + n * sum(dn * n)) / sum(m)),  dn = m dy * gain
template <class Real>
__global__ void normalizeBackward(Norm<Real> norm, Matrix<const Real> dy, Sum<Real> dx,
                                  std::int64_t groups) {
  const Shared<Real> room(0, blockDim.x);
  const std::int64_t r = blockIdx.x / groups, group = blockIdx.x % groups;
  const std::int64_t first = group * norm.size;
  const Real mean = norm.mean(r, group), scale = norm.scale(r, group);
  Real own_dn = 0, own_dn_n = 0;
  for (std::int64_t j = threadIdx.x; j < norm.size; j += blockDim.x) {
    const Real dn = norm.m(j) * dy.at(r, first + j) * norm.gain.at(0, j);
    own_dn += dn;
    own_dn_n += dn * ((norm.x.at(r, first + j) - mean) * scale);
  }
  const Real sum_dn = norm.centred ? blockSum(room, own_dn) : Real(0);
  const Real sum_dn_n = blockSum(room, own_dn_n);
  for (std::int64_t j = threadIdx.x; j < norm.size; j += blockDim.x) {
    const Real dn = norm.m(j) * dy.at(r, first + j) * norm.gain.at(0, j);
    const Real n = (norm.x.at(r, first + j) - mean) * scale;
    const Real along = (sum_dn + n * sum_dn_n) * (norm.m(j) / norm.count());
    dx.add(r, first + j, scale * (dn - along));
  }
}

template <class Real>
void forwardNorm(const Norm<Real>& norm, const OpCall<Real>& c) {
  launch(normalize<Real>, gridOf(norm), norm, Matrix<Real>(c.out(0)), norm.groups());
}

template <class Real>
void backwardNorm(const Norm<Real>& norm, const OpCall<Real>& c) {
  const Matrix<const Real> dy = c.dout(0);
  const Sum<Real> dx = c.din(0), dgain = c.din(1), dbias = c.din(2);
  const std::int64_t groups = norm.groups(), rows = dy.rows * groups;
  if (dx) launch(normalizeBackward<Real>, gridOf(norm), norm, dy, dx, groups);
  if (dgain)
    overSums<Real>(
        norm.size, rows,
        [=] __device__(std::int64_t j, std::int64_t i) {
          const std::int64_t r = i / groups, group = i % groups, col = group * norm.size + j;
          const Real n = (norm.x.at(r, col) - norm.mean(r, group)) * norm.scale(r, group);
          return norm.m(j) * dy.at(r, col) * n;
        },
        [=] __device__(std::int64_t j, Real sum) { dgain.add(0, j, sum); });
  if (dbias)
    overSums<Real>(
        norm.size, rows,
        [=] __device__(std::int64_t j, std::int64_t i) {
          return norm.m(j) * dy.at(i / groups, i % groups * norm.size + j);
        },
        [=] __device__(std::int64_t j, Real sum) { dbias.add(0, j, sum); });
}

/// The two directions of a norm that `Kind::of(call)` makes.
template <class Kind>
struct NormKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    forwardNorm(Kind::of(c), c);
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    backwardNorm(Kind::of(c), c);
  }
};

struct Layer {
  template <class Real>
  static Norm<Real> of(const OpCall<Real>& c) {
    return Norm<Real>(c, c.template get<NormArguments>().eps);
  }
};
struct MaskedLayer {
  template <class Real>
  static Norm<Real> of(const OpCall<Real>& c) {
    const auto& a = c.template get<MaskedNormArguments>();
    Norm<Real> norm(c, a.eps);
    expectOnDevice(c.position, sizeof(RunPosition));
    norm.full = a.size;
    norm.mask = a;
    norm.position = c.position;
    return norm;
  }
};
struct Rms {
  template <class Real>
  static Norm<Real> of(const OpCall<Real>& c) {
    Norm<Real> norm(c, c.template get<NormArguments>().eps);
    norm.centred = false;
    return norm;
  }
};

}  // namespace

const DeviceOp kLayerNorm = deviceOp<NormKernels<Layer>>("layer norm");
const DeviceOp kMaskedLayerNorm = deviceOp<NormKernels<MaskedLayer>>("masked layer norm");
const DeviceOp kRmsNorm = deviceOp<NormKernels<Rms>>("RMS norm");

}  // namespace tfm::cuda
