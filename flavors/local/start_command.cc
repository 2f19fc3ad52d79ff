// SPDX-License-Identifier: Apache-2.0
// The start of a command. See start_command.h.
#include "flavors/local/start_command.h"

#include <system_error>
#include <utility>

#include "flavors/local/cwd.h"
#include "flavors/local/environment.h"
#include "flavors/local/launcher.h"
#include "flavors/local/local_process.h"
#include "flavors/local/pipe.h"
#include "sandproof/errors.h"
#include "sandproof/words.h"

namespace sandproof::local {
namespace {

std::unique_ptr<ProcessHooks> start(const Place& place, const ExecRequest& request,
                                    const Environment& env, const Mark& mark,
                                    Children::Start ticket) {
  const Descriptor cwd = open_cwd(place.workdir, request.cwd);
  Pipe in = request.wants_input ? make_pipe() : Pipe();
  Pipe out = make_pipe();
  Pipe err = make_pipe();
  if (request.wants_input) set_nonblocking(in.write_end.get());
  set_nonblocking(out.read_end.get());
  set_nonblocking(err.read_end.get());
  const LaunchSpec spec{
      .argv = request.argv,
      .env = marked_environment(env, mark),
      .cwd = cwd.get(),
      .cwd_name = request.cwd.empty() ? place.workdir_name : request.cwd,
      .in = in.read_end.get(),
      .out = out.write_end.get(),
      .err = err.write_end.get(),
  };
  const auto child = std::make_shared<Child>(launch(spec));
  auto process = std::make_unique<LocalProcess>(
      place.table, place.children, child, mark,
      Ends{std::move(in.write_end), std::move(out.read_end), std::move(err.read_end)});
  // Where this is too late, the process ends its command as it is destroyed.
  if (!ticket.commit(child)) throw SessionClosedError(mark.session);
  return process;
}

}  // namespace

std::unique_ptr<ProcessHooks> start_command(const Place& place, const ExecRequest& request,
                                            const Environment& env, const Mark& mark,
                                            Children::Start ticket) {
  const std::string context = "session " + mark.session + ": ";
  try {
    return start(place, request, env, mark, std::move(ticket));
  } catch (const ExecError& error) {
    throw ExecError(error.why(), context + error.what());
  } catch (const std::system_error& error) {
    // Of the pipes: there are no descriptors left.
    throw ExecError(LaunchFailure::kNoResources,
                    context + "cannot start " + quote_word(request.argv.front()) + ": " +
                        error.what() + "; close some handles, or raise the limit of descriptors");
  }
}

}  // namespace sandproof::local
