// SPDX-License-Identifier: Apache-2.0
// The file behind a stream's buffer: exact bytes, nothing left in the directory, space given back,
// errors told.
#include "spill_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sandproof {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string read(SpillFile& file, std::uint64_t offset, std::size_t count) {
  std::string text(count, '\0');
  EXPECT_FALSE(file.read_at(offset, std::as_writable_bytes(std::span(text))));
  return text;
}

class SpillFileTest : public testing::Test {
 public:
  SpillFileTest() {
    std::string name = testing::TempDir() + "spill-XXXXXX";
    directory_ = ::mkdtemp(name.data());
  }
  ~SpillFileTest() override { std::filesystem::remove_all(directory_); }

 protected:
  std::string directory_;
};

TEST_F(SpillFileTest, GivesBackWhatWasWritten) {
  std::error_code error;
  SpillFile file(directory_, error);
  ASSERT_FALSE(error) << error.message();
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
  EXPECT_FALSE(file.write_at(0, bytes_of("hello")));
  EXPECT_FALSE(file.write_at(5, bytes_of(std::string("\0world", 6))));
  EXPECT_EQ(read(file, 3, 5), std::string("lo\0wo", 5));
}

TEST_F(SpillFileTest, ReadingPastTheEndIsAnError) {
  std::error_code error;
  SpillFile file(directory_, error);
  file.write_at(0, bytes_of("hello"));
  std::byte buffer[6];
  EXPECT_TRUE(file.read_at(0, buffer));
}

TEST_F(SpillFileTest, ADirectoryThatIsNoneIsAnError) {
  for (const char* place : {"/dev/null", "/nonexistent/directory", "/proc"}) {
    std::error_code error;
    const SpillFile file(place, error);
    EXPECT_TRUE(error) << place;
  }
}

TEST_F(SpillFileTest, WhatWasReleasedIsGoneAndWhatWasNotIsThere) {
  std::error_code error;
  SpillFile file(directory_, error);
  const std::string piece(1 << 20, 'x');
  for (std::uint64_t i = 0; i < 8; ++i) ASSERT_FALSE(file.write_at(i << 20, bytes_of(piece)));
  file.release_before((4 << 20) + 100);
  EXPECT_TRUE(read(file, (4 << 20), 1 << 20) == piece);
  EXPECT_TRUE(read(file, (7 << 20), 1 << 20) == piece);
  // Holes read as zeros; on a file system without them the old bytes stay.
  const std::string hole = read(file, 0, 1);
  EXPECT_TRUE(hole == "x" || hole == std::string(1, '\0'));
  file.release_all();
  std::byte byte[1];
  EXPECT_TRUE(file.read_at(0, byte));
}

TEST_F(SpillFileTest, TheLimitOfTheProcessIsAnErrorAndNoSignal) {
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  rlimit low = old;
  low.rlim_cur = 1000;
  std::error_code error;
  SpillFile file(directory_, error);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &low), 0);
  const std::error_code fits = file.write_at(0, bytes_of(std::string(1000, 'x')));
  const std::error_code does_not = file.write_at(1000, bytes_of("x"));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  EXPECT_FALSE(fits) << fits.message();
  EXPECT_EQ(does_not, std::errc::file_too_large);
}

}  // namespace
}  // namespace sandproof
