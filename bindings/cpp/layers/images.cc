#include "layer.h"
#include "layers/images/gaussian_attention.h"
#include "layers/images/patch_embedding.h"
#include "layers/images/sagan_attention.h"
#include "ops/patches.h"

// Layers over images, which come and go as [B, C, height, width].
namespace softalign::js {
namespace {

Forward patch_embedding(Parameters<float>& p, Options& o) {
  const std::size_t C = o.size("channels"), H = o.size("height"), W = o.size("width"), P = o.size("patch");
  const layers::PatchEmbedding<float> layer(p, "", {C, H, W, P}, o.size("output"));
  return [=](Call& c) { c.give("output", layer(c.graph(), c.tensor("x", {"B", C, H, W}))); };
}

// layer(x [N, B, C], size) as a function of images, with its output and weights.
template <class Layer>
Forward over_positions(std::size_t channels, const Layer& layer) {
  return [=](Call& c) {
    Graph<float>& g = c.graph();
    const Var<float> images = c.tensor("x", {"B", channels, "height", "width"});
    const ops::ImageSize size = {images.shape[2], images.shape[3]};
    const auto result = layer(g, ops::patches(g, images, 1), size);
    c.give("output", ops::from_patches(g, result.output, size, 1));
    if (c.flag("attention")) c.give("attention", result.weights);
  };
}

Forward sagan_attention(Parameters<float>& p, Options& o) {
  const std::size_t width = o.size("channels");
  const layers::SaganAttention<float> layer(p, "", width, o.optional_size("reduced"));
  return over_positions(width, [=](Graph<float>& g, Var<float> x, const ops::ImageSize&) { return layer(g, x); });
}

Forward gaussian_attention(Parameters<float>& p, Options& o) {
  using Layer = layers::GaussianAttention<float>;
  const Layer::Sizes sizes = {.in = o.size("input"),
                              .out = o.size("output"),
                              .heads = o.size("heads"),
                              .width = o.size("width"),
                              .padding = o.optional_size("padding", 0, Layer::kLargestPadding).value_or(0)};
  return over_positions(sizes.in, Layer(p, "", sizes));
}

Forward convolution_as_attention(Parameters<float>& p, Options& o) {
  Options convolution = o.part("convolution");
  const TensorIn weight = convolution.tensor_in("weight");
  const auto bias = convolution.has("bias") ? convolution.tensor_in("bias").numbers() : std::vector<float>();
  const auto layer = layers::GaussianAttention<float>::equal_to(p, "", weight.shape, weight.numbers(), bias);
  return over_positions(layer.sizes().in, layer);
}

}  // namespace

std::span<const Kind> image_kinds() {
  static constexpr Kind kinds[] = {
      {"PatchEmbedding", patch_embedding},
      {"SaganAttention", sagan_attention},
      {"GaussianAttention", gaussian_attention},
      {"GaussianAttention.equalTo", convolution_as_attention},
  };
  return kinds;
}

}  // namespace softalign::js
