// SPDX-License-Identifier: Apache-2.0
// Opening, closing, and running commands.
#include "fakes/machine/programs/awk/streams.h"

#include <utility>

#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/limits.h"
#include "fakes/machine/programs/support/commands.h"
#include "fakes/machine/programs/support/files.h"

namespace sandproof::machine::programs::awk {
namespace {

Task<int> become_shell(Process& self, std::string command) {
  const std::string path = "/bin/sh";
  const Strings argv = {"sh", "-c", std::move(command)};
  const Strings env = self.env();
  (void)co_await self.exec(path, argv, env);
  co_return 127;
}

}  // namespace

Result<Pid> Streams::start(std::string command, int from, int to) {
  return self_.fork([command = std::move(command), from, to](Process& born) -> Task<int> {
    if (from >= 0) (void)born.dup2(from, to);
    co_return co_await become_shell(born, command);
  });
}

Task<Errno> Streams::open_command(Stream& stream, std::string command, bool to_read) {
  co_await flush_all();
  const Result<PipeFds> pipe = self_.pipe(true);
  if (!pipe) co_return pipe.error();
  const int ours = to_read ? pipe->read : pipe->write;
  const int theirs = to_read ? pipe->write : pipe->read;
  const Result<Pid> child = start(std::move(command), theirs, to_read ? 1 : 0);
  (void)self_.close(theirs);
  if (!child) {
    (void)self_.close(ours);
    co_return child.error();
  }
  stream.fd = ours;
  stream.child = *child;
  co_return Errno::kOk;
}

Task<Errno> Streams::open_file(Stream& stream, std::string name, Redirect redirect) {
  if (redirect == Redirect::kNone && name == "/dev/stdin") {
    stream.fd = 0;
    co_return Errno::kOk;
  }
  if (name == "/dev/stdout" || name == "/dev/stderr") {
    stream.fd = name == "/dev/stdout" ? 1 : 2;
    co_return Errno::kOk;
  }
  const OpenOptions options = redirect == Redirect::kNone   ? kToRead
                              : redirect == Redirect::kFile ? kToOverwrite
                                                            : kToAppend;
  const Result<int> fd = co_await self_.open(name, options);
  if (!fd) co_return fd.error();
  stream.fd = *fd;
  co_return Errno::kOk;
}

Task<RecordReader*> Streams::reader(std::string name, bool command, Errno& error) {
  error = Errno::kOk;
  const auto known = streams_.find(name);
  if (known != streams_.end()) {
    if (!known->second.in) error = Errno::kBadf;
    co_return known->second.in.get();
  }
  if (streams_.size() >= kMaxStreams) {
    error = Errno::kMfile;
    co_return nullptr;
  }
  Stream stream;
  if (command) {
    error = co_await open_command(stream, name, true);
  } else {
    error = co_await open_file(stream, name, Redirect::kNone);
  }
  if (error != Errno::kOk) co_return nullptr;
  stream.in = std::make_unique<RecordReader>(self_, stream.fd);
  co_return streams_.emplace(std::move(name), std::move(stream)).first->second.in.get();
}

Task<Output*> Streams::writer(std::string name, Redirect redirect) {
  const auto known = streams_.find(name);
  if (known != streams_.end()) {
    co_return known->second.fd == 1 ? &standard_ : known->second.out.get();
  }
  if (streams_.size() >= kMaxStreams) throw Failure("too many streams are open; close some");
  Stream stream;
  Errno error = Errno::kOk;
  if (redirect == Redirect::kPipe) {
    error = co_await open_command(stream, name, false);
    if (error != Errno::kOk) throw Failure("popen: " + std::string(text_of(error)));
  } else {
    error = co_await open_file(stream, name, redirect);
    if (error != Errno::kOk) {
      throw Failure("can't open '" + name + "': " + std::string(text_of(error)));
    }
  }
  if (stream.fd != 1) stream.out = std::make_unique<Output>(self_, stream.fd);
  Stream& kept = streams_.emplace(std::move(name), std::move(stream)).first->second;
  co_return kept.fd == 1 ? &standard_ : kept.out.get();
}

Task<int> Streams::wait(Pid child) {
  const Result<ChildChange> change = co_await wait_for(self_, child);
  if (!change) co_return -1;
  const WaitStatus status = change->status;
  co_return status.kind() == WaitStatus::Kind::kExited ? status.value() << 8 : status.value();
}

Task<int> Streams::end(Stream& stream) {
  if (stream.out) (void)co_await stream.out->flush();
  if (stream.fd == 1) (void)co_await standard_.flush();
  if (stream.fd > 2) (void)self_.close(stream.fd);
  if (!stream.child) co_return 0;
  co_return co_await wait(*stream.child);
}

Task<int> Streams::close(std::string name) {
  const auto known = streams_.find(name);
  if (known == streams_.end()) co_return 0;
  Stream stream = std::move(known->second);
  streams_.erase(known);
  co_return co_await end(stream);
}

Task<void> Streams::flush(std::string name) {
  const auto known = streams_.find(name);
  if (known == streams_.end()) co_return;
  if (known->second.fd == 1) (void)co_await standard_.flush();
  if (known->second.out) (void)co_await known->second.out->flush();
}

Task<void> Streams::flush_all() {
  (void)co_await standard_.flush();
  for (auto& [name, stream] : streams_) {
    if (stream.out) (void)co_await stream.out->flush();
  }
}

Task<void> Streams::close_all() {
  co_await flush_all();
  while (!streams_.empty()) {
    const std::string name = streams_.begin()->first;
    (void)co_await close(name);
  }
}

Task<int> Streams::run(std::string command) {
  co_await flush_all();
  if (command.empty()) co_return 0;
  const Result<Pid> child = start(std::move(command), -1, -1);
  if (!child) co_return -1;
  const int status = co_await wait(*child);
  co_return status < 0 ? status : status >> 8;
}

}  // namespace sandproof::machine::programs::awk
