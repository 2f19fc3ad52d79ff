// SPDX-License-Identifier: Apache-2.0
// From a ring that the host fills into a pipe of the machine; see host_writer.h.
#include "fakes/machine/host/host_writer.h"

#include <mutex>
#include <optional>

#include "fakes/machine/host/byte_ring.h"
#include "fakes/machine/host/host_event.h"
#include "fakes/machine/pipe.h"

namespace sandproof::machine {

struct HostWriter::Shared {
  std::mutex mutex;
  ByteRing ring{HostReader::kCapacity};
  /// As long as the writer.
  std::optional<HostEvent> writable{std::in_place, HostEvent::Kind::kWritable};
  bool closed = false;  // By the host.
  bool broken = false;  // Nobody reads any more.

  void update() {
    if (writable) writable->set(ring.room() > 0 || broken);
  }
};

class HostWriter::Bridge final : public HostBridge {
 public:
  Bridge(HostLoop& loop, FilePtr pipe) : HostBridge(loop), pipe_(std::move(pipe)) {
    shared_.update();
  }

  void service() override {
    if (pipe_ == nullptr) return;
    if (move() == Errno::kAgain) {
      pipe_->queue_for(Access::kWrite)->add(watcher_);
      return;
    }
    if (pipe_ == nullptr) loop().forget(*this);
  }
  void abandon() override {
    watcher_.leave();
    pipe_ = nullptr;
    const std::lock_guard lock(shared_.mutex);
    shared_.broken = true;
    shared_.update();
  }
  Shared& shared() { return shared_; }

 private:
  /// kAgain where the pipe is full; kOk where there is nothing to move, or nobody to read it.
  Errno move() {
    {
      const std::lock_guard lock(shared_.mutex);
      while (shared_.ring.size() > 0) {
        const Result<std::size_t> count = pipe_->try_write(shared_.ring.data());
        if (count.error() == Errno::kAgain) return Errno::kAgain;
        if (count) {
          shared_.ring.consume(*count);
        } else {
          shared_.ring.clear();
          shared_.broken = true;
        }
        shared_.update();
      }
      if (!shared_.closed && !shared_.broken) return Errno::kOk;
    }
    watcher_.leave();
    pipe_ = nullptr;
    return Errno::kOk;
  }

  Shared shared_;
  FilePtr pipe_;
  Watcher watcher_{*this};
};

std::pair<std::unique_ptr<HostWriter>, FilePtr> HostWriter::make(HostLoop& loop, Box& box,
                                                                 std::uint64_t pipe_id) {
  auto [read_end, write_end] = make_pipe(box.options().pipe_capacity, pipe_id);
  auto bridge = std::make_shared<Bridge>(loop, std::move(write_end));
  loop.keep(bridge);
  return {std::unique_ptr<HostWriter>(new HostWriter(loop, std::move(bridge))),
          std::move(read_end)};
}

HostWriter::HostWriter(HostLoop& loop, std::shared_ptr<Bridge> bridge)
    : loop_(loop), bridge_(std::move(bridge)) {}

HostWriter::~HostWriter() {
  close();
  const std::lock_guard lock(bridge_->shared().mutex);
  bridge_->shared().writable.reset();
}

void HostWriter::want_service() {
  loop_.post([bridge = bridge_](Machine&) { bridge->service(); });
}

HostTransfer HostWriter::write(std::span<const std::byte> from) {
  std::size_t count = 0;
  {
    Shared& shared = bridge_->shared();
    const std::lock_guard lock(shared.mutex);
    if (shared.broken || shared.closed) return {HostTransfer::State::kEnd, 0};
    count = shared.ring.push(from);
    shared.update();
  }
  if (count == 0 && !from.empty()) return {HostTransfer::State::kAgain, 0};
  want_service();
  return {HostTransfer::State::kMoved, count};
}

int HostWriter::descriptor() const { return bridge_->shared().writable->descriptor(); }

void HostWriter::close() {
  {
    Shared& shared = bridge_->shared();
    const std::lock_guard lock(shared.mutex);
    if (shared.closed) return;
    shared.closed = true;
  }
  want_service();
}

}  // namespace sandproof::machine
