// SPDX-License-Identifier: Apache-2.0
// Where session ids, marks and tokens come from. Thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace sandproof {

class IdSource {
 public:
  virtual ~IdSource() = default;
  /// `digits` lowercase hexadecimal digits, 1..64.
  virtual std::string hex(int digits) = 0;
};

/// The production source: getrandom(2). No seed reaches it.
std::shared_ptr<IdSource> system_id_source();

/// `<flavor>-` and 12 random hexadecimal digits (SESSION-002).
std::string new_session_id(IdSource& ids, std::string_view flavor);

}  // namespace sandproof
