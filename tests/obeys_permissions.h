// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

namespace tfm::test {

/// In a process that is about to start a program: the program obeys the permissions of files, also
/// if root starts it.
inline void letObeyPermissions() {
  for (const int right : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH})
    ::prctl(PR_CAPBSET_DROP, right, 0, 0, 0);
}

/// During its lifetime this thread obeys the permissions of files, also if it is root's. Tests can
/// then make folders and files that cannot be written, whoever runs them.
class ObeysPermissions {
 public:
  ObeysPermissions() {
    ::syscall(SYS_capget, &header_, before_.data());
    auto fewer = before_;
    fewer[0].effective &= ~(1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH);
    ::syscall(SYS_capset, &header_, fewer.data());
  }
  ~ObeysPermissions() { ::syscall(SYS_capset, &header_, before_.data()); }
  ObeysPermissions(const ObeysPermissions&) = delete;
  ObeysPermissions& operator=(const ObeysPermissions&) = delete;

 private:
  __user_cap_header_struct header_{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> before_{};
};

}  // namespace tfm::test
