// SPDX-License-Identifier: Apache-2.0
// Digests of bytes, by way of OpenSSL. One thread at a time per object.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace sandproof::machine::programs {

enum class DigestKind { kMd5, kSha1, kSha256 };

class Digest {
 public:
  explicit Digest(DigestKind kind);
  Digest(Digest&&) noexcept;
  ~Digest();
  void add(std::string_view bytes);
  /// In hexadecimal. Once.
  std::string take();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace sandproof::machine::programs
