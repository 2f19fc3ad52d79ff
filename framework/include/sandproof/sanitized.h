// SPDX-License-Identifier: Apache-2.0
// Whether the code that includes this is built with a sanitizer. A constant.
#pragma once

namespace sandproof {

/// True where the build says so by defining SANDPROOF_SANITIZED (GCC has a macro of its own for
/// some sanitizers, clang for none). Figures of memory and descriptors are the sanitizer's, too,
/// then, and everything takes several times as long.
#ifdef SANDPROOF_SANITIZED
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

}  // namespace sandproof
