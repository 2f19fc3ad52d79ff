// SPDX-License-Identifier: Apache-2.0
// Flavors that break ENV. What is to be refused is in env_refused.cc. Each mutation is used from
// any thread.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/settings_environment.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

/// Some flavors build a command's whole environment, others add this exec's own to what their
/// backend has: both are to see `env`.
void give(ExecRequest& request, Environment env) {
  request.env = env;
  request.exec_env = std::move(env);
}

/// A copy of the environment in which `change` has altered each value.
template <typename Change>
void change_values(ExecRequest& request, Change change) {
  Environment env = request.env;
  for (auto& [name, value] : env) change(value);
  give(request, std::move(env));
}

// ENV-001

class ExecEnvIsIgnored : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (!options.env.empty() && fires()) options.env.clear();
    return inner().exec(std::move(command), std::move(options), where);
  }
};

/// The command sees its own variables and PATH.
class ExecEnvReplacesAll : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (options.env.empty() || !fires()) {
      return inner().exec(std::move(command), std::move(options), where);
    }
    std::vector<std::string> argv = {"sh", "-c", "exec env -i PATH=\"$PATH\" \"$@\"", "sh"};
    for (const auto& [name, value] : options.env) argv.push_back(name + "=" + value);
    for (std::string& word : command.words()) argv.push_back(std::move(word));
    options.env.clear();
    return inner().exec(argv, std::move(options), where);
  }
};

/// What was forwarded is gone where an exec has variables of its own.
class ExecEnvReplacesForwarded : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (options.env.empty() || !fires()) {
      return inner().exec(std::move(command), std::move(options), where);
    }
    std::vector<std::string> argv = {"env", "-u", "PATH"};
    for (std::string& word : command.words()) argv.push_back(std::move(word));
    return inner().exec(argv, std::move(options), where);
  }
};

class SessionEnvIsIgnored : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    if (!overrides.has("environment") || !fires()) {
      return inner().create_session(overrides, on_exit, where);
    }
    Settings kept;
    for (const auto& [name, value] : overrides.fields()) {
      if (name != "environment") kept.set(name, value);
    }
    return inner().create_session(kept, on_exit, where);
  }
};

/// What the flavor forwards wins.
struct ForwardedWins {
  void operator()(ExecRequest& request) const {
    Environment env = request.env;
    const char* const home = std::getenv("HOME");
    if (env.contains("HOME")) env["HOME"] = home == nullptr ? "/" : home;
    give(request, std::move(env));
  }
};

// ENV-002

class ExecEnvStays {
 public:
  void operator()(ExecRequest& request) {
    const std::lock_guard lock(mutex_);
    Environment env = seen_;
    for (const auto& [name, value] : request.env) env[name] = value;
    for (const auto& [name, value] : request.exec_env) seen_[name] = value;
    give(request, std::move(env));
  }

 private:
  std::mutex mutex_;
  Environment seen_;
};

/// Commands read one environment, which the next exec overwrites.
class ExecEnvsAreShared : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    const std::lock_guard lock(mutex_);
    if (const auto color = options.env.find("COLOR"); color != options.env.end()) {
      if (first_.empty()) {
        first_ = color->second;
      } else if (running_ > 0 && fires()) {
        color->second = first_;
      }
    }
    return std::make_unique<Counted>(inner().exec(std::move(command), std::move(options), where),
                                     *this);
  }

 private:
  class Counted : public ProcessWrapper {
   public:
    Counted(std::unique_ptr<Process> inner, ExecEnvsAreShared& session)
        : ProcessWrapper(std::move(inner)), session_(session) {
      ++session_.running_;
    }
    ~Counted() override { --session_.running_; }

   private:
    ExecEnvsAreShared& session_;  // Outlives the handles of the rule's cases.
  };

  std::mutex mutex_;
  std::string first_;
  std::atomic<int> running_ = 0;
};

// ENV-003

struct CutsAtAnEquals {
  void operator()(ExecRequest& request) const {
    change_values(request, [](std::string& value) { value = value.substr(0, value.find('=')); });
  }
};
struct CutsAtANewline {
  void operator()(ExecRequest& request) const {
    change_values(request, [](std::string& value) { value = value.substr(0, value.find('\n')); });
  }
};
struct ExpandsDollarsOfValues {
  void operator()(ExecRequest& request) const {
    change_values(request, [](std::string& value) {
      if (value == "$HOME") value = "/root";
    });
  }
};
struct DropsNonAscii {
  void operator()(ExecRequest& request) const {
    change_values(request, [](std::string& value) {
      std::erase_if(value, [](unsigned char c) { return c >= 0x80; });
    });
  }
};
/// As where variables travel as lines of a file.
struct DropsEmptyValues {
  void operator()(ExecRequest& request) const {
    const auto empty = [](const auto& variable) { return variable.second.empty(); };
    std::erase_if(request.env, empty);
    std::erase_if(request.exec_env, empty);
  }
};
class ExecLosesBackslashes : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (!options.env.empty() && fires()) {
      for (auto& [name, value] : options.env) std::erase(value, '\\');
    }
    return inner().exec(std::move(command), std::move(options), where);
  }
};
struct DropsQuotes {
  Environment operator()(Environment env) const {
    for (auto& [name, value] : env) std::erase(value, '"');
    return env;
  }
};

// ENV-005 and ENV-006

struct ForwardsEverything {
  void operator()(ExecRequest& request) const {
    Environment env;
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string_view text = *entry;
      const std::size_t equals = text.find('=');
      if (equals == std::string_view::npos) continue;
      env[std::string(text.substr(0, equals))] = text.substr(equals + 1);
    }
    for (const auto& [name, value] : request.env) env[name] = value;
    give(request, std::move(env));
  }
};

struct AddsACredential {
  void operator()(ExecRequest& request) const {
    Environment env = request.env;
    env["BACKEND_API_TOKEN"] = "abc";
    give(request, std::move(env));
  }
};
struct HandsTheSecretsOut {
  void operator()(ExecRequest& request) const {
    Environment env = request.env;
    env["UNUSED"] = "s3cr3t-unused";
    give(request, std::move(env));
  }
};

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Mutant> env_mutants() {
  std::vector<Mutant> mutants{
      {.name = "ExecEnvIsIgnored",
       .rule = "ENV-001",
       .what = "The variables of an exec are ignored.",
       .wrap = each_session<ExecEnvIsIgnored>()},
      {.name = "ExecEnvReplacesAll",
       .rule = "ENV-001",
       .what = "The variables of an exec replace all others.",
       .wrap = each_session<ExecEnvReplacesAll>()},
      {.name = "ExecEnvReplacesForwarded",
       .rule = "ENV-001",
       .what = "The variables of an exec replace what was forwarded.",
       .wrap = each_session<ExecEnvReplacesForwarded>()},
      {.name = "SessionEnvIsIgnored",
       .rule = "ENV-001",
       .what = "The component's environment stands, whatever the session's says.",
       .wrap = the_sandbox<SessionEnvIsIgnored>()},
      {.name = "ForwardedWins",
       .rule = "ENV-001",
       .what = "A forwarded variable wins over the settings.",
       .wrap_hooks = each_session_hooks<ChangedRequest<ForwardedWins>>()},
      {.name = "ExecEnvStays",
       .rule = "ENV-002",
       .what = "The variables of an exec are there for later ones.",
       .wrap_hooks = each_session_hooks<ChangedRequest<ExecEnvStays>>()},
      {.name = "ExecEnvsAreShared",
       .rule = "ENV-002",
       .what = "Two commands at once have the variables of the first.",
       .wrap = each_session<ExecEnvsAreShared>()},
      {.name = "CutsValuesAtAnEquals",
       .rule = "ENV-003",
       .what = "A value ends at its first =.",
       .wrap_hooks = each_session_hooks<ChangedRequest<CutsAtAnEquals>>()},
      {.name = "CutsValuesAtANewline",
       .rule = "ENV-003",
       .what = "A value ends at its first newline.",
       .wrap_hooks = each_session_hooks<ChangedRequest<CutsAtANewline>>(),
       .bug = "https://github.com/podman-container-tools/podman/issues/3132"},
      {.name = "ExpandsDollarsInValues",
       .rule = "ENV-003",
       .what = "Variables in values are expanded.",
       .wrap_hooks = each_session_hooks<ChangedRequest<ExpandsDollarsOfValues>>()},
      {.name = "DropsNonAsciiInValues",
       .rule = "ENV-003",
       .what = "Bytes over 0x7F are left out of values.",
       .wrap_hooks = each_session_hooks<ChangedRequest<DropsNonAscii>>()},
      {.name = "DropsEmptyValues",
       .rule = "ENV-003",
       .what = "A variable with an empty value is not set.",
       .wrap_hooks = each_session_hooks<ChangedRequest<DropsEmptyValues>>()},
      {.name = "ExecLosesBackslashes",
       .rule = "ENV-003",
       .what = "Backslashes are taken out of the values of an exec.",
       .wrap = each_session<ExecLosesBackslashes>()},
      {.name = "SettingsLoseQuotes",
       .rule = "ENV-003",
       .what = "Quotes are taken out of the values of the settings.",
       .wrap = the_sandbox<ChangedSettingsEnvironment<DropsQuotes>>()},
      {.name = "ForwardsEverything",
       .rule = "ENV-005",
       .what = "Commands see the environment of the harness.",
       .wrap_hooks = each_session_hooks<ChangedRequest<ForwardsEverything>>()},
      {.name = "AddsACredential",
       .rule = "ENV-006",
       .what = "The token for the backend is in the environment.",
       .wrap_hooks = each_session_hooks<ChangedRequest<AddsACredential>>()},
      {.name = "HandsTheSecretsOut",
       .rule = "ENV-006",
       .what = "The secrets of the store are in the environment.",
       .wrap_hooks = each_session_hooks<ChangedRequest<HandsTheSecretsOut>>()},
  };
  for (Mutant& row : env_refused_mutants()) mutants.push_back(std::move(row));
  return mutants;
}

}  // namespace sandproof::conformance
