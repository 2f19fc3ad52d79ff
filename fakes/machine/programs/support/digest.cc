// SPDX-License-Identifier: Apache-2.0
// Over OpenSSL's EVP.
#include "fakes/machine/programs/support/digest.h"

#include <openssl/evp.h>

#include <array>
#include <new>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs {

struct Digest::Context {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> state{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

Digest::Digest(DigestKind kind) : context_(std::make_unique<Context>()) {
  const EVP_MD* algorithm = EVP_sha256();
  if (kind == DigestKind::kMd5) algorithm = EVP_md5();
  if (kind == DigestKind::kSha1) algorithm = EVP_sha1();
  if (context_->state == nullptr) throw std::bad_alloc();
  EVP_DigestInit_ex(context_->state.get(), algorithm, nullptr);
}

Digest::Digest(Digest&&) noexcept = default;
Digest::~Digest() = default;

void Digest::add(std::string_view bytes) {
  EVP_DigestUpdate(context_->state.get(), bytes.data(), bytes.size());
}

std::string Digest::take() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned count = 0;
  EVP_DigestFinal_ex(context_->state.get(), bytes.data(), &count);
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += printed("%02x", bytes[i]);
  return text;
}

}  // namespace sandproof::machine::programs
