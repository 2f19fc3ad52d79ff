// SPDX-License-Identifier: Apache-2.0
// Who a process is. Values.
#pragma once

#include <vector>

namespace sandproof::machine {

using Uid = unsigned;
using Gid = unsigned;

struct Credentials {
  Uid uid = 0;
  Gid gid = 0;
  std::vector<Gid> groups = {};

  bool root() const { return uid == 0; }
};

}  // namespace sandproof::machine
