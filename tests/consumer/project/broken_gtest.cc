// SPDX-License-Identifier: Apache-2.0
// Flavors that end the process or do not come back: each costs the one test that meets it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "sandproof/conformance/googletest.h"

namespace {

using namespace sandproof;

class Broken : public SandboxHooks {
 public:
  explicit Broken(bool hangs) : hangs_(hangs) {}
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec&) override {
    while (hangs_) ::pause();
    std::abort();
  }

 private:
  bool hangs_;
};

conformance::Binding broken(const std::string& name, bool hangs) {
  conformance::Binding binding;
  binding.flavor.name = name;
  binding.flavor.make_hooks = [hangs](const ComponentContext&) {
    return std::make_unique<Broken>(hangs);
  };
  binding.unclaimed = conformance::unclaimed_because(binding.flavor, "it is broken");
  return binding;
}

}  // namespace

int main(int argc, char** argv) {
  conformance::GoogleTestOptions options;
  const std::string word = argc > 1 ? argv[1] : "";
  // Nobody waits 20 s for a hang that is certain, unless something else is to end it.
  options.time_scale = word == "--patient" ? 30 : 0.1;
  std::vector<conformance::Binding> bindings = {broken("hangs-here", true),
                                                broken("crashes", false)};
  if (word == "--wrong-binding") bindings[1].unclaimed.clear();
  conformance::register_cases(bindings, argc, argv, options);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
