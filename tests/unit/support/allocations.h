#pragma once

#include <cstddef>

namespace softalign::testing {

// Whether allocations are counted in this build: not under AddressSanitizer, whose own operator new
// finds more than ours would.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kAllocationsAreCounted = false;
#else
inline constexpr bool kAllocationsAreCounted = true;
#endif

// Calls of operator new in this program so far.
std::size_t allocations();

}  // namespace softalign::testing
