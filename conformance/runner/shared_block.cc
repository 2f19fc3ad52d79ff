// SPDX-License-Identifier: Apache-2.0
// A block of memory without a name, shared by mapping one descriptor twice (shared_block.h).
#include "conformance/runner/shared_block.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <new>

#include "conformance/runner/run.h"
#include "conformance/runner/system.h"

namespace sandproof::conformance::runner {

SharedBlockMapping::SharedBlockMapping() : fd_(::memfd_create("sandproof-block", MFD_CLOEXEC)) {
  if (!fd_) throw_system_error("cannot make the memory shared with a worker");
  if (::ftruncate(fd_.get(), sizeof(SharedBlock)) != 0) {
    throw_system_error("cannot size the memory shared with a worker");
  }
  block_ = new (map()) SharedBlock{};
}

SharedBlockMapping::SharedBlockMapping(UniqueFd fd) : fd_(std::move(fd)) {
  struct stat info {};
  if (::fstat(fd_.get(), &info) != 0 || info.st_size < static_cast<off_t>(sizeof(SharedBlock))) {
    throw RunnerError("the descriptor that should hold the shared memory does not");
  }
  // The supervisor has made the object; here it is only looked at.
  block_ = std::launder(static_cast<SharedBlock*>(map()));
}

SharedBlockMapping::~SharedBlockMapping() {
  if (block_ != nullptr) ::munmap(block_, sizeof(SharedBlock));
}

void* SharedBlockMapping::map() {
  void* const memory =
      ::mmap(nullptr, sizeof(SharedBlock), PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
  if (memory == MAP_FAILED) throw_system_error("cannot map the memory shared with a worker");
  return memory;
}

}  // namespace sandproof::conformance::runner
