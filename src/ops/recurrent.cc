#include "ops/recurrent.h"

#include <algorithm>

#include "kernels/recurrent.h"
#include "kernels/vector.h"

namespace softalign::ops {
namespace {

// Which rows a step computes. A copy: the caller may change its flags before backward().
class ActiveRows {
 public:
  template <class T>
  ActiveRows(Graph<T>& g, const char* op, std::span<const unsigned char> active, std::size_t rows) {
    if (active.empty()) return;
    expect_size(op, "size of active", active.size(), rows);
    auto* copy = g.template scratch<unsigned char>(rows);
    std::copy(active.begin(), active.end(), copy);
    flags_ = copy;
  }
  bool operator[](std::size_t row) const { return !flags_ || flags_[row]; }

 private:
  const unsigned char* flags_ = nullptr;
};

// The tensor a step writes to.
template <class T>
Var<T> output(Graph<T>& g, const char* op, Var<T> into, std::size_t B, std::size_t H) {
  Var<T> y = into.value ? into : g.make({B, H});
  expect_shape(op, "into", y.shape, {B, H});
  return y;
}

// What a step keeps for its gradient; nothing when the graph infers.
template <class T>
T* kept(Graph<T>& g, std::size_t count) {
  return g.training() ? g.template scratch<T>(count) : nullptr;
}

template <class T>
T* row(T* matrix, std::size_t r, std::size_t width) {
  return matrix ? matrix + r * width : nullptr;
}

template <class T>
void copy_row(const Var<T>& from, const Var<T>& to, std::size_t r) {
  std::copy_n(from.value + r * from.width(), from.width(), to.value + r * to.width());
}

template <class T>
void add_row(const T* from, const Var<T>& to, std::size_t r) {
  if (to.grad) kernels::axpy(T(1), from, to.grad + r * to.width(), to.width());
}

// A step of a network that carries a cell beside its output: step(b, h', c') computes row b, gradient(b, h', c',
// d_c) takes that row back, with the gradient of the cell before it in d_c [H].
template <class T, class Step, class Gradient>
OutputAndCell<T> step_with_cell(Graph<T>& g, const char* op, const OutputAndCell<T>& state,
                                std::span<const unsigned char> active, Var<T> into, Step step, Gradient gradient) {
  const Var<T> h = state.h, c = state.c;
  const std::size_t B = c.rows(), H = c.width();
  expect_shape(op, "h", h.shape, c.shape);
  const ActiveRows computed(g, op, active, B);
  const OutputAndCell<T> y = {output(g, op, into, B, H), g.make({B, H})};
  for (std::size_t b = 0; b < B; ++b) {
    if (computed[b]) {
      step(b, y);
    } else {
      copy_row(h, y.h, b);
      copy_row(c, y.c, b);
    }
  }
  if (g.training()) {
    T* d_c = kept(g, H);
    g.record([=] {
      for (std::size_t b = 0; b < B; ++b) {
        if (computed[b]) {
          gradient(b, y, d_c);
          add_row(d_c, c, b);
        } else {
          add_row(y.h.grad + b * H, h, b);
          add_row(y.c.grad + b * H, c, b);
        }
      }
    });
  }
  return y;
}

}  // namespace

template <class T>
Var<T> choose_rows(Graph<T>& g, std::span<const unsigned char> active, Var<T> fresh, Var<T> kept) {
  expect_shape("choose_rows", "kept", kept.shape, fresh.shape);
  const ActiveRows chosen(g, "choose_rows", active, fresh.rows());
  if (active.empty()) return fresh;
  const Var<T> y = g.make(fresh.shape);
  for (std::size_t r = 0; r < y.rows(); ++r) copy_row(chosen[r] ? fresh : kept, y, r);
  if (g.training()) {
    g.record([=] {
      for (std::size_t r = 0; r < y.rows(); ++r) add_row(y.grad + r * y.width(), chosen[r] ? fresh : kept, r);
    });
  }
  return y;
}

template <class T>
Var<T> gru_step(Graph<T>& g, Var<T> x, Var<T> hidden, Var<T> h, std::span<const unsigned char> active, Var<T> into) {
  const std::size_t B = h.rows(), H = h.width();
  expect_shape("gru_step", "x", x.shape, {B, 3 * H});
  expect_shape("gru_step", "hidden", hidden.shape, {B, 3 * H});
  const ActiveRows computed(g, "gru_step", active, B);
  const Var<T> y = output(g, "gru_step", into, B, H);
  T* gates = kept(g, B * 3 * H);
  for (std::size_t b = 0; b < B; ++b) {
    if (computed[b]) {
      kernels::gru_step(x.value + b * 3 * H, hidden.value + b * 3 * H, h.value + b * H, y.value + b * H,
                        row(gates, b, 3 * H), H);
    } else {
      copy_row(h, y, b);
    }
  }
  if (g.training()) {
    T* d_h = kept(g, H);
    g.record([=] {
      for (std::size_t b = 0; b < B; ++b) {
        const T* d_y = y.grad + b * H;
        if (computed[b]) {
          kernels::gru_step_gradient(gates + b * 3 * H, hidden.value + b * 3 * H, h.value + b * H, d_y,
                                     x.grad + b * 3 * H, hidden.grad + b * 3 * H, d_h, H);
        }
        add_row(computed[b] ? d_h : d_y, h, b);
      }
    });
  }
  return y;
}

template <class T>
Var<T> rnn_step(Graph<T>& g, Var<T> x, Var<T> hidden, Var<T> h, std::span<const unsigned char> active, Var<T> into) {
  const std::size_t B = h.rows(), H = h.width();
  expect_shape("rnn_step", "x", x.shape, {B, H});
  expect_shape("rnn_step", "hidden", hidden.shape, {B, H});
  const ActiveRows computed(g, "rnn_step", active, B);
  const Var<T> y = output(g, "rnn_step", into, B, H);
  for (std::size_t b = 0; b < B; ++b) {
    if (computed[b]) {
      kernels::rnn_step(x.value + b * H, hidden.value + b * H, y.value + b * H, H);
    } else {
      copy_row(h, y, b);
    }
  }
  if (g.training()) {
    g.record([=] {
      for (std::size_t b = 0; b < B; ++b) {
        if (computed[b]) {
          kernels::rnn_step_gradient(y.value + b * H, y.grad + b * H, x.grad + b * H, hidden.grad + b * H, H);
        } else {
          add_row(y.grad + b * H, h, b);
        }
      }
    });
  }
  return y;
}

template <class T>
OutputAndCell<T> lstm_step(Graph<T>& g, Var<T> x, Var<T> hidden, const OutputAndCell<T>& state,
                           std::span<const unsigned char> active, Var<T> into) {
  const Var<T> c = state.c;
  const std::size_t B = c.rows(), H = c.width();
  expect_shape("lstm_step", "x", x.shape, {B, 4 * H});
  expect_shape("lstm_step", "hidden", hidden.shape, {B, 4 * H});
  T* gates = kept(g, B * 4 * H);
  return step_with_cell(
      g, "lstm_step", state, active, into,
      [=](std::size_t b, const OutputAndCell<T>& y) {
        kernels::lstm_step(x.value + b * 4 * H, hidden.value + b * 4 * H, c.value + b * H, y.h.value + b * H,
                           y.c.value + b * H, row(gates, b, 4 * H), H);
      },
      [=](std::size_t b, const OutputAndCell<T>& y, T* d_c) {
        kernels::lstm_step_gradient(gates + b * 4 * H, c.value + b * H, y.c.value + b * H, y.h.grad + b * H,
                                    y.c.grad + b * H, x.grad + b * 4 * H, hidden.grad + b * 4 * H, d_c, H);
      });
}

template <class T>
OutputAndCell<T> ssru_step(Graph<T>& g, Var<T> x, const OutputAndCell<T>& state, std::span<const unsigned char> active,
                           Var<T> into) {
  const Var<T> c = state.c;
  const std::size_t B = c.rows(), H = c.width();
  expect_shape("ssru_step", "x", x.shape, {B, 2 * H});
  T* gates = kept(g, B * H);
  return step_with_cell(
      g, "ssru_step", state, active, into,
      [=](std::size_t b, const OutputAndCell<T>& y) {
        kernels::ssru_step(x.value + b * 2 * H, c.value + b * H, y.h.value + b * H, y.c.value + b * H, row(gates, b, H),
                           H);
      },
      [=](std::size_t b, const OutputAndCell<T>& y, T* d_c) {
        kernels::ssru_step_gradient(gates + b * H, x.value + b * 2 * H, c.value + b * H, y.c.value + b * H,
                                    y.h.grad + b * H, y.c.grad + b * H, x.grad + b * 2 * H, d_c, H);
      });
}

#define SOFTALIGN_INSTANTIATE(T)                                                                                  \
  template Var<T> choose_rows(Graph<T>&, std::span<const unsigned char>, Var<T>, Var<T>);                         \
  template Var<T> gru_step(Graph<T>&, Var<T>, Var<T>, Var<T>, std::span<const unsigned char>, Var<T>);            \
  template Var<T> rnn_step(Graph<T>&, Var<T>, Var<T>, Var<T>, std::span<const unsigned char>, Var<T>);            \
  template OutputAndCell<T> lstm_step(Graph<T>&, Var<T>, Var<T>, const OutputAndCell<T>&,                         \
                                      std::span<const unsigned char>, Var<T>);                                    \
  template OutputAndCell<T> ssru_step(Graph<T>&, Var<T>, const OutputAndCell<T>&, std::span<const unsigned char>, \
                                      Var<T>);
SOFTALIGN_INSTANTIATE(float)
SOFTALIGN_INSTANTIATE(double)
#undef SOFTALIGN_INSTANTIATE

}  // namespace softalign::ops
