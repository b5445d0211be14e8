// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>
#include <iterator>
#include <string>

namespace tfm::test {

/// The data of a test that runs once for each of `cases`: the column "index", and rows with their
/// names.
template <class Cases>
void addNamedRows(const Cases& cases) {
  QTest::addColumn<int>("index");
  int index = 0;
  for (const auto& one : cases) QTest::newRow(std::string(one.name).c_str()) << index++;
}

}  // namespace tfm::test
