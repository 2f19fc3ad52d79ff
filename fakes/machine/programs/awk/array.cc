// SPDX-License-Identifier: Apache-2.0
// The table: its sizes and its hash are those that the real order shows.
#include "fakes/machine/programs/awk/array.h"

#include <array>
#include <utility>

#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/limits.h"

namespace sandproof::machine::programs::awk {
namespace {

constexpr std::array<std::size_t, 6> kTableSizes = {61, 251, 1021, 4093, 16381, 65521};
// It grows beyond so many elements per bucket.
constexpr std::size_t kElementsPerBucket = 8;

}  // namespace

void Memory::check() const {
  if (used_ > kMaxMemoryBytes) {
    throw RunFailure("The program holds more than " + std::to_string(kMaxMemoryBytes >> 20U) +
                     " MiB; let it keep less");
  }
}

std::size_t Array::bucket_of(std::string_view key) const {
  std::uint32_t hash = 0;
  for (const char letter : key) hash = hash * 63U + static_cast<unsigned char>(letter);
  return hash % buckets_.size();
}

const Array::Element* Array::find(const std::string& key) const {
  if (buckets_.empty()) return nullptr;
  for (const Element& element : buckets_[bucket_of(key)]) {
    if (element.key == key) return &element;
  }
  return nullptr;
}

void Array::grow() {
  std::size_t next = 0;
  while (next < kTableSizes.size() && kTableSizes[next] <= buckets_.size()) ++next;
  if (next == kTableSizes.size()) return;
  std::vector<Bucket> old = std::exchange(buckets_, std::vector<Bucket>(kTableSizes[next]));
  // In the order of a walk, each put first in its new bucket.
  for (Bucket& bucket : old) {
    for (auto element = bucket.rbegin(); element != bucket.rend(); ++element) {
      const std::size_t where = bucket_of(element->key);
      buckets_[where].push_back(std::move(*element));
    }
  }
}

Array::Element& Array::make(const std::string& key) {
  if (const Element* element = find(key)) return const_cast<Element&>(*element);
  if (buckets_.empty()) grow();
  ++size_;
  if (size_ > buckets_.size() * kElementsPerBucket) grow();
  Bucket& bucket = buckets_[bucket_of(key)];
  bucket.push_back({.key = key, .value = {}});
  memory_.add(bucket.back().bytes());
  return bucket.back();
}

void Array::set(const std::string& key, Value value) {
  Element& element = make(key);
  const std::size_t before = element.value.bytes();
  element.value = std::move(value);
  memory_.add(element.value.bytes());
  memory_.remove(before);
}

void Array::erase(const std::string& key) {
  if (buckets_.empty()) return;
  Bucket& bucket = buckets_[bucket_of(key)];
  for (auto element = bucket.begin(); element != bucket.end(); ++element) {
    if (element->key != key) continue;
    memory_.remove(element->bytes());
    bucket.erase(element);
    --size_;
    return;
  }
}

void Array::clear() {
  for (const Bucket& bucket : buckets_) {
    for (const Element& element : bucket) memory_.remove(element.bytes());
  }
  buckets_.clear();
  size_ = 0;
}

std::vector<std::string> Array::keys() const {
  std::vector<std::string> all;
  all.reserve(size_);
  for (const Bucket& bucket : buckets_) {
    for (auto element = bucket.rbegin(); element != bucket.rend(); ++element) {
      all.push_back(element->key);
    }
  }
  return all;
}

}  // namespace sandproof::machine::programs::awk
