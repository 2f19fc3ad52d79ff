// SPDX-License-Identifier: Apache-2.0
// An array of awk: strings to values. Its order is that of busybox, which programs come to rely on
// and outputs show: buckets by a hash, the newest first in each. Owned by the interpreter.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/programs/awk/value.h"

namespace sandproof::machine::programs::awk {

/// How many bytes the variables, arrays and the stack of a program hold.
class Memory {
 public:
  /// Throws RunFailure beyond kMaxMemoryBytes.
  void add(std::size_t bytes) {
    used_ += bytes;
    check();
  }
  void remove(std::size_t bytes) { used_ -= bytes; }

 private:
  void check() const;
  std::size_t used_ = 0;
};

class Array {
 public:
  explicit Array(Memory& memory) : memory_(memory) {}
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { clear(); }

  bool contains(const std::string& key) const { return find(key) != nullptr; }
  /// Makes it where it is not there. Good until the array changes.
  const Value& get(const std::string& key) { return make(key).value; }
  void set(const std::string& key, Value value);
  void erase(const std::string& key);
  void clear();
  std::size_t size() const { return size_; }
  /// In the order of `for (k in a)`.
  std::vector<std::string> keys() const;

 private:
  struct Element {
    std::string key;
    Value value;
    std::size_t bytes() const { return sizeof(Element) + key.size() + value.bytes(); }
  };
  using Bucket = std::vector<Element>;  // The newest last.

  const Element* find(const std::string& key) const;
  Element& make(const std::string& key);
  std::size_t bucket_of(std::string_view key) const;
  void grow();

  Memory& memory_;
  std::vector<Bucket> buckets_;
  std::size_t size_ = 0;
};

}  // namespace sandproof::machine::programs::awk
