// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Functions of the C library that give the same bits on every processor of an architecture. Those
/// of the C library need not: glibc has several versions of each, with fused multiply-adds and
/// without, and chooses by the processor. These are Highway's (hwy/contrib/math), compiled for what
/// every processor has.
///
/// Within 4 ULP of the exact result, pow within 4 + 2 |y log x| of these. Outside the ranges
/// named here they are those of the C library: infinities, NaN and what has no result are as usual.
namespace tfm::portable {

double exp(double x);  ///< from -700 to 700
double log(double x);  ///< of normal positive numbers
/// Of an angle in radians. Beyond +-30,000, of its remainder from dividing by 2 pi as a double.
double sin(double x);
double cos(double x);
/// x^y for x >= 0.
double pow(double x, double y);

}  // namespace tfm::portable
