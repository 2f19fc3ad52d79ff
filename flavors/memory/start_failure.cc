// SPDX-License-Identifier: Apache-2.0
// See start_failure.h.
#include "flavors/memory/start_failure.h"

#include "sandproof/errors.h"
#include "sandproof/words.h"

namespace sandproof::memory {
namespace {

using machine::Errno;
using Step = StartTrouble::Step;

LaunchFailure kind_of(const StartTrouble& trouble) {
  if (trouble.step == Step::kCwd) return LaunchFailure::kBadCwd;
  switch (trouble.error) {
    case Errno::kNoent:
    case Errno::kNotdir:
      // A file that is there was found before: what is missing then is its interpreter.
      return trouble.step == Step::kProgram ? LaunchFailure::kNotFound
                                            : LaunchFailure::kNotExecutable;
    case Errno::kAcces:
    case Errno::kPerm:
    case Errno::kIsdir:
    case Errno::kLoop:
      return LaunchFailure::kNotExecutable;
    case Errno::kNoexec:
      return LaunchFailure::kBadFormat;
    case Errno::k2big:
      return LaunchFailure::kTooLarge;
    case Errno::kAgain:
    case Errno::kNomem:
    case Errno::kMfile:
    case Errno::kNfile:
      return LaunchFailure::kNoResources;
    default:
      return LaunchFailure::kOther;
  }
}

std::string reason_for(const StartTrouble& trouble, LaunchFailure kind) {
  switch (kind) {
    case LaunchFailure::kBadCwd:
      return "its working directory " + quote_word(trouble.what) + " cannot be entered";
    case LaunchFailure::kNotFound:
      return "there is no such program in the environment; name one that its image has";
    case LaunchFailure::kNotExecutable:
      return "it, or its interpreter, cannot be executed";
    case LaunchFailure::kBadFormat:
      return "it is neither a program of the machine nor a script; a script needs a first line "
             "that begins with #!";
    case LaunchFailure::kTooLarge:
      return "its arguments and environment are larger than the system allows; pass the data "
             "through a file or the command's input";
    case LaunchFailure::kNoResources:
      return "the environment has as many processes as it may, or the host no descriptors; end "
             "some "
             "commands, or raise the setting processes";
    case LaunchFailure::kOther:
      break;
  }
  return "the machine refused it";
}

}  // namespace

void fail_start(const std::string& session_id, const ExecRequest& request,
                const StartTrouble& trouble) {
  const LaunchFailure kind = kind_of(trouble);
  throw ExecError(kind, "session " + session_id + ": cannot start " +
                            quote_word(request.argv.front()) + ": " + reason_for(trouble, kind) +
                            " (" + std::string(machine::text_of(trouble.error)) + ")");
}

}  // namespace sandproof::memory
