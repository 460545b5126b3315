#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace softalign::testing {

// A folder of the data that is not in the repository (../shared/data beside the checkout), if it is
// there. Tests that want it skip without, and say so.
inline std::optional<std::filesystem::path> shared_data(const std::string& folder) {
  const auto path = std::filesystem::path(SOFTALIGN_SOURCE_DIR) / ".." / "shared" / "data" / folder;
  if (!std::filesystem::is_directory(path)) return std::nullopt;
  return path;
}

inline std::vector<std::string> lines(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::string> result;
  for (std::string line; std::getline(file, line);) result.push_back(std::move(line));
  return result;
}

// Column `index` of a tab-separated file.
inline std::vector<std::string> column(const std::filesystem::path& path, int index) {
  std::vector<std::string> result;
  for (const std::string& line : lines(path)) {
    std::size_t begin = 0;
    for (int i = 0; i < index; ++i) begin = line.find('\t', begin) + 1;
    result.push_back(line.substr(begin, line.find('\t', begin) - begin));
  }
  return result;
}

}  // namespace softalign::testing
