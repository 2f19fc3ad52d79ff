// SPDX-License-Identifier: Apache-2.0
// Scripts go in through a file, their output comes out through a pipe, framed by two control bytes.
#include "tests/machine/expand_real_shell.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace sandproof::machine::shell {
namespace {

constexpr char kFieldEnd = '\x1d';
constexpr char kRunEnd = '\x1e';

// A file that is gone with the object.
class ScriptFile {
 public:
  explicit ScriptFile(const std::string& text) {
    const int descriptor = ::mkostemp(path_.data(), O_CLOEXEC);
    if (descriptor < 0) throw std::runtime_error("cannot make a file for the scripts in /tmp");
    const std::unique_ptr<FILE, int (*)(FILE*)> file(::fdopen(descriptor, "w"), std::fclose);
    if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) {
      throw std::runtime_error("cannot write the scripts to " + path_);
    }
  }
  ~ScriptFile() { ::unlink(path_.c_str()); }
  ScriptFile(const ScriptFile&) = delete;
  ScriptFile& operator=(const ScriptFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/sandproof-expand-XXXXXX";
};

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "re"), ::pclose);
  if (!pipe) throw std::runtime_error("cannot start " + command);
  std::string output;
  char buffer[65536];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe.get())) {
    output.append(buffer, got);
  }
  return output;
}

std::string take_until(std::string_view& rest, char end) {
  const std::size_t at = rest.find(end);
  if (at == rest.npos) throw std::runtime_error("the shell ended before its scripts did");
  std::string taken(rest.substr(0, at));
  rest.remove_prefix(at + 1);
  return taken;
}

void cut_prefix(std::string_view& line, std::string_view prefix) {
  if (line.starts_with(prefix)) line.remove_prefix(prefix.size());
}

// "SHELL: 12: eval: printf: …" of dash and "SHELL: eval: line 12: printf: …" of busybox are
// "printf: …".
std::string without_shell_prefix(std::string_view errors) {
  std::string text;
  while (!errors.empty()) {
    const std::size_t end = std::min(errors.find('\n'), errors.size() - 1) + 1;
    std::string_view line = errors.substr(0, end);
    errors.remove_prefix(end);
    if (line.starts_with("SHELL: ")) {
      cut_prefix(line, "SHELL: ");
      cut_prefix(line, "eval: ");
      cut_prefix(line, "line ");
      line.remove_prefix(line.find_first_not_of("0123456789"));
      cut_prefix(line, ": ");
      cut_prefix(line, "eval: ");
    }
    text += line;
  }
  return text;
}

}  // namespace

RealShell real_dash() { return {{"dash"}}; }
RealShell real_busybox() { return {{"busybox", "sh"}}; }

std::string quote_for_script(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string random_text(std::mt19937& engine, const std::vector<std::string>& pieces,
                        unsigned most) {
  std::string text;
  for (auto left = engine() % (most + 1); left > 0; --left) text += pick(engine, pieces);
  return text;
}

std::vector<RealRun> run_all(const RealShell& shell, const std::vector<std::string>& scripts,
                             const std::string& directory) {
  std::string text;
  for (const std::string& script : scripts) {
    const std::string quoted = quote_for_script(script);
    // Twice, so that the two streams can be told apart without a file.
    text += "( eval " + quoted + " ) 2>/dev/null; printf '\\035%s\\035' $?\n";
    text += "( eval " + quoted + " ) 2>&1 >/dev/null; printf '\\036'\n";
  }
  const ScriptFile file(text);
  std::string command =
      "cd " + quote_for_script(directory) + " && exec env -i PATH=\"$PATH\" LC_ALL=C";
  for (const std::string& word : shell.argv) command += " " + quote_for_script(word);
  // Through -c, so that the shell's name in its messages is known.
  command += " -c " + quote_for_script(". " + file.path()) + " SHELL";
  const std::string output = output_of(command);
  std::string_view rest = output;
  std::vector<RealRun> runs;
  for (std::size_t index = 0; index < scripts.size(); ++index) {
    RealRun run;
    run.out = take_until(rest, kFieldEnd);
    run.status = std::stoi(take_until(rest, kFieldEnd));
    run.err = without_shell_prefix(take_until(rest, kRunEnd));
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace sandproof::machine::shell
