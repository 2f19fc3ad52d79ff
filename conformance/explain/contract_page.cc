// SPDX-License-Identifier: Apache-2.0
// Markdown of the rule table; see contract_page.h.
#include "conformance/explain/contract_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "conformance/explain/explanation.h"

namespace sandproof::conformance {
namespace {

/// Of the whole contract. The words are those of the rules; what they mean stands nowhere else.
constexpr std::string_view kIntroduction = R"(# The contract

What every sandbox flavor promises to the people who run code in it, in {count} numbered rules. The conformance suite is
this page made executable: each rule has cases that hold a flavor to it, and mutants that hold the cases to it.

    $ sandproof explain KILL-001     # a rule with its cases, its mutants and its state in the last report
    $ sandproof run --rule KILL-001  # hold the flavors to it

This page is made from the table of rules: `scripts/contract` writes it, and a test fails when it differs.

**MUST** rules decide the verdict; a **SHOULD** rule that does not hold is a warning. An id is never used again for
something else, and never vanishes (`docs/rules.ledger`).

*Bounded* means: within the operation's deadline (its argument, else the setting `operation_timeout`, 30 s by default; for close and
destroy their grace), plus `drain_grace` (1 s by default), plus 2 s.

## Words

| word | meaning |
| --- | --- |
| flavor | one implementation of the interfaces |
| sandbox | the component: configured once, long-lived, makes sessions |
| session | a handle to one isolated environment; has an id; runs many commands |
| environment | what the session is a handle to: a directory, a container, a pod |
| process | a handle to one running command |
| tree | a command and every process that it started, directly or not |
| snapshot | a reference, which can be stored, to the captured state of an environment |

**Exit status**: *exited(0..255)*, *signaled(signal)* or *lost(why)*. As an integer, signaled is 128 + signal on every flavor. A flavor
whose backend reports signals as 128 + n gives *exited(128 + n)*; rules about killed commands compare the integer. *lost* never becomes
an integer: `wait` and `collect` throw for it, `exit_status()` returns it.

**Errors** are one small set, the same on every flavor:

| error | when |
| --- | --- |
| `InvalidArgumentError` | an argument or a setting is wrong; before anything is contacted |
| `UnsupportedError` | the capability is not claimed; names the operation and the flavor |
| `SessionClosedError` | the session is closed |
| `ExecError` | the command did not start, and why: not found, not executable, bad directory … |
| `NotFoundError` | a session, a snapshot, a remote file, an image; names it |
| `TimeoutError` | a deadline passed; never inferred from an exit code |
| `AlreadyCollectedError` | the output was collected before |
| `SandboxLostError` | the environment or the way to it went away; the status is not known |
| `FileTransferError` | a transfer was refused or broke off |
| `BackendError` | the backend refused; carries its words |

**Capabilities** are claimed by a flavor, or not: {capabilities}. Where a rule
names one that is not claimed, CAP-002 applies instead. `destroy()` is a verb of every flavor.

What some rules **need** of a binding, so that they can be seen from outside: {needs}. Where
a binding does not provide it, the rule is *not observable here*, with the binding's reason.

)";

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

std::string introduction(std::size_t count) {
  std::string capabilities;
  for (const Capability capability : all_capabilities()) {
    capabilities += fmt::format("{}`{}`", capabilities.empty() ? "" : ", ", to_string(capability));
  }
  std::string needs;
  for (const Need need : all_needs()) {
    needs += fmt::format("{}{}", needs.empty() ? "" : ", ", to_string(need));
  }
  std::string text = replaced(std::string(kIntroduction), "{count}", std::to_string(count));
  return replaced(replaced(std::move(text), "{capabilities}", capabilities), "{needs}", needs);
}

/// "zenml-io/zenml#4867", which is what people call it.
std::string link_to(std::string_view address) {
  constexpr std::string_view kHost = "https://github.com/";
  std::string name(address.starts_with(kHost) ? address.substr(kHost.size()) : address);
  for (const std::string_view kind : {"/issues/", "/pull/"}) name = replaced(name, kind, "#");
  return fmt::format("[{}]({})", name, address);
}

std::string rule_section(const Rule& rule) {
  std::string text = fmt::format("### {}\n\n**{}** {}\n\n", rule.id,
                                 rule.level == Level::kMust ? "MUST" : "SHOULD", rule.sentence);
  text += fmt::format("*Why.* {}\n", rule.intent);
  if (!rule.capabilities.empty() || rule.unless || !rule.needs.empty()) {
    text += fmt::format("\n*Where.* {}\n", conditions_text(rule));
  }
  if (!rule.bugs.empty()) {
    text += "\n*Met in* ";
    for (std::size_t i = 0; i < rule.bugs.size(); ++i) {
      text += fmt::format("{}{}", i == 0 ? "" : ", ", link_to(rule.bugs[i]));
    }
    text += ".\n";
  }
  return text + "\n";
}

std::string_view title_of(std::string_view area) {
  for (const Area& known : all_areas()) {
    if (known.name == area) return known.title;
  }
  return {};
}

}  // namespace

std::string contract_page(const std::vector<Rule>& rules) {
  std::string text = introduction(rules.size());
  std::string_view area;
  for (const Rule& rule : rules) {
    if (rule.area() != area) {
      area = rule.area();
      text += fmt::format("## {}: {}\n\n", area, title_of(area));
    }
    text += rule_section(rule);
  }
  // One newline at the end.
  text.pop_back();
  return text;
}

}  // namespace sandproof::conformance
