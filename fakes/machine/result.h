// SPDX-License-Identifier: Apache-2.0
// What a system call of the machine gives: a value, or the error that refused it. No exceptions:
// a refusal is an answer that programs handle. Values; any thread.
#pragma once

#include <cassert>
#include <utility>
#include <variant>

#include "fakes/machine/errno.h"

namespace sandproof::machine {

template <typename T>
class [[nodiscard]] Result {
 public:
  // Implicit, both: `return Errno::kNoent;` and `return value;` read as what they are.
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT
  Result(Errno error) : state_(std::in_place_index<1>, error) {          // NOLINT
    assert(error != Errno::kOk);
  }

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  /// kOk where there is a value.
  Errno error() const { return ok() ? Errno::kOk : std::get<1>(state_); }
  /// Only where ok().
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T value_or(T other) const& { return ok() ? value() : std::move(other); }

 private:
  std::variant<T, Errno> state_;
};

/// A call that gives nothing but success.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Errno error) : error_(error) {}  // NOLINT: as above.
  bool ok() const { return error_ == Errno::kOk; }
  explicit operator bool() const { return ok(); }
  Errno error() const { return error_; }

 private:
  Errno error_ = Errno::kOk;
};

}  // namespace sandproof::machine
