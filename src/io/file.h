#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace softalign {

// The whole file. Throws IoError naming the path and the reason.
std::vector<std::byte> read_file(const std::filesystem::path& path);

// Writes a temporary file beside `path`, flushes it to the disk and renames it, so that whoever
// reads `path` (a training run that resumes, say) finds the old bytes or the new ones, never a
// part. Throws IoError naming the path and the reason; the temporary file is then gone.
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

}  // namespace softalign
