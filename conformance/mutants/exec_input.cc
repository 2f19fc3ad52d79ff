// SPDX-License-Identifier: Apache-2.0
// Flavors that break EXEC: a command's standard input. Each mutation is used from any thread; the
// hooks of one process are used by one thread at a time for each channel.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

/// Commands without an input get a pipe, into which `Fill` writes.
template <typename Fill>
class StdinIsAPipe : public Faulty<SessionHookWrapper> {
 public:
  using Faulty<SessionHookWrapper>::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    if (request.wants_input || !fires()) return inner().do_exec(request);
    ExecRequest changed = request;
    changed.wants_input = true;
    std::unique_ptr<ProcessHooks> process = inner().do_exec(changed);
    Fill()(*process);
    return process;
  }
};
struct Nothing {
  void operator()(ProcessHooks&) const {}
};
struct StrayBytes {
  void operator()(ProcessHooks& process) const {
    process.do_write(std::as_bytes(std::span(std::string_view("stray\n"))));
    process.do_close_input();
  }
};
/// What is there to be read, so that nothing blocks here.
struct TheHarnesssBytes {
  void operator()(ProcessHooks& process) const {
    pollfd input = {STDIN_FILENO, POLLIN, 0};
    std::array<std::byte, 64> buffer;
    if (::poll(&input, 1, 0) == 1) {
      const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
      if (count > 0) process.do_write(std::span(buffer).first(static_cast<std::size_t>(count)));
    }
    process.do_close_input();
  }
};

using Bytes = std::span<const std::byte>;

class LosesTheLastInputByte : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_write(Bytes bytes) noexcept override {
    if (bytes.size() == 1 && fires()) return IoResult::ready(1);
    return inner().do_write(bytes.size() > 1 ? bytes.first(bytes.size() - 1) : bytes);
  }
};

class InputIsCutAtANul : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_write(Bytes bytes) noexcept override {
    const auto nul = std::ranges::find(bytes, std::byte{0});
    if (cut_ || (nul == bytes.begin() && fires())) {
      cut_ = true;
      return IoResult::ready(bytes.size());
    }
    return inner().do_write({bytes.begin(), nul});
  }

 private:
  bool cut_ = false;
};

class InputEndIsNotSeen : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  void do_close_input() noexcept override {
    if (!fires()) inner().do_close_input();
  }
};

class AShortWriteIsRepeated : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_write(Bytes bytes) noexcept override {
    const IoResult result = inner().do_write(bytes);
    const bool is_short = result.state == IoState::kReady && result.count < bytes.size();
    return is_short && fires() ? IoResult::ready(result.count / 2) : result;
  }
};

class InputStopsAtFourMebibytes : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_write(Bytes bytes) noexcept override {
    constexpr std::size_t kLimit = 4 << 20;
    if (written_ >= kLimit && fires()) return IoResult::ready(bytes.size());
    const IoResult result = inner().do_write(bytes.first(std::min(bytes.size(), kLimit)));
    if (result.state == IoState::kReady) written_ += result.count;
    return result;
  }

 private:
  std::size_t written_ = 0;
};

class InputComesAtTheEnd : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_write(Bytes bytes) noexcept override {
    // More than a pipe holds could not be written at once later.
    constexpr std::size_t kFits = 4096;
    if (kept_.size() + bytes.size() > kFits || !fires()) return inner().do_write(bytes);
    kept_.insert(kept_.end(), bytes.begin(), bytes.end());
    return IoResult::ready(bytes.size());
  }
  void do_close_input() noexcept override {
    inner().do_write(kept_);
    inner().do_close_input();
  }

 private:
  std::vector<std::byte> kept_;
};

class OutputEndsWithTheInput : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  void do_close_input() noexcept override {
    inner().do_close_input();
    closed_ = true;
  }
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    return closed_ && fires() ? IoResult::end() : inner().do_read(stream, buffer);
  }

 private:
  std::atomic<bool> closed_ = false;
};

/// As long as there is input to be written, nothing is read.
class InputComesBeforeOutput : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_write(Bytes bytes) noexcept override {
    writing_ = true;
    return inner().do_write(bytes);
  }
  void do_close_input() noexcept override {
    inner().do_close_input();
    writing_ = false;
  }
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    return writing_ && fires() ? IoResult::again() : inner().do_read(stream, buffer);
  }

 private:
  std::atomic<bool> writing_ = false;
};

class ABrokenPipeLosesTheStatus : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_write(Bytes bytes) noexcept override {
    const IoResult result = inner().do_write(bytes);
    if (result.state == IoState::kEnd) broken_ = true;
    return result;
  }
  std::optional<ExitStatus> do_poll_exit() noexcept override {
    std::optional<ExitStatus> status = inner().do_poll_exit();
    if (!status || !broken_ || !fires()) return status;
    return ExitStatus::lost("broken pipe");
  }

 private:
  std::atomic<bool> broken_ = false;
};

/// A writer of which a process mutation gets what write() came to.
class WatchedWriter : public StdinWriter {
 public:
  using Judge = std::function<bool(bool taken)>;
  WatchedWriter(StdinWriter& healthy, Judge judge) : healthy_(healthy), judge_(std::move(judge)) {}
  bool write(std::string_view bytes, Where where) override {
    return judge_(healthy_.write(bytes, where));
  }
  void close() override { healthy_.close(); }

 private:
  StdinWriter& healthy_;
  const Judge judge_;
};

enum class Unread { kThrows, kIsTaken, kBlocks };

template <Unread kUnread>
class AnUnreadWriteIsMisjudged : public KnowsOfKill {
 public:
  using KnowsOfKill::KnowsOfKill;
  StdinWriter& in() override {
    if (!writer_) {
      writer_.emplace(inner().in(), [this](bool taken) {
        if (taken || !fires()) return taken;
        if (kUnread == Unread::kThrows) throw BackendError("broken pipe");
        if (kUnread == Unread::kBlocks) stall_until_killed();
        return kUnread == Unread::kIsTaken;
      });
    }
    return *writer_;
  }

 private:
  std::optional<WatchedWriter> writer_;  // The cases have one writer.
};

/// Every sixteenth write() leaves its last byte out.
class AByteOfAWriteIsLost : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  StdinWriter& in() override {
    if (!writer_) writer_.emplace(inner().in(), *this);
    return *writer_;
  }

 private:
  class Loses : public StdinWriter {
   public:
    Loses(StdinWriter& healthy, const AByteOfAWriteIsLost& process)
        : healthy_(healthy), process_(process) {}
    bool write(std::string_view bytes, Where where) override {
      const bool loses = ++writes_ % 16 == 0 && process_.fires();
      return healthy_.write(loses ? bytes.substr(0, bytes.size() - 1) : bytes, where);
    }
    void close() override { healthy_.close(); }

   private:
    StdinWriter& healthy_;
    const AByteOfAWriteIsLost& process_;
    int writes_ = 0;
  };
  std::optional<Loses> writer_;  // The cases have one writer.
};

}  // namespace

std::vector<Mutant> exec_input_mutants() {
  return {
      {.name = "StdinIsAnOpenPipe",
       .rule = "EXEC-012",
       .what = "The input of a command that was given none does not end.",
       .wrap_hooks = each_session_hooks<StdinIsAPipe<Nothing>>()},
      {.name = "StdinHoldsStrayBytes",
       .rule = "EXEC-012",
       .what = "The input of a command that was given none is not empty.",
       .wrap_hooks = each_session_hooks<StdinIsAPipe<StrayBytes>>()},
      {.name = "StdinIsTheHarnesss",
       .rule = "EXEC-012",
       .what = "A command that was given no input reads the harness's.",
       .wrap_hooks = each_session_hooks<StdinIsAPipe<TheHarnesssBytes>>()},
      {.name = "LosesTheLastInputByte",
       .rule = "EXEC-013",
       .what = "The last byte of the input is lost.",
       .wrap_hooks = each_process_hooks<LosesTheLastInputByte>()},
      {.name = "InputIsCutAtANul",
       .rule = "EXEC-013",
       .what = "The input ends at its first NUL.",
       .wrap_hooks = each_process_hooks<InputIsCutAtANul>()},
      {.name = "InputEndIsNotSeen",
       .rule = "EXEC-013",
       .what = "The command does not see the end of its input.",
       .wrap_hooks = each_process_hooks<InputEndIsNotSeen>(),
       .bug = "https://github.com/boostorg/process/issues/170"},
      {.name = "AShortWriteIsRepeated",
       .rule = "EXEC-013",
       .what = "A write that took a part is repeated from too early on.",
       .wrap_hooks = each_process_hooks<AShortWriteIsRepeated>()},
      {.name = "InputStopsAtFourMebibytes",
       .rule = "EXEC-013",
       .what = "Input past 4 MiB is lost.",
       .wrap_hooks = each_process_hooks<InputStopsAtFourMebibytes>()},
      {.name = "AByteOfAWriteIsLost",
       .rule = "EXEC-013",
       .what = "Now and then write() leaves a byte out.",
       .wrap = each_process<AByteOfAWriteIsLost>()},
      {.name = "InputComesAtTheEnd",
       .rule = "EXEC-013",
       .what = "What is written arrives when the input is closed.",
       .wrap_hooks = each_process_hooks<InputComesAtTheEnd>()},
      {.name = "OutputEndsWithTheInput",
       .rule = "EXEC-013",
       .what = "Closing the input closes the output as well.",
       .wrap_hooks = each_process_hooks<OutputEndsWithTheInput>(),
       .bug = "https://github.com/apocas/docker-modem/issues/48"},
      {.name = "InputComesBeforeOutput",
       .rule = "EXEC-013",
       .what = "Nothing is read before all input is written.",
       .wrap_hooks = each_process_hooks<InputComesBeforeOutput>(),
       .bug = "https://github.com/dsheets/ocaml-process/issues/2"},
      {.name = "ABrokenPipeLosesTheStatus",
       .rule = "EXEC-013",
       .what = "A command that does not read its input has no status.",
       .wrap_hooks = each_process_hooks<ABrokenPipeLosesTheStatus>()},
      {.name = "AnUnreadWriteThrows",
       .rule = "EXEC-013",
       .what = "write() throws when nobody reads.",
       .wrap = each_process<AnUnreadWriteIsMisjudged<Unread::kThrows>>()},
      {.name = "AnUnreadWriteIsTaken",
       .rule = "EXEC-013",
       .what = "write() says that the bytes were taken when nobody reads.",
       .wrap = each_process<AnUnreadWriteIsMisjudged<Unread::kIsTaken>>()},
      {.name = "AnUnreadWriteBlocks",
       .rule = "EXEC-013",
       .what = "write() blocks when nobody reads.",
       .wrap = each_process<AnUnreadWriteIsMisjudged<Unread::kBlocks>>()},
  };
}

}  // namespace sandproof::conformance
