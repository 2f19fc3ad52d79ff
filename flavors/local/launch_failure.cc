// SPDX-License-Identifier: Apache-2.0
// Why a command did not start. See launch_failure.h.
#include "flavors/local/launch_failure.h"

#include <cerrno>

#include "flavors/local/program.h"
#include "flavors/local/reason.h"
#include "sandproof/errors.h"
#include "sandproof/words.h"

namespace sandproof::local {
namespace {

std::string because(int error) { return " (" + reason_of(error) + ")"; }

bool is_shortage(int error) {
  return error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE;
}

[[noreturn]] void fail(LaunchFailure why, const LaunchSpec& spec, const std::string& text) {
  throw ExecError(why, "cannot start " + quote_word(spec.argv.front()) + ": " + text);
}

[[noreturn]] void fail_for_shortage(const LaunchSpec& spec, const std::string& what) {
  fail(LaunchFailure::kNoResources, spec,
       what + "; end some commands, or raise the limit of processes, descriptors or memory");
}

// The execve() of `program`, which had been found and looked executable, failed.
[[noreturn]] void fail_to_execute(const LaunchSpec& spec, const std::string& program, int error) {
  if (is_shortage(error)) {
    fail_for_shortage(spec, "the system has run out of something" + because(error));
  }
  const std::string file = quote_word(program);
  const std::string interpreter = interpreter_of(program, spec.cwd);
  switch (error) {
    case E2BIG:
      fail(LaunchFailure::kTooLarge, spec,
           "its arguments and environment are larger than the system allows" + because(error) +
               "; pass the data through a file or the command's input");
    case ENOEXEC:
    case EINVAL:
    case ELIBBAD:
      fail(LaunchFailure::kBadFormat, spec,
           file + " is neither a program of this machine nor a script" + because(error) +
               "; a script needs a first line that begins with #!");
    case ENOENT:
    case ENOTDIR:
      if (interpreter.empty()) {
        fail(LaunchFailure::kNotFound, spec, "the file " + file + " has gone" + because(error));
      }
      fail(LaunchFailure::kNotExecutable, spec,
           "the interpreter " + quote_word(interpreter) + " of " + file + " does not exist" +
               because(error));
    case EACCES:
    case EPERM:
    case ELOOP:
      fail(LaunchFailure::kNotExecutable, spec,
           file + (interpreter.empty() ? "" : " or its interpreter " + quote_word(interpreter)) +
               " cannot be executed" + because(error));
    case ETXTBSY:
      fail(LaunchFailure::kOther, spec, file + " is open for writing somewhere" + because(error));
    default:
      fail(LaunchFailure::kOther, spec, file + " cannot be executed" + because(error));
  }
}

}  // namespace

void fail_launch(const LaunchSpec& spec, const std::string& program, LaunchReport report) {
  switch (report.stage) {
    case LaunchStage::kSession:
      fail(LaunchFailure::kOther, spec, "it got no session of its own" + because(report.error));
    case LaunchStage::kInput:
    case LaunchStage::kOutput:
    case LaunchStage::kError:
      fail(LaunchFailure::kOther, spec,
           "its standard descriptors could not be set" + because(report.error));
    case LaunchStage::kDescriptors:
      fail(LaunchFailure::kOther, spec,
           "the harness's descriptors could not be kept from it" + because(report.error) +
               "; close_range with CLOSE_RANGE_CLOEXEC needs Linux 5.11");
    case LaunchStage::kCwd:
      fail(LaunchFailure::kBadCwd, spec,
           "its working directory " + quote_word(spec.cwd_name) + " cannot be entered" +
               because(report.error));
    case LaunchStage::kExec:
      break;
  }
  fail_to_execute(spec, program, report.error);
}

void fail_launch(const LaunchSpec& spec, const std::system_error& error) {
  // The text of such an error is "what was done: the reason".
  if (is_shortage(error.code().value())) fail_for_shortage(spec, error.what());
  fail(LaunchFailure::kOther, spec, error.what());
}

}  // namespace sandproof::local
