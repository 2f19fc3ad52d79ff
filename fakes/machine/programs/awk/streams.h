// SPDX-License-Identifier: Apache-2.0
// What an awk program reads and writes besides its standard output: files and commands by name. One
// process uses it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs::awk {

/// Records of a descriptor. RS: one byte is itself, "" is empty lines, all else a regular
/// expression.
class RecordReader {
 public:
  RecordReader(Process& self, OwnedFd fd) : self_(self), fd_(std::move(fd)) {}
  /// False at the end, or where reading failed. Throws Failure for a bad RS.
  Task<bool> next(std::string& record, const std::string& separator);

 private:
  /// The first separator in what is held: where it begins and ends; nothing where more must be
  /// read to know.
  std::optional<std::pair<std::size_t, std::size_t>> find(const std::string& separator);

  Process& self_;
  OwnedFd fd_;
  std::string held_;
  bool ended_ = false;
};

class Streams {
 public:
  explicit Streams(Tool& tool) : tool_(tool) {}

  /// For "print > name" and the like; null after a complaint.
  Task<Output*> output(std::string mode, std::string name);
  /// For getline: `mode` "<" or "|"; null where it cannot be opened.
  Task<RecordReader*> input(std::string mode, std::string name);
  /// Its status, -1 where none is open.
  Task<int> close(std::string name);
  Task<bool> flush(std::string name);
  Task<void> flush_all();
  Task<void> close_all();
  /// Runs `sh -c command`, and gives its status.
  Task<int> system(std::string command);

 private:
  struct Stream {
    std::unique_ptr<OwnedFd> fd;
    std::unique_ptr<Output> out;
    std::unique_ptr<RecordReader> in;
    Pid child = 0;
  };

  /// A command with one end of a pipe; 0 where it cannot be.
  Task<Pid> start(std::string command, bool reads, Stream& stream);
  Task<int> end(Stream stream);

  Tool& tool_;
  std::map<std::string, Stream> outputs_;
  std::map<std::string, Stream> inputs_;
};

}  // namespace sandproof::machine::programs::awk
