// SPDX-License-Identifier: Apache-2.0
// The jobs of a shell: what it started and has not heard the end of, or not told. A value, of one
// thread; a subshell begins without any.
#pragma once

#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/program.h"

namespace sandproof::machine::shell {

struct JobProcess {
  Pid pid = 0;
  std::optional<WaitStatus> status = {};  // Nothing while it runs.
};

enum class JobState : unsigned char { kRunning, kStopped, kDone };

struct Job {
  int number = 0;
  std::vector<JobProcess> processes = {};
  std::string text = {};
  bool own_group = false;  // Under `set -m`: of its first process.
  bool changed = false;    // Since it was told.
  bool waited = false;     // Somebody has its status: it may be forgotten.

  JobState state() const;
  /// Of its last process; under pipefail the last that is not 0.
  int status(bool pipefail) const;
  /// The process group, or the process.
  Pid leader() const { return processes.front().pid; }
};

class Jobs {
 public:
  /// Ended jobs that nobody asks for are remembered up to so many; POSIX wants CHILD_MAX, 25.
  static constexpr std::size_t kMaxRemembered = 4096;

  Job& add(std::string text);
  void remove(const Job& job);
  void clear() {
    jobs_.clear();
    recency_.clear();
  }
  /// Of the process; nullptr for one of no job.
  Job* find(Pid pid);
  Job* find_number(int number);
  /// By `%1`, `%%`, `%+`, `%-`, `%text`, `%?text`; nullptr, and `ambiguous` where it is that.
  Job* find_spec(std::string_view spec, bool& ambiguous);
  /// What wait_child() told: the job, if it is one's.
  Job* note(const ChildChange& change);
  /// `%+` and `%-`: 0 where there is none.
  int current() const;
  int previous() const;
  void make_current(const Job& job);
  std::list<Job>& all() { return jobs_; }
  bool empty() const { return jobs_.empty(); }

 private:
  void forget_old();

  std::list<Job> jobs_;       // By number.
  std::vector<int> recency_;  // Numbers, the current one last.
};

/// What a message says of how it ended: `Terminated`, `Done(2)`. `signals_only`: nothing for what
/// needs no telling.
std::string end_text(WaitStatus status, bool signals_only);

}  // namespace sandproof::machine::shell
