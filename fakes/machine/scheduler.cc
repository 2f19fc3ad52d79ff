// SPDX-License-Identifier: Apache-2.0
// Rounds of boxes, and in each box rounds of processes.
#include "fakes/machine/scheduler.h"

#include "fakes/machine/box.h"
#include "fakes/machine/process.h"

namespace sandproof::machine {

void Scheduler::add(ProcessEntry& entry) {
  entry.box.ready.add(entry);
  boxes_.add(entry.box);
}

void Scheduler::remove(ProcessEntry& entry) {
  entry.box.ready.remove(entry);
  if (entry.box.ready.empty()) boxes_.remove(entry.box);
}

void Scheduler::remove(Box& box) { boxes_.remove(box); }

ProcessEntry* Scheduler::take() {
  if (boxes_.empty()) return nullptr;
  Box& box = boxes_.take(random_);
  ProcessEntry& entry = box.ready.take(random_);
  if (!box.ready.empty()) boxes_.add(box);
  return &entry;
}

}  // namespace sandproof::machine
