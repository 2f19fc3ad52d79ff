// SPDX-License-Identifier: Apache-2.0
// A flavor of twenty lines, as people write them: a command line in front of the command. It gets
// wrong what such flavors get wrong: a command that does not exist is the shell's exit code.
#include "shelled.h"

#include "sandproof/flavors/local.h"
#include "sandproof/wrappers.h"

namespace {

class ShelledSession : public sandproof::SessionHookWrapper {
 public:
  using SessionHookWrapper::SessionHookWrapper;
  std::unique_ptr<sandproof::ProcessHooks> do_exec(const sandproof::ExecRequest& request) override {
    sandproof::ExecRequest shelled = request;
    const auto words = {"sh", "-c", "exec \"$@\"", "sh"};
    shelled.argv.insert(shelled.argv.begin(), words.begin(), words.end());
    return SessionHookWrapper::do_exec(shelled);
  }
};

class ShelledSandbox : public sandproof::SandboxHookWrapper {
 public:
  using SandboxHookWrapper::SandboxHookWrapper;
  std::unique_ptr<sandproof::SessionHooks> do_create_session(
      const sandproof::SessionSpec& spec) override {
    return std::make_unique<ShelledSession>(SandboxHookWrapper::do_create_session(spec));
  }
};

}  // namespace

sandproof::Flavor shelled_flavor() {
  sandproof::Flavor flavor = sandproof::local::local_flavor();
  flavor.name = "shelled";
  flavor.make_hooks = [make = flavor.make_hooks](const sandproof::ComponentContext& context) {
    return std::make_unique<ShelledSandbox>(make(context));
  };
  return flavor;
}
