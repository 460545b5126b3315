#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace softalign {

// The bytes of a file. Those with an owner may be kept by what is made of them; others are borrowed while it is made.
struct Bytes {
  std::span<const std::byte> view;
  std::shared_ptr<const void> owner = nullptr;

  bool empty() const { return view.empty(); }
};

}  // namespace softalign
