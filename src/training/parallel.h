#pragma once

#include <exception>
#include <thread>
#include <vector>

namespace softalign::training {

// body(i) for i in 0..count-1, each in a thread of its own; an exception of one is rethrown here.
template <class Body>
void in_parallel(std::size_t count, const Body& body) {
  std::vector<std::exception_ptr> errors(count);
  const auto guarded = [&](std::size_t i) {
    try {
      body(i);
    } catch (...) {
      errors[i] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < count; ++i) threads.emplace_back(guarded, i);
  guarded(0);
  for (std::thread& t : threads) t.join();
  for (const auto& e : errors) {
    if (e) std::rethrow_exception(e);
  }
}

}  // namespace softalign::training
