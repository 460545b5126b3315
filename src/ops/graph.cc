#include "ops/graph.h"

#include <algorithm>

#include "kernels/byte_products.h"
#include "kernels/gemm.h"

namespace softalign {

Int8Matrix::Int8Matrix(std::span<const std::int8_t> all, AlignedVector<float> scales, std::shared_ptr<const void> keeper)
    : bytes(all), scale(std::move(scales)), owner(std::move(keeper)), sum(scale) {
  for (std::size_t r = 0, width = sum.empty() ? 0 : bytes.size() / sum.size(); r < sum.size(); ++r) {
    sum[r] *= static_cast<float>(kernels::sum(bytes.data() + r * width, width));
  }
}

template <class T>
const Parameter<T>& Parameters<T>::add(std::string name, Shape shape, double range, double centre) {
  if (find(name)) throw ArgumentError("Parameters: \"" + name + "\" exists already, expected a new name");
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  Random random(seed_, hash, 0);
  Parameter<T>& p = all_.emplace_back();
  p.name = std::move(name);
  p.shape = shape;
  p.offset = size_;
  if (filled_) p.value.resize(shape.size(), static_cast<T>(centre));
  if (filled_ && range > 0) {
    for (T& v : p.value) v = static_cast<T>(random.uniform(centre - range, centre + range));
  }
  size_ += shape.size();
  return p;
}

template <class T>
Parameter<T>* Parameters<T>::find(std::string_view name) {
  const auto it = std::find_if(all_.begin(), all_.end(), [&](const auto& p) { return p.name == name; });
  return it == all_.end() ? nullptr : &*it;
}

template <class T>
Var<T> Graph<T>::make(Shape shape) {
  Var<T> v{arena_.allocate<T>(shape.size_to_allocate()), nullptr, shape, nullptr};
  if (training()) {
    v.grad = arena_.allocate<T>(shape.size_to_allocate());
    std::fill_n(v.grad, shape.size(), T(0));
  }
  return v;
}

template <class T>
Var<T> Graph<T>::zeros(Shape shape) {
  Var<T> v = make(shape);
  std::fill_n(v.value, v.size(), T(0));
  return v;
}

template <class T>
Var<T> Graph<T>::constant(Shape shape, const T* data) {
  Var<T> v{arena_.allocate<T>(shape.size_to_allocate()), nullptr, shape, nullptr};
  std::copy_n(data, v.size(), v.value);
  return v;
}

template <class T>
T* Graph<T>::gemm_scratch() {
  if (gemm_scratch_.empty()) gemm_scratch_.resize(kernels::gemm_scratch<T>());
  return gemm_scratch_.data();
}

template <class T>
void Graph<T>::add_weight_gradient(T* weight, T* bias, const T* x, std::size_t K, const T* dy, std::size_t N,
                                   std::size_t rows) {
  const auto [it, is_new] = use_of_.try_emplace({weight, bias}, uses_.size());
  if (is_new) uses_.push_back({weight, bias, N, K, {}});
  uses_[it->second].rows.push_back({x, dy, rows});
}

template <class T>
void Graph<T>::finish_weight_gradients() {
  for (const Uses& use : uses_) {
    std::size_t total = 0;
    for (const auto& r : use.rows) total += r.count;
    const T *x = use.rows[0].x, *dy = use.rows[0].dy;
    const Arena::Mark mark = arena_.mark();
    if (use.rows.size() > 1) {
      T* all_x = arena_.allocate<T>(total * use.K);
      T* all_dy = arena_.allocate<T>(total * use.N);
      x = all_x;
      dy = all_dy;
      for (const auto& r : use.rows) {
        all_x = std::copy_n(r.x, r.count * use.K, all_x);
        all_dy = std::copy_n(r.dy, r.count * use.N, all_dy);
      }
    }
    kernels::gemm(use.N, use.K, total, {dy, 1, use.N}, {x, use.K, 1}, {use.weight, use.K, 1}, true,
                  gemm_scratch());
    if (use.bias) {
      for (std::size_t r = 0; r < total; ++r) {
        for (std::size_t n = 0; n < use.N; ++n) use.bias[n] += dy[r * use.N + n];
      }
    }
    arena_.rewind(mark);
  }
  uses_.clear();
  use_of_.clear();
}

template <class T>
void Graph<T>::backward(const Var<T>& loss) {
  expect_size("Graph::backward", "size of the loss", loss.size(), 1);
  if (!training()) throw ArgumentError("Graph::backward: the graph only infers, expected a training graph");
  loss.grad[0] = T(1);
  for (auto step = tape_.rbegin(); step != tape_.rend(); ++step) (*step)();
  tape_.clear();
  finish_weight_gradients();
}

template class Parameters<float>;
template class Parameters<double>;
template class Graph<float>;
template class Graph<double>;

}  // namespace softalign
