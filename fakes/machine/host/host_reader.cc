// SPDX-License-Identifier: Apache-2.0
// From a pipe of the machine into a ring that the host empties; see host_reader.h.
#include "fakes/machine/host/host_reader.h"

#include <mutex>
#include <optional>

#include "fakes/machine/host/byte_ring.h"
#include "fakes/machine/host/host_event.h"
#include "fakes/machine/pipe.h"

namespace sandproof::machine {

/// What the two threads share.
struct HostReader::Shared {
  std::mutex mutex;
  ByteRing ring{kCapacity};
  /// As long as the reader: its descriptor goes with it, whenever the machine lets go of the rest.
  std::optional<HostEvent> readable{std::in_place, HostEvent::Kind::kReadable};
  bool ended = false;    // Nothing more comes.
  bool closed = false;   // By the host.
  bool stalled = false;  // The bridge waits for room.

  void update() {
    if (readable) readable->set(ring.size() > 0 || ended);
  }
};

class HostReader::Bridge final : public HostBridge {
 public:
  Bridge(HostLoop& loop, FilePtr pipe) : HostBridge(loop), pipe_(std::move(pipe)) {}

  void service() override {
    if (pipe_ == nullptr) return;
    if (move() == Errno::kAgain) {
      pipe_->queue_for(Access::kRead)->add(watcher_);
      return;
    }
    if (pipe_ == nullptr) loop().forget(*this);
  }
  void abandon() override {
    // What is in the pipe yet is delivered as far as there is room.
    if (pipe_ != nullptr) (void)move();
    finish();
  }
  Shared& shared() { return shared_; }

 private:
  /// kAgain where the pipe is empty; kOk where it is at its end, or there is no room.
  Errno move() {
    bool over = false;
    {
      const std::lock_guard lock(shared_.mutex);
      while (!over) {
        over = shared_.closed;
        if (over) break;
        if (shared_.ring.room() == 0) {
          shared_.stalled = true;
          return Errno::kOk;
        }
        const Result<std::size_t> count = pipe_->try_read(shared_.ring.space());
        if (count.error() == Errno::kAgain) return Errno::kAgain;
        over = !count || *count == 0;
        if (!over) shared_.ring.commit(*count);
        shared_.ended = over;
        shared_.update();
      }
    }
    watcher_.leave();
    pipe_ = nullptr;
    return Errno::kOk;
  }

  void finish() {
    watcher_.leave();
    pipe_ = nullptr;
    const std::lock_guard lock(shared_.mutex);
    shared_.ended = true;
    shared_.update();
  }

  Shared shared_;
  FilePtr pipe_;
  Watcher watcher_{*this};
};

std::pair<std::unique_ptr<HostReader>, FilePtr> HostReader::make(HostLoop& loop, Box& box,
                                                                 std::uint64_t pipe_id) {
  auto [read_end, write_end] = make_pipe(box.options().pipe_capacity, pipe_id);
  auto bridge = std::make_shared<Bridge>(loop, std::move(read_end));
  loop.keep(bridge);
  loop.want_service(*bridge);
  return {std::unique_ptr<HostReader>(new HostReader(loop, std::move(bridge))),
          std::move(write_end)};
}

HostReader::HostReader(HostLoop& loop, std::shared_ptr<Bridge> bridge)
    : loop_(loop), bridge_(std::move(bridge)) {}

HostReader::~HostReader() {
  close();
  const std::lock_guard lock(bridge_->shared().mutex);
  bridge_->shared().readable.reset();
}

void HostReader::want_service() {
  loop_.post([bridge = bridge_](Machine&) { bridge->service(); });
}

HostTransfer HostReader::read(std::span<std::byte> into) {
  HostTransfer done;
  bool go_on = false;
  {
    Shared& shared = bridge_->shared();
    const std::lock_guard lock(shared.mutex);
    if (shared.ring.size() == 0) {
      const bool end = shared.ended || shared.closed;
      return {end ? HostTransfer::State::kEnd : HostTransfer::State::kAgain, 0};
    }
    done = {HostTransfer::State::kMoved, shared.ring.pop(into)};
    // With half of it free, so that a slow reader does not wake the machine for every byte.
    go_on = shared.stalled && shared.ring.room() >= kCapacity / 2;
    if (go_on) shared.stalled = false;
    shared.update();
  }
  if (go_on) want_service();
  return done;
}

int HostReader::descriptor() const { return bridge_->shared().readable->descriptor(); }

void HostReader::close() {
  {
    Shared& shared = bridge_->shared();
    const std::lock_guard lock(shared.mutex);
    if (shared.closed) return;
    shared.closed = true;
    shared.ring.clear();
  }
  want_service();
}

}  // namespace sandproof::machine
