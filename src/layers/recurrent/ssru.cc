#include "layers/recurrent/ssru.h"

namespace softalign::layers {

template <class T>
Ssru<T>::Ssru(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width)
    : width_(width),
      forget_(p, name + ".forget", in, width),
      candidate_(p, name + ".candidate", in, width, Dense<T>::Bias::kNone) {}

template <class T>
Var<T> Ssru<T>::gates(Graph<T>& g, Var<T> x) const {
  return ops::concat(g, forget_(g, x), candidate_(g, x));
}

template <class T>
typename Ssru<T>::State Ssru<T>::step(Graph<T>& g, Var<T> gates, State state, std::span<const unsigned char> active,
                                      Var<T> into) const {
  return ops::ssru_step(g, gates, state, active, into);
}

template class Ssru<float>;
template class Ssru<double>;

}  // namespace softalign::layers
