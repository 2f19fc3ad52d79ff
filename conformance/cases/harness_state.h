// SPDX-License-Identifier: Apache-2.0
// Odd states that a program may be in when it uses a sandbox: each guard puts the case's process
// into one and puts it back. Used by the case's thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace sandproof::conformance {

/// The standard input has `bytes` in it and does not end.
class OpenStdin {
 public:
  /// Throws std::system_error, as the other guards do.
  explicit OpenStdin(std::string_view bytes);
  ~OpenStdin();
  OpenStdin(const OpenStdin&) = delete;
  OpenStdin& operator=(const OpenStdin&) = delete;

 private:
  int saved_ = -1;
  int writer_ = -1;
};

/// This thread blocks TERM, CHLD and USR1, and the process ignores HUP, INT, QUIT and PIPE.
class OddSignals {
 public:
  OddSignals();
  ~OddSignals();
  OddSignals(const OddSignals&) = delete;
  OddSignals& operator=(const OddSignals&) = delete;

 private:
  struct Saved;
  std::unique_ptr<Saved> saved_;
};

/// A signal without SA_RESTART comes every millisecond of this thread's life: system calls are
/// interrupted.
class SignalStorm {
 public:
  SignalStorm();
  ~SignalStorm();
  SignalStorm(const SignalStorm&) = delete;
  SignalStorm& operator=(const SignalStorm&) = delete;

 private:
  struct Saved;
  std::unique_ptr<Saved> saved_;
};

/// So many more descriptors are open, and the soft limit leaves room for as many again.
class ManyDescriptors {
 public:
  explicit ManyDescriptors(std::size_t count);
  ~ManyDescriptors();
  ManyDescriptors(const ManyDescriptors&) = delete;
  ManyDescriptors& operator=(const ManyDescriptors&) = delete;

 private:
  std::vector<int> open_;
  unsigned long soft_limit_ = 0;
};

/// A variable of this process's environment. Only while no other thread looks at it.
class HarnessVariable {
 public:
  HarnessVariable(const char* name, const char* value);
  ~HarnessVariable();
  HarnessVariable(const HarnessVariable&) = delete;
  HarnessVariable& operator=(const HarnessVariable&) = delete;

 private:
  const char* const name_;
};

/// Files of this program cannot grow beyond a size: writes fail with EFBIG.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(std::uint64_t bytes);
  ~FileSizeLimit();
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  struct Saved;
  std::unique_ptr<Saved> saved_;
};

/// Two descriptors without O_CLOEXEC are open, as a careless library has them.
class CarelessDescriptors {
 public:
  CarelessDescriptors();
  ~CarelessDescriptors();
  CarelessDescriptors(const CarelessDescriptors&) = delete;
  CarelessDescriptors& operator=(const CarelessDescriptors&) = delete;

 private:
  int low_ = -1;
};

}  // namespace sandproof::conformance
