// SPDX-License-Identifier: Apache-2.0
// Files that are replaced as a whole or not at all, and refused before anything is done.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "conformance/report/files.h"

namespace sandproof::conformance {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class OutputFileTest : public testing::Test {
 public:
  ~OutputFileTest() override { fs::remove_all(directory_); }

 protected:
  OutputFileTest() {
    std::string name = (fs::temp_directory_path() / "sandproof-files-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
  }

  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
  }
  std::string error_of(const fs::path& path) const {
    try {
      const OutputFile file(path, "the report");
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "no error";
  }

  fs::path directory_;
};

TEST_F(OutputFileTest, TryingLeavesNothingBehind) {
  const OutputFile file(directory_ / "out.json", "the report");
  EXPECT_EQ(entries(), 0U);
}

TEST_F(OutputFileTest, WritesAndReplaces) {
  const OutputFile file(directory_ / "out.json", "the report");
  file.write("first, and longer");
  file.write("second");
  EXPECT_EQ(read_whole_file(directory_ / "out.json", "it"), "second");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(OutputFileTest, TryingKeepsAnOldFile) {
  std::ofstream(directory_ / "out.json") << "old";
  const OutputFile file(directory_ / "out.json", "the report");
  EXPECT_EQ(read_whole_file(directory_ / "out.json", "it"), "old");
}

TEST_F(OutputFileTest, FollowsALink) {
  std::ofstream(directory_ / "real") << "old";
  fs::create_symlink("real", directory_ / "link");
  OutputFile(directory_ / "link", "the report").write("new");
  EXPECT_TRUE(fs::is_symlink(directory_ / "link"));
  EXPECT_EQ(read_whole_file(directory_ / "real", "it"), "new");
}

TEST_F(OutputFileTest, WritesIntoAPipeAndADevice) {
  OutputFile("/dev/null", "the report").write("gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFileTest, RefusesWhatCannotBeWritten) {
  EXPECT_THAT(error_of(directory_ / "missing" / "out.json"),
              AllOf(HasSubstr("the report"), HasSubstr("missing/out.json"),
                    HasSubstr("No such file or directory")));
  EXPECT_THAT(error_of(directory_), HasSubstr("Is a directory"));
  EXPECT_THAT(error_of(directory_ / "new/"), HasSubstr("Is a directory"));
  EXPECT_THAT(error_of(""), HasSubstr("the name of a file"));
}

TEST_F(OutputFileTest, APipeIsHeldOpenAndOneWithoutAReaderRefused) {
  const fs::path pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(error_of(pipe), AllOf(HasSubstr("the report"), HasSubstr("that nobody reads")));
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  {
    const OutputFile file(pipe, "the report");
    EXPECT_FALSE(file.is_regular());
    char byte = 0;
    // Nothing yet, and no end.
    EXPECT_EQ(::read(reader, &byte, 1), -1);
    EXPECT_EQ(errno, EAGAIN);
    file.write("x");
    EXPECT_EQ(::read(reader, &byte, 1), 1);
    EXPECT_EQ(byte, 'x');
  }
  char byte = 0;
  EXPECT_EQ(::read(reader, &byte, 1), 0);
  ::close(reader);
}

TEST(ReadWholeFile, NamesWhatCannotBeRead) {
  try {
    read_whole_file(fs::temp_directory_path(), "the config file");
    ADD_FAILURE() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("the config file"), HasSubstr("Is a directory")));
  }
}

}  // namespace
}  // namespace sandproof::conformance
