// SPDX-License-Identifier: Apache-2.0
// Talking to one worker (worker_handle.h).
#include "conformance/runner/worker_handle.h"

#include <poll.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "conformance/runner/run.h"
#include "sandproof/exit_status.h"

namespace sandproof::conformance::runner {
namespace {

// A fork and a spawn take milliseconds; this is for a machine that swaps.
constexpr std::chrono::milliseconds kStartBound{10'000};

}  // namespace

WorkerHandle::WorkerHandle(int number, std::size_t lot, const std::string& flavor,
                           std::filesystem::path directory)
    : number_(number), lot_(lot), directory_(std::move(directory)) {
  Pipe commands = make_pipe();
  Pipe events = make_pipe();
  Pipe output = make_pipe();
  Pipe status = make_pipe();
  keeper_ = start_keeper({flavor, commands.read.get(), events.write.get(), block_.descriptor(),
                          output.write.get(), status.write.get()});
  commands_ = std::move(commands.write);
  events_ = std::move(events.read);
  output_ = std::move(output.read);
  status_ = std::move(status.read);
  // Commands too: a worker that does not read must not hold up the others.
  for (const int fd : {commands_.get(), events_.get(), output_.get(), status_.get()}) {
    set_nonblocking(fd);
  }
  status.write.reset();
  await_status(kStartBound);
  // A keeper that somebody kills before it says anything is a worker that dies before it has begun,
  // which is tried again; that there can be no worker at all ends the run.
  if (not_started_) throw RunnerError("cannot start a worker: " + *end_status_);
}

void WorkerHandle::send(const nlohmann::json& command) {
  const std::string line =
      command.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  // SIGPIPE is ignored by the supervisor.
  if (!write_all(commands_.get(), line)) commands_.reset();
}

void WorkerHandle::read_events(std::size_t budget, const LineReader::OnLine& on_line) {
  if (!events_) return;
  if (lines_.read(events_.get(), budget, on_line) == LineReader::State::kEnd) events_.reset();
}

void WorkerHandle::read_output(std::size_t budget) {
  std::array<char, 64 * 1024> buffer;
  for (std::size_t total = 0; output_ && total < budget;) {
    const long count = read_some_bytes(output_.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return output_.reset();
    total += static_cast<std::size_t>(count);
    tail_.add({buffer.data(), static_cast<std::size_t>(count)});
  }
}

void WorkerHandle::await_status(std::chrono::milliseconds bound) {
  const auto deadline = std::chrono::steady_clock::now() + bound;
  pollfd polled{status_.get(), POLLIN, 0};
  while (::poll(&polled, 1, poll_timeout(deadline - std::chrono::steady_clock::now())) < 0 &&
         errno == EINTR) {
  }
  read_status();
}

void WorkerHandle::read_status() {
  KeeperMessage message;
  while (status_) {
    const long count =
        read_some_bytes(status_.get(), reinterpret_cast<char*>(&message), sizeof(message));
    if (count < 0 && errno == EAGAIN) return;
    if (count != sizeof(message)) {
      // Only a keeper that was killed goes without a word.
      if (!end_status_) end_status_ = ExitStatus::lost("its keeper was killed").to_string();
      return status_.reset();
    }
    switch (message.kind) {
      case KeeperMessage::kStarted:
        pid_ = message.value;
        break;
      case KeeperMessage::kNotStarted:
        not_started_ = true;
        end_status_ = ExitStatus::lost(std::strerror(message.value)).to_string();
        break;
      case KeeperMessage::kEnded:
        end_status_ = ExitStatus::from_wait_status(message.value).to_string();
        break;
    }
  }
}

}  // namespace sandproof::conformance::runner
