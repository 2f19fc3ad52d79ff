// SPDX-License-Identifier: Apache-2.0
// One operation per capability, and what must come of it when it is not claimed (refusal_check.h).
#include "conformance/runner/refusal_check.h"

#include <fcntl.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "conformance/runner/system.h"
#include "conformance/runner/type_name.h"
#include "sandproof/errors.h"

namespace sandproof::conformance::runner {
namespace {

struct Operation {
  Capability capability;
  /// What the refusal has to say; every flavor's word for the operation contains it.
  std::string_view word;
  std::function<void(HarnessContext&)> attempt;
};

// The name of the file that a refused transfer would make.
constexpr const char* kFileName = "refused-transfer";

std::filesystem::path local_file(HarnessContext& context) {
  std::filesystem::path path = context.scratch() / kFileName;
  const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!fd || !write_all(fd.get(), "refused\n")) throw_system_error("cannot write " + path.string());
  return path;
}

void attempt_attach(HarnessContext& context) { context.sandbox().attach(context.session().id()); }

void attempt_upload(HarnessContext& context) {
  context.session().upload_file(local_file(context), kFileName);
}

void attempt_download(HarnessContext& context) {
  context.session().download_file(kFileName, context.scratch() / "downloaded");
}

void attempt_snapshot(HarnessContext& context) { context.session().create_snapshot(); }

void attempt_restore(HarnessContext& context) {
  context.sandbox().restore(Snapshot{context.component(), "refused-restore", {}});
}

void attempt_stdin(HarnessContext& context) {
  ExecOptions options;
  options.input = Stdin::pipe();
  context.session().exec({"cat"}, options);
}

void attempt_async(HarnessContext& context) { context.session().exec_async({"true"}).get(); }

const std::vector<Operation>& operations() {
  static const std::vector<Operation> table{
      {Capability::kAttach, "attach", attempt_attach},
      {Capability::kUpload, "upload", attempt_upload},
      {Capability::kDownload, "download", attempt_download},
      {Capability::kSnapshot, "snapshot", attempt_snapshot},
      {Capability::kRestore, "restore", attempt_restore},
      {Capability::kStdin, "stdin", attempt_stdin},
      {Capability::kAsyncExec, "async", attempt_async},
  };
  return table;
}

// What can be seen of side effects: the backend's things, the environment's processes, the file.
struct Observation {
  std::vector<std::string> things;
  std::vector<std::string> commands;
  friend bool operator==(const Observation&, const Observation&) = default;
};

Observation observe(HarnessContext& context) {
  Observation seen;
  // Made before anything is looked at: the session is no side effect of the operation.
  const std::string session_id = context.session().id();
  seen.things = context.census();
  std::sort(seen.things.begin(), seen.things.end());
  if (context.binding().provides.contains(Need::kProcessTable)) {
    for (const ProcessEntry& process : context.probe().processes(session_id)) {
      if (process.alive) seen.commands.push_back(process.command);
    }
    std::sort(seen.commands.begin(), seen.commands.end());
  }
  return seen;
}

bool contains(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

RefusalResult dashboard(HarnessContext& context) {
  const std::optional<std::string> url = context.session().dashboard_url();
  if (!url) return {true, "dashboard_url() is empty"};
  return {false, "dashboard_url() is " + *url + ", although the capability is not claimed"};
}

RefusalResult judge(HarnessContext& context, const Operation& operation, const std::string& text) {
  const std::string& flavor = context.binding().name();
  if (!contains(text, operation.word)) {
    return {false, "the refusal does not name the operation: " + text};
  }
  if (!contains(text, flavor)) return {false, "the refusal does not name the flavor: " + text};
  return {true, text};
}

RefusalResult attempt(HarnessContext& context, const Operation& operation) {
  context.session();  // It is among the backend's things: before they are looked at.
  const Observation before = observe(context);
  RefusalResult result;
  try {
    operation.attempt(context);
    result = {false, std::string(to_string(operation.capability)) +
                         " worked, although the capability is not claimed"};
  } catch (const UnsupportedError& error) {
    result = judge(context, operation, error.what());
  } catch (const std::exception& error) {
    result = {false, "UnsupportedError was expected, but it was " + type_name(error) + ": " +
                         error.what()};
  }
  if (!result.held) return result;
  if (observe(context) != before) return {false, "the refused operation had a side effect"};
  if (operation.capability == Capability::kUpload &&
      run(context.session(), {"test", "-e", kFileName}).status.success()) {
    return {false, "the refused upload left a file"};
  }
  return result;
}

}  // namespace

RefusalResult check_refusal(HarnessContext& context, Capability capability) {
  if (capability == Capability::kDashboardUrl) return dashboard(context);
  for (const Operation& operation : operations()) {
    if (operation.capability == capability) return attempt(context, operation);
  }
  return {true, std::string(to_string(capability)) + " has no operation of its own"};
}

}  // namespace sandproof::conformance::runner
