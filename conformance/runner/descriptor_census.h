// SPDX-License-Identifier: Apache-2.0
// Which descriptors this process holds, and what has come on top between two looks. Owned by one
// thread; other threads may open and close meanwhile, which is why it is a note and no verdict.
#pragma once

#include <string>
#include <vector>

namespace sandproof::conformance::runner {

class DescriptorCensus {
 public:
  /// What is open now and was not at the last call: "17 (pipe:[1234])" …, at most 10 of them, then
  /// how many more. The first call only looks.
  std::vector<std::string> fresh();

 private:
  std::vector<int> known_;
  bool looked_ = false;
};

}  // namespace sandproof::conformance::runner
