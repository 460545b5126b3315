#include "io/file.h"

#include <gtest/gtest.h>

#include <string>

#include "core/error.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("softalign_file_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

std::vector<std::byte> bytes(std::size_t count, int seed) {
  std::vector<std::byte> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = static_cast<std::byte>((i * 31 + static_cast<std::size_t>(seed)) & 0xFF);
  }
  return result;
}

TEST_F(FileTest, ReadsWhatItWrote) {
  for (const std::size_t count : {0U, 1U, 4095U, 4096U, 100'000U}) {
    write_file(folder_ / "data", bytes(count, 7));
    EXPECT_EQ(read_file(folder_ / "data"), bytes(count, 7)) << count;
  }
}

TEST_F(FileTest, ReplacesAFileAndLeavesNothingBeside) {
  write_file(folder_ / "data", bytes(5000, 1));
  write_file(folder_ / "data", bytes(10, 2));
  EXPECT_EQ(read_file(folder_ / "data"), bytes(10, 2));
  EXPECT_EQ(files(), 1U);
}

TEST_F(FileTest, AFailedWriteLeavesNothingBeside) {
  fs::create_directory(folder_ / "taken");
  write_file(folder_ / "taken" / "inside", bytes(1, 1));
  EXPECT_THROW(write_file(folder_ / "taken", bytes(10, 1)), IoError);  // a folder is no file
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(read_file(folder_ / "taken" / "inside"), bytes(1, 1));
}

TEST_F(FileTest, ErrorsNameThePathAndTheReason) {
  const auto message = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const IoError& error) {
      EXPECT_STREQ(error.code(), "io");
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([&] { read_file(folder_ / "none"); }),
            "cannot read " + (folder_ / "none").string() + ": No such file or directory");
  EXPECT_EQ(message([&] { read_file(folder_); }), "cannot read " + folder_.string() + ": Is a directory");
  EXPECT_NE(message([&] { write_file(folder_ / "no" / "folder", {}); }).find("No such file or directory"),
            std::string::npos);
}

}  // namespace
}  // namespace softalign
