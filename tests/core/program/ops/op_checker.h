// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/backend/backend.h"
#include "tests/core/program/ops/op_case.h"

namespace tfm::test {

/// How the matrices of a call lie in memory: `gap` foreign numbers (NaN) after each row. With a gap
/// each is the prefix of a larger matrix. Each check returns "" where the rule holds on a backend,
/// otherwise what is wrong.

/// Outputs equal the plain loops to 1e-12; every output is overwritten, and nothing outside is read
/// or written.
std::string wrongValue(const OpCase& op, std::int64_t gap, const Backend<double>& backend);
/// Gradients equal central differences (h = 1e-5) to 1e-6 of the largest.
std::string wrongGradient(const OpCase& op, std::int64_t gap, const Backend<double>& backend);
/// The explanation of each number of the outputs and gradients gives that number to 1e-12, and what
/// it does not name as a source, directly or by another output, does not change an output.
std::string wrongExplanation(const OpCase& op, std::int64_t gap, const Backend<double>& backend);
/// Single precision (of the backend of that name) gives the outputs and gradients of double
/// precision, to op.float_tolerance.
std::string wrongInFloat(const OpCase& op, std::int64_t gap, const Backend<double>& backend);
/// A second backward adds as much again.
std::string wrongAccumulation(const OpCase& op, std::int64_t gap, const Backend<double>& backend);
/// Fresh gradients come out as those that begin with zeros, whatever lies in their memory.
std::string wrongAfresh(const OpCase& op, std::int64_t gap, const Backend<double>& backend);
/// Each gradient alone comes out as with all others, and a call with none does nothing.
std::string wrongWithEmptyViews(const OpCase& op, std::int64_t gap, const Backend<double>& backend);

}  // namespace tfm::test
