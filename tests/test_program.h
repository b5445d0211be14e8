// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

namespace tfm::test {

/// A Qt Test class of the program that it is linked into.
struct Listed {
  using Run = int (*)(const QStringList& arguments);
  /// `file` is the .cpp file that the class stands in.
  Listed(const char* file, Run run);
};

}  // namespace tfm::test

/// How long to wait for what must come, in milliseconds: sanitizers and busy machines are slow.
inline constexpr int kPatience = 300'000;

/// Lists a Qt Test class under the name of its file. A test program is called with the name of one
/// such file, without ".cpp", and Qt Test's own arguments.
#define TFM_TEST(Class)                                                                     \
  static const tfm::test::Listed listed##Class(__FILE__, [](const QStringList& arguments) { \
    Class test;                                                                             \
    return QTest::qExec(&test, arguments);                                                  \
  });
