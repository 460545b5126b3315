#pragma once

#include <string>
#include <utility>

#include "core/error.h"

namespace softalign::testing {

// What the error says that `body` throws; any of another class goes through.
template <class Expected = Error, class Body>
std::string message_of(Body&& body) {
  try {
    std::forward<Body>(body)();
  } catch (const Expected& e) {
    return e.what();
  }
  return "nothing was thrown";
}

}  // namespace softalign::testing
