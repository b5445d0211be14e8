// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include "core/base/error.h"

namespace tfm::test {

/// The message of the Error that `action` throws, or "no error". Anything else thrown passes
/// through.
template <class Action>
QByteArray errorOf(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace tfm::test

/// Fails the test function unless `expression` throws an Error whose message contains `part`.
#define TFM_VERIFY_ERROR(expression, part)                                                   \
  do {                                                                                       \
    const QByteArray error_met = tfm::test::errorOf([&] { static_cast<void>(expression); }); \
    QVERIFY2(error_met.contains(part), error_met.constData());                               \
  } while (false)
