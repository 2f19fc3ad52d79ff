// SPDX-License-Identifier: Apache-2.0
// Files and commands of awk.
#include "fakes/machine/programs/awk/streams.h"

#include <array>

#include "fakes/machine/programs/awk/ast.h"
#include "fakes/machine/programs/support/commands.h"
#include "fakes/machine/programs/support/regex.h"

namespace sandproof::machine::programs::awk {

std::optional<std::pair<std::size_t, std::size_t>> RecordReader::find(
    const std::string& separator) {
  if (separator.empty()) {
    // Empty lines before a record are none; those behind it all end it.
    const std::size_t begin = held_.find_first_not_of('\n');
    held_.erase(0, begin == held_.npos ? held_.size() : begin);
    const std::size_t gap = held_.find("\n\n");
    if (gap == held_.npos) return std::nullopt;
    const std::size_t end = held_.find_first_not_of('\n', gap);
    if (end == held_.npos && !ended_) return std::nullopt;
    return std::pair{gap, end == held_.npos ? held_.size() : end};
  }
  if (separator.size() == 1) {
    const std::size_t found = held_.find(separator[0]);
    if (found == held_.npos) return std::nullopt;
    return std::pair{found, found + 1};
  }
  const std::optional<Regex> regex = Regex::compile(separator, {.extended = true});
  if (!regex) throw Failure{"bad regex '" + separator + "'"};
  Regex::Match match;
  if (!regex->search(held_, 0, match) || match[0].length() == 0) return std::nullopt;
  // One that ends where the text does might go on.
  if (match[0].end == held_.size() && !ended_) return std::nullopt;
  return std::pair{match[0].begin, match[0].end};
}

Task<bool> RecordReader::next(std::string& record, const std::string& separator) {
  for (;;) {
    if (const auto found = find(separator)) {
      record = held_.substr(0, found->first);
      held_.erase(0, found->second);
      co_return true;
    }
    if (ended_) {
      if (held_.empty()) co_return false;
      record = std::exchange(held_, {});
      // A newline at the end of the last record is its end.
      if (separator.empty() && record.ends_with('\n')) record.pop_back();
      if (separator.size() > 1 && record.ends_with('\n')) record.pop_back();
      co_return true;
    }
    std::array<std::byte, 4096> chunk;
    const Result<std::size_t> count = co_await self_.read(fd_.get(), chunk);
    if (count.error() == Errno::kIntr) continue;
    if (count.value_or(0) == 0 || held_.size() > kMaxHeldBytes) {
      ended_ = true;
    } else {
      held_.append(reinterpret_cast<const char*>(chunk.data()), *count);
    }
  }
}

namespace {

constexpr std::string_view kAwkShell = "/bin/sh";

Result<Pid> fork_shell(Process& self, std::string command, PipeFds ends, bool reads) {
  return self.fork([command = std::move(command), ends, reads](Process& born) -> Task<int> {
    // The ends of the pipe themselves close on exec.
    if (ends.read >= 0) (void)born.dup2(reads ? ends.read : ends.write, reads ? 0 : 1);
    const std::string shell(kAwkShell);
    const Strings argv = {"sh", "-c", command};
    const Strings env = born.env();
    (void)co_await born.exec(shell, argv, env);
    co_return 127;
  });
}

}  // namespace

Task<Pid> Streams::start(std::string command, bool reads, Stream& stream) {
  co_await flush_all();
  Process& self = tool_.self;
  const Result<PipeFds> pipe = self.pipe(true);
  if (!pipe) {
    co_await tool_.fail("pipe", pipe.error());
    co_return 0;
  }
  const Result<Pid> child = fork_shell(self, std::move(command), *pipe, reads);
  (void)self.close(reads ? pipe->read : pipe->write);
  stream.fd = std::make_unique<OwnedFd>(self, reads ? pipe->write : pipe->read);
  if (!child) {
    co_await tool_.fail("fork", child.error());
    co_return 0;
  }
  co_return *child;
}

Task<Output*> Streams::output(std::string mode, std::string name) {
  const auto found = outputs_.find(name);
  if (found != outputs_.end()) co_return found->second.out.get();
  if (name == "/dev/stdout" || name == "-") co_return &tool_.out;
  Stream stream;
  if (mode == "|") {
    stream.child = co_await start(name, true, stream);
    if (stream.child == 0) co_return nullptr;
  } else {
    OpenOptions options = kToOverwrite;
    if (mode == ">>") options = kToAppend;
    Result<OwnedFd> fd = co_await open_output(tool_.self, name, options);
    if (!fd) {
      const std::string what = "can't open '" + name + "'";
      co_await tool_.fail(what, fd.error());
      co_return nullptr;
    }
    stream.fd = std::make_unique<OwnedFd>(*std::move(fd));
  }
  stream.out = std::make_unique<Output>(tool_.self, stream.fd->get());
  co_return outputs_.emplace(name, std::move(stream)).first->second.out.get();
}

Task<RecordReader*> Streams::input(std::string mode, std::string name) {
  const auto found = inputs_.find(name);
  if (found != inputs_.end()) co_return found->second.in.get();
  Stream stream;
  if (mode == "|") {
    stream.child = co_await start(name, false, stream);
    if (stream.child == 0) co_return nullptr;
  } else {
    Result<OwnedFd> fd = co_await open_input(tool_.self, name);
    if (!fd) co_return nullptr;
    stream.fd = std::make_unique<OwnedFd>(*std::move(fd));
  }
  stream.in = std::make_unique<RecordReader>(tool_.self, std::move(*stream.fd));
  stream.fd.reset();
  co_return inputs_.emplace(name, std::move(stream)).first->second.in.get();
}

Task<int> Streams::end(Stream stream) {
  int status = 0;
  if (stream.out != nullptr && !co_await stream.out->flush()) status = -1;
  // The command sees the end of its input, or that nobody reads it any more.
  stream.out.reset();
  stream.in.reset();
  stream.fd.reset();
  if (stream.child != 0) {
    const Result<ChildChange> change = co_await wait_for(tool_.self, stream.child);
    if (change) status = change->status.shell_code();
  }
  co_return status;
}

Task<int> Streams::close(std::string name) {
  int status = -1;
  for (auto* const streams : {&outputs_, &inputs_}) {
    auto node = streams->extract(name);
    if (node.empty()) continue;
    status = co_await end(std::move(node.mapped()));
  }
  co_return status;
}

Task<bool> Streams::flush(std::string name) {
  const auto found = outputs_.find(name);
  if (found == outputs_.end()) co_return false;
  co_return co_await found->second.out->flush();
}

Task<void> Streams::flush_all() {
  (void)co_await tool_.out.flush();
  for (const auto& [name, stream] : outputs_) (void)co_await stream.out->flush();
}

Task<void> Streams::close_all() {
  (void)co_await tool_.out.flush();
  while (!outputs_.empty()) (void)co_await close(outputs_.begin()->first);
  while (!inputs_.empty()) (void)co_await close(inputs_.begin()->first);
}

Task<int> Streams::system(std::string command) {
  co_await flush_all();
  const Result<Pid> child = fork_shell(tool_.self, std::move(command), {}, false);
  if (!child) co_return -1;
  const Result<ChildChange> change = co_await wait_for(tool_.self, *child);
  co_return change ? change->status.shell_code() : -1;
}

}  // namespace sandproof::machine::programs::awk
