// SPDX-License-Identifier: GPL-3.0-or-later
// A library that only its file name calls a plugin.
extern "C" int abacus() { return 1; }
