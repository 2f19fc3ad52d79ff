// SPDX-License-Identifier: Apache-2.0
// See poller.h.
#include "poller.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <mutex>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "quiet_thread.h"
#include "wake_event.h"

namespace sandproof {
namespace {

/// Events taken from the kernel at a time: enough for a burst, small enough for a stack.
constexpr int kEventBatch = 64;
/// When the kernel refuses to watch one descriptor more (it limits watches per user), its client is
/// asked to look that often.
constexpr std::chrono::milliseconds kUnwatchedDelay{20};

/// One descriptor may stand for several channels (a socket that is read and written), and epoll
/// knows it once.
std::vector<epoll_event> merged(std::span<const pollfd> interest) {
  std::vector<epoll_event> result;
  for (const pollfd& item : interest) {
    auto found = std::ranges::find(result, item.fd, [](const epoll_event& e) { return e.data.fd; });
    if (found == result.end()) {
      epoll_event event{};
      event.events = EPOLLONESHOT;
      event.data.fd = item.fd;
      found = result.insert(result.end(), event);
    }
    if ((item.events & POLLIN) != 0) found->events |= EPOLLIN;
    if ((item.events & POLLOUT) != 0) found->events |= EPOLLOUT;
  }
  return result;
}

std::mutex shared_mutex;
std::weak_ptr<Poller> shared_poller;  // Guarded by shared_mutex.

}  // namespace

/// What the thread runs on. Outlives the Poller when the last reference to it is dropped on the
/// poller's own thread.
class Poller::Loop {
 public:
  Loop() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (epoll_ < 0) throw std::system_error(errno, std::generic_category(), "cannot make an epoll");
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = kWakeId;
    if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_.descriptor(), &event) != 0) {
      const int error = errno;
      ::close(epoll_);
      throw std::system_error(error, std::generic_category(), "cannot watch the poller's eventfd");
    }
  }
  ~Loop() { ::close(epoll_); }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    wake_.set();
  }

  void arm(std::shared_ptr<PollerClient> client, std::span<const pollfd> interest,
           std::optional<Clock::time_point> when) {
    std::shared_ptr<PollerClient> replaced;
    const std::lock_guard lock(mutex_);
    const auto key = client.get();
    if (const auto old = ids_.find(key); old != ids_.end()) replaced = forget(old->second);
    const std::uint64_t id = ++last_id_;
    for (const epoll_event& event : merged(interest)) {
      if (watch(event, id)) continue;
      const Clock::time_point soon = Clock::now() + kUnwatchedDelay;
      when = when ? std::min(*when, soon) : soon;
    }
    Entry entry{std::move(client), times_.end()};
    if (when) {
      entry.time = times_.emplace(*when, id);
      if (entry.time == times_.begin()) wake_.set();
    }
    ids_[key] = id;
    entries_.emplace(id, std::move(entry));
  }

  void disarm(PollerClient* client) {
    std::shared_ptr<PollerClient> forgotten;  // Let go of after the lock.
    const std::lock_guard lock(mutex_);
    if (const auto old = ids_.find(client); old != ids_.end()) forgotten = forget(old->second);
  }

  void run() {
    std::vector<std::shared_ptr<PollerClient>> due;
    for (;;) {
      if (!collect(due)) return;
      for (auto& client : due) client->on_poller();
      due.clear();  // May drop the last reference to a process, and with it to this poller.
    }
  }

 private:
  static constexpr std::uint64_t kWakeId = 0;

  struct Entry {
    std::shared_ptr<PollerClient> client;
    std::multimap<Clock::time_point, std::uint64_t>::iterator time;
  };

  /// Under mutex_.
  std::shared_ptr<PollerClient> forget(std::uint64_t id) {
    const auto entry = entries_.find(id);
    if (entry == entries_.end()) return nullptr;
    if (entry->second.time != times_.end()) times_.erase(entry->second.time);
    std::shared_ptr<PollerClient> client = std::move(entry->second.client);
    ids_.erase(client.get());
    entries_.erase(entry);
    return client;
  }

  /// Under mutex_. A descriptor that cannot be watched at all (a regular file, or none) counts as
  /// ready. False when the kernel has no room for it.
  bool watch(epoll_event event, std::uint64_t id) {
    const int fd = event.data.fd;
    event.data.u64 = id;
    if (::epoll_ctl(epoll_, EPOLL_CTL_MOD, fd, &event) == 0) return true;
    if (errno == ENOENT && ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) == 0) return true;
    if (errno == ENOSPC || errno == ENOMEM) return false;
    ready_.push_back(id);
    wake_.set();
    return true;
  }

  /// Waits, then fills `due`. False when stopped.
  bool collect(std::vector<std::shared_ptr<PollerClient>>& due) {
    std::array<epoll_event, kEventBatch> events;
    const int count = ::epoll_wait(epoll_, events.data(), kEventBatch, wait_ms());
    const std::lock_guard lock(mutex_);
    if (stopped_) return false;
    const auto take = [&](std::uint64_t id) {
      if (auto client = forget(id)) due.push_back(std::move(client));
    };
    for (int i = 0; i < count; ++i) {
      const std::uint64_t id = events[static_cast<std::size_t>(i)].data.u64;
      if (id == kWakeId) {
        wake_.reset();
      } else {
        take(id);
      }
    }
    for (const std::uint64_t id : std::exchange(ready_, {})) take(id);
    const auto now = Clock::now();
    while (!times_.empty() && times_.begin()->first <= now) take(times_.begin()->second);
    return true;
  }

  int wait_ms() {
    const std::lock_guard lock(mutex_);
    if (times_.empty()) return -1;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(times_.begin()->first - Clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 3'600'000));
  }

  const int epoll_;
  WakeEvent wake_;
  std::mutex mutex_;
  bool stopped_ = false;
  std::uint64_t last_id_ = kWakeId;
  std::unordered_map<std::uint64_t, Entry> entries_;
  std::unordered_map<PollerClient*, std::uint64_t> ids_;
  std::multimap<Clock::time_point, std::uint64_t> times_;
  std::vector<std::uint64_t> ready_;
};

Poller::Poller()
    : loop_(std::make_shared<Loop>()),
      thread_(start_quiet_thread([loop = loop_] { loop->run(); })) {}

Poller::~Poller() {
  loop_->stop();
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();  // The thread holds the loop and ends after this callback.
  } else {
    thread_.join();
  }
}

std::shared_ptr<Poller> Poller::shared() {
  const std::lock_guard lock(shared_mutex);
  if (auto poller = shared_poller.lock()) return poller;
  std::shared_ptr<Poller> poller(new Poller);  // NOLINT: the constructor is private.
  shared_poller = poller;
  return poller;
}

void Poller::disarm(PollerClient* client) { loop_->disarm(client); }

void Poller::arm(std::shared_ptr<PollerClient> client, std::span<const pollfd> interest,
                 std::optional<Clock::time_point> when) {
  loop_->arm(std::move(client), interest, when);
}

}  // namespace sandproof
