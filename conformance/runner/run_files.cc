// SPDX-License-Identifier: Apache-2.0
// The files of a run (run_files.h).
#include "conformance/runner/run_files.h"

#include <stdlib.h>

#include <cstdio>
#include <string>
#include <system_error>

#include "conformance/runner/event_log_writer.h"
#include "conformance/runner/remove_tree.h"
#include "conformance/runner/system.h"

namespace sandproof::conformance::runner {
namespace {

std::filesystem::path temporary_directory() {
  const char* const named = ::getenv("TMPDIR");
  const std::filesystem::path parent = named != nullptr && *named != '\0' ? named : "/tmp";
  std::string path = std::filesystem::absolute(parent) / "sandproof-run-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) {
    throw_system_error("cannot make a directory below " + parent.string() +
                       " (TMPDIR names another place)");
  }
  return path;
}

}  // namespace

RunFiles::RunFiles(const std::filesystem::path& event_log)
    : log_path_(event_log), temporary_log_(event_log.empty()) {
  // The log first: it is the one that people choose.
  if (!temporary_log_) log_ = open_event_log(log_path_);
  directory_ = temporary_directory();
  if (!temporary_log_) return;
  log_path_ = directory_.string() + ".jsonl";
  try {
    log_ = open_event_log(log_path_);
  } catch (...) {
    remove_directory();
    throw;
  }
}

RunFiles::~RunFiles() {
  remove_directory();
  remove_log();
}

void RunFiles::remove_log() {
  std::error_code ignored;
  if (temporary_log_) std::filesystem::remove(log_path_, ignored);
}

void RunFiles::remove_directory() {
  const std::string trouble = remove_tree(directory_);
  if (!trouble.empty()) {
    std::fprintf(stderr, "sandproof: %s is left behind: %s\n", directory_.c_str(), trouble.c_str());
  }
}

}  // namespace sandproof::conformance::runner
