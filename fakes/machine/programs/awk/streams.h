// SPDX-License-Identifier: Apache-2.0
// The files and commands that a program reads and writes, by their names until it closes them. One
// table for both, as in busybox: what was opened to be read cannot be written until it is closed.
// One process uses it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "fakes/machine/program.h"
#include "fakes/machine/programs/awk/ast.h"
#include "fakes/machine/programs/awk/record_reader.h"
#include "fakes/machine/programs/support/output.h"

namespace sandproof::machine::programs::awk {

class Streams {
 public:
  /// `standard` is what print writes without a redirection. Both are borrowed.
  Streams(Process& self, Output& standard) : self_(self), standard_(standard) {}
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  /// Null where it cannot be opened or is one that is written; then `error` says why.
  Task<RecordReader*> reader(std::string name, bool command, Errno& error);
  /// Null where it is one that is read: what is written is lost. Throws Failure where it cannot be
  /// opened.
  Task<Output*> writer(std::string name, Redirect redirect);
  /// What close() of awk gives: the status of a command as wait(2) has it, otherwise 0.
  Task<int> close(std::string name);
  /// Of one, or of all.
  Task<void> flush(std::string name);
  Task<void> flush_all();
  /// At the end: commands end first.
  Task<void> close_all();
  /// The status of a command that has the process's own input and output.
  Task<int> run(std::string command);

 private:
  struct Stream {
    int fd = -1;
    std::unique_ptr<RecordReader> in;
    std::unique_ptr<Output> out;
    std::optional<Pid> child;
  };

  Result<Pid> start(std::string command, int from, int to);
  /// With one end of a pipe, the other is the command's.
  Task<Errno> open_command(Stream& stream, std::string command, bool to_read);
  Task<Errno> open_file(Stream& stream, std::string name, Redirect redirect);
  Task<int> end(Stream& stream);
  Task<int> wait(Pid child);

  Process& self_;
  Output& standard_;
  std::map<std::string, Stream> streams_;
};

}  // namespace sandproof::machine::programs::awk
