#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/decoder_state.h"
#include "ops/loss.h"

// What decoding, training and everything after them know of a translation model, whatever its
// architecture.
namespace softalign::models {

// What the configs of all translation models share.
struct TranslationInfo {
  std::string name = "unnamed";
  std::string source_language = "en", target_language = "fr";  // BCP 47
  std::size_t vocabulary = 6000;                                // V: of the target, and of nearly all models' source too
};

// A batch of sentence pairs, time-major and padded: source[s * B + b], target[t * B + b].
struct Batch {
  std::size_t size = 0;                      // B
  std::vector<std::int32_t> source;          // [S, B], each sentence ends with eos, then anything valid
  std::vector<std::int32_t> source_lengths;  // B, counting eos
  std::vector<std::int32_t> previous;        // [T, B]: the word before each target word, eos at first
  std::vector<std::int32_t> target;          // [T, B]: ends with eos; -1 beyond
  // Which source positions target words belong to, for models whose attention is taught: query is the target
  // position. May be empty.
  std::vector<ops::AlignmentTarget> alignment = {};
};

struct Edits;

// Sentences to translate together, time-major and padded as in a Batch.
struct Sources {
  std::size_t longest = 0;            // S
  std::vector<std::int32_t> ids;      // [S, N]; beyond a length the sentence's own end
  std::vector<std::int32_t> lengths;  // N
  // The words that their translations may have, a step's logits being of these alone; borrowed. Empty: all words.
  std::span<const std::int32_t> words = {};
  // What the attentions of each are made to do, or nullptr; none if there are fewer. Borrowed by the decoder.
  std::vector<const Edits*> edits = {};
  bool encoder_weights = false;  // whether the decoder keeps encoder_weights()

  explicit Sources(std::span<const std::span<const std::int32_t>> sentences);
  explicit Sources(std::span<const std::int32_t> sentence) : Sources({&sentence, 1}) {}
  std::size_t size() const { return lengths.size(); }  // N
};

// N source sentences as a decoder sees them. They do not change while hypotheses are written: what
// does is in their DecoderState. Their tensors belong to the graph that read them.
template <class T>
class Decoder {
 public:
  virtual ~Decoder() = default;

  virtual StateShape state_shape() const = 0;
  // Whether a step's attention belongs to the word it reads and not to the one it predicts.
  virtual bool alignment_is_shifted() const { return false; }

  struct Step {
    Var<T> logits;   // [B, V], or [B, words] of the Sources' words
    Var<T> weights;  // [B, S]: attention to each source position; no tensor without attention
    std::span<const Var<T>> cross = {};  // all of it: of each decoder layer [B, H, S]
    std::span<const Var<T>> self = {};   // the look at the words so far: of each decoder layer [B, H, t + 1]
  };
  // How the source words looked at each other, if kept: of each encoder layer [N, H, S, S].
  virtual std::span<const Var<T>> encoder_weights() const { return {}; }
  // One word further for B hypotheses: reads `previous`, the word each of them ended with so far (eos
  // for the first step, which has one hypothesis for each sentence), and adds a word to the state. S is
  // the length of the longest sentence; weights beyond a sentence's own are 0. Allocates nothing
  // once the graph's arena is warm.
  // Throws ShapeError unless there are B words and the state has room for one more.
  Step step(Graph<T>& g, std::span<const std::int32_t> previous, DecoderState<T>& state) const {
    expect_size("Decoder::step", "number of words before", previous.size(), state.hypotheses());
    if (state.words() == state.longest()) {
      throw ShapeError("Decoder::step: the state is " + std::to_string(state.words()) + " words long, expected fewer");
    }
    const Step result = compute(g, previous, state);
    state.advance();
    return result;
  }

 protected:
  // The step itself; writes state.next(plane) of every plane.
  virtual Step compute(Graph<T>& g, std::span<const std::int32_t> previous, const DecoderState<T>& state) const = 0;
};

// The end-of-sentence word stands before the first word of a target, and ends every sentence.
template <class T>
class TranslationModel {
 public:
  virtual ~TranslationModel() = default;

  virtual const TranslationInfo& info() const = 0;
  // Words of the source, if they are not those of the target.
  virtual std::size_t source_vocabulary() const { return info().vocabulary; }

  // Reads N sentences of ids, each ending with eos, in an inferring graph. The model outlives the
  // result. What a sentence's hypotheses see does not depend on the others beyond rounding.
  // Throws ArgumentError for edits that the model has nothing for.
  virtual std::unique_ptr<Decoder<T>> read(Graph<T>& g, const Sources& sources) const = 0;

  // Sum over target words of the cross entropy, times scale; see ops::cross_entropy.
  virtual Var<T> loss(Graph<T>& g, const Batch& batch, double smoothing, double scale) const = 0;
};

}  // namespace softalign::models
