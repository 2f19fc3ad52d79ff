// SPDX-License-Identifier: Apache-2.0
// Who runs next: seeded and fair. Time is dealt in rounds: a box that has something to run gets one
// slice in each round of boxes, however many processes it has, and a process one in each round of
// its box. Within a round the seed chooses. So who becomes ready waits for at most two rounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace sandproof::machine {

class Box;
struct ProcessEntry;

/// The one source of chance of a machine.
using Random = std::mt19937_64;

/// Where an item stands; a member `round_place` of what is dealt by rounds.
struct RoundPlace {
  bool in = false;
  bool later = false;
  std::size_t at = 0;
};

/// Items, each taken once before any is taken twice. T has a member `RoundPlace round_place`.
template <typename T>
class Rounds {
 public:
  bool empty() const { return now_.empty() && later_.empty(); }
  /// Joins the next round; nothing if it is in already.
  void add(T& item) {
    RoundPlace& place = item.round_place;
    if (place.in) return;
    place = {.in = true, .later = true, .at = later_.size()};
    later_.push_back(&item);
  }
  void remove(T& item) {
    if (item.round_place.in) drop(item.round_place.later ? later_ : now_, item.round_place.at);
  }
  /// Takes one out. Only where not empty().
  T& take(Random& random) {
    if (now_.empty()) {
      std::swap(now_, later_);
      for (T* item : now_) item->round_place.later = false;
    }
    const std::size_t at = now_.size() == 1 ? 0 : random() % now_.size();
    T& taken = *now_[at];
    drop(now_, at);
    return taken;
  }

 private:
  static void drop(std::vector<T*>& list, std::size_t at) {
    list[at]->round_place = {};
    if (at + 1 != list.size()) {
      list[at] = list.back();
      list[at]->round_place.at = at;
    }
    list.pop_back();
  }

  std::vector<T*> now_;
  std::vector<T*> later_;
};

class Scheduler {
 public:
  explicit Scheduler(std::uint64_t seed) : random_(seed) {}

  bool empty() const { return boxes_.empty(); }
  void add(ProcessEntry& entry);
  void remove(ProcessEntry& entry);
  /// A box that is going away.
  void remove(Box& box);
  /// Takes the next one to run; nothing if none is ready.
  ProcessEntry* take();
  Random& random() { return random_; }

 private:
  Random random_;
  Rounds<Box> boxes_;
};

}  // namespace sandproof::machine
