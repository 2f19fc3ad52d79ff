// SPDX-License-Identifier: Apache-2.0
// The defaults of sandproof/hooks.h, for operations that a flavor does not offer. The framework
// checks the capabilities before it calls a hook; these are the second line, for a flavor that
// claims what it did not write. No state; any thread.
#include "sandproof/hooks.h"

#include "sandproof/errors.h"

namespace sandproof {
namespace {

// A hook does not know the name of its flavor.
[[noreturn]] void refuse(const char* operation) {
  throw UnsupportedError(operation, "this flavor");
}

}  // namespace

IoResult ProcessHooks::do_write(std::span<const std::byte> /*bytes*/) noexcept {
  return IoResult::end();
}

void SessionHooks::do_upload_file(const std::filesystem::path& /*local*/,
                                  const std::string& /*remote*/) {
  refuse("upload_file");
}

void SessionHooks::do_download_file(const std::string& /*remote*/,
                                    const std::filesystem::path& /*local*/) {
  refuse("download_file");
}

Snapshot SessionHooks::do_create_snapshot() { refuse("create_snapshot"); }

std::unique_ptr<SessionHooks> SandboxHooks::do_attach(const SessionSpec& /*spec*/) {
  refuse("attach");
}

std::unique_ptr<SessionHooks> SandboxHooks::do_restore(const Snapshot& /*snapshot*/,
                                                       const Settings& /*overrides*/,
                                                       const SessionSpec& /*spec*/) {
  refuse("restore");
}

void SandboxHooks::do_delete_snapshot(const Snapshot& /*snapshot*/) { refuse("delete_snapshot"); }

}  // namespace sandproof
