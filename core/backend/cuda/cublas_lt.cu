// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cuda/cublas_lt.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace tfm::cuda {
namespace {

// The part of cublasLt.h that is used here, as it is in CUDA 12 and 13.
enum Status { kSuccess = 0 };
enum Operation : std::int32_t { kPlain = 0, kTransposed = 1 };
enum ComputeType { kFloat = 68, kFastBf16 = 75, kFastTf32 = 77 };
enum DataType { kRealFloat = 0 };
enum DescriptionAttribute { kTransposeA = 3, kTransposeB = 4, kEpilogue = 7, kBiasPointer = 8 };
enum PreferenceAttribute { kMaxWorkspace = 1, kAlignmentA = 5 };  // and of B, C and D
constexpr std::uint32_t kEpilogueBias = 4;
struct Algorithm {
  std::uint64_t data[8];
};
struct Heuristic {
  Algorithm algorithm;
  std::size_t workspace;
  Status state;
  float waves;
  int reserved[4];
};

constexpr const char* kFunctionNames[] = {"cublasLtCreate",
                                          "cublasLtDestroy",
                                          "cublasLtMatmul",
                                          "cublasLtMatmulAlgoGetHeuristic",
                                          "cublasLtMatmulDescCreate",
                                          "cublasLtMatmulDescDestroy",
                                          "cublasLtMatmulDescSetAttribute",
                                          "cublasLtMatrixLayoutCreate",
                                          "cublasLtMatrixLayoutDestroy",
                                          "cublasLtMatmulPreferenceCreate",
                                          "cublasLtMatmulPreferenceDestroy",
                                          "cublasLtMatmulPreferenceSetAttribute"};

}  // namespace

struct CublasLt::Functions {
  using Set = Status (*)(void* of, int attribute, const void* value, std::size_t bytes);
  Status (*create)(void** handle);
  Status (*destroy)(void* handle);
  Status (*multiply)(void* handle, void* description, const void* alpha, const void* a,
                     void* a_layout, const void* b, void* b_layout, const void* beta, const void* c,
                     void* c_layout, void* d, void* d_layout, const Algorithm* algorithm,
                     void* workspace, std::size_t workspace_bytes, cudaStream_t stream);
  Status (*choose)(void* handle, void* description, void* a_layout, void* b_layout, void* c_layout,
                   void* d_layout, void* preference, int wanted, Heuristic* found, int* count);
  Status (*describe)(void** description, ComputeType compute, DataType scale);
  Status (*forgetDescription)(void* description);
  Set setDescription;
  Status (*layOut)(void** layout, DataType type, std::uint64_t rows, std::uint64_t cols,
                   std::int64_t stride);
  Status (*forgetLayout)(void* layout);
  Status (*prefer)(void** preference);
  Status (*forgetPreference)(void* preference);
  Set setPreference;
};

bool CublasLt::isThere() {
  std::call_once(once_, [this] { load(); });
  return handle_ != nullptr;
}

const std::string& CublasLt::report() {
  isThere();
  return report_;
}

void CublasLt::load() {
  const char* chosen = std::getenv("TFM_CUBLASLT");
  if (chosen == nullptr) {
    if (!open("libcublasLt.so.13")) open("libcublasLt.so.12");
  } else if (*chosen == 0) {
    report_ = "TFM_CUBLASLT turns it off";
  } else {
    open(chosen);
  }
}

bool CublasLt::open(const std::string& name) {
  const auto fail = [&](const std::string& why) {
    report_ += (report_.empty() ? "" : "; ") + why;
    if (library_ != nullptr) ::dlclose(std::exchange(library_, nullptr));
    return false;
  };
  library_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) return fail(::dlerror());
  std::array<void*, std::size(kFunctionNames)> found;
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i] = ::dlsym(library_, kFunctionNames[i]);
    if (found[i] == nullptr) return fail(name + " has no " + kFunctionNames[i]);
  }
  static_assert(sizeof(Functions) == sizeof(found));
  functions_ = std::make_shared<const Functions>(std::bit_cast<Functions>(found));
  if (functions_->create(&handle_) != kSuccess) {
    handle_ = nullptr;
    return fail(name + " does not work with this GPU or its driver");
  }
  report_ = name;
  return true;
}

CublasLt::~CublasLt() {
  if (handle_ != nullptr) functions_->destroy(handle_);
  if (library_ != nullptr) ::dlclose(library_);
}

bool CublasLt::multiply(const LargeProduct& p, void* workspace, cudaStream_t stream) {
  if (!isThere()) return false;
  const Functions& f = *functions_;
  // It reads matrices by columns, so it computes c^T = b^T a^T.
  void *description = nullptr, *left = nullptr, *right = nullptr, *result = nullptr;
  void* preference = nullptr;
  const auto done = [](auto status) { return status == kSuccess; };
  const auto set = [&](auto function, void* of, int attribute, const auto& value) {
    return done(function(of, attribute, &value, sizeof(value)));
  };
  const ComputeType compute = p.precision == Precision::Tf32   ? kFastTf32
                              : p.precision == Precision::Bf16 ? kFastBf16
                                                               : kFloat;
  const Operation of_b = p.b_by_columns ? kTransposed : kPlain;
  const Operation of_a = p.a_by_columns ? kTransposed : kPlain;
  const auto layOut = [&](void*& layout, bool transposed, std::int64_t rows, std::int64_t cols,
                          std::int64_t stride) {
    return done(f.layOut(&layout, kRealFloat, std::uint64_t(transposed ? cols : rows),
                         std::uint64_t(transposed ? rows : cols), stride));
  };
  bool works = done(f.describe(&description, compute, kRealFloat)) &&
               set(f.setDescription, description, kTransposeA, of_b) &&
               set(f.setDescription, description, kTransposeB, of_a) &&
               layOut(left, of_b == kTransposed, p.cols, p.depth, p.b_stride) &&
               layOut(right, of_a == kTransposed, p.depth, p.rows, p.a_stride) &&
               layOut(result, false, p.cols, p.rows, p.c_stride) && done(f.prefer(&preference)) &&
               set(f.setPreference, preference, kMaxWorkspace, kWorkspace);
  if (p.bias != nullptr)
    works = works && set(f.setDescription, description, kEpilogue, kEpilogueBias) &&
            set(f.setDescription, description, kBiasPointer, p.bias);
  const void* operands[] = {p.b, p.a, p.c, p.c};
  for (int i = 0; i < 4; ++i) {
    const auto address = reinterpret_cast<std::uintptr_t>(operands[i]);
    const auto alignment = std::uint32_t(std::min<std::uintptr_t>(256, address & (~address + 1)));
    works = works && set(f.setPreference, preference, kAlignmentA + i, alignment);
  }
  Heuristic best = {};
  int count = 0;
  const float one = 1.0F, kept = p.adds ? 1.0F : 0.0F;
  works = works &&
          done(f.choose(handle_, description, left, right, result, result, preference, 1, &best,
                        &count)) &&
          count == 1 && best.state == kSuccess &&
          done(f.multiply(handle_, description, &one, p.b, left, p.a, right, &kept, p.c, result,
                          p.c, result, &best.algorithm, workspace, kWorkspace, stream));
  if (preference != nullptr) f.forgetPreference(preference);
  for (void* layout : {left, right, result})
    if (layout != nullptr) f.forgetLayout(layout);
  if (description != nullptr) f.forgetDescription(description);
  return works;
}

}  // namespace tfm::cuda
