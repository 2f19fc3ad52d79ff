// SPDX-License-Identifier: Apache-2.0
// Programs that judge reports; see tool_output.h.
#include "tests/conformance/tool_output.h"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "sandproof/words.h"

namespace sandproof::conformance::fabricated {

ToolOutput run_tool(const std::vector<std::string>& words) {
  ToolOutput output;
  std::FILE* const pipe = ::popen((quote_words(words) + " 2>&1 </dev/null").c_str(), "re");
  if (pipe == nullptr) return output;
  char buffer[4096];
  while (const std::size_t size = std::fread(buffer, 1, sizeof(buffer), pipe)) {
    output.text.append(buffer, size);
  }
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) output.code = WEXITSTATUS(status);
  return output;
}

ScratchFile::ScratchFile(const std::string& name, const std::string& content) {
  std::string pattern = std::filesystem::temp_directory_path() / "sandproof-report-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
  directory_ = pattern;
  path_ = directory_ + "/" + name;
  std::ofstream(path_, std::ios::binary) << content;
}

ScratchFile::~ScratchFile() {
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

}  // namespace sandproof::conformance::fabricated
