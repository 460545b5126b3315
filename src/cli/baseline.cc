#include "cli/baseline.h"

#include <chrono>
#include <cstdio>
#include <fstream>

#include "core/error.h"

namespace softalign::cli {
namespace {

std::string joined(const std::string& text, const std::vector<ByteRange>& words) {
  std::string line;
  for (const ByteRange word : words) {
    if (!line.empty()) line += ' ';
    line += text.substr(word.begin, word.size());
  }
  return line;
}

}  // namespace

Baselines::Baselines(const std::string& path) {
  for (auto& pair : training::read_pairs(path)) {
    source_.push_back(std::move(pair.source));
    target_.push_back(std::move(pair.target));
  }
  const auto start = std::chrono::steady_clock::now();
  model1_ = std::make_unique<BaselineAligner>(source_, target_);
  const auto between = std::chrono::steady_clock::now();
  hmm_ = std::make_unique<WordAligner>(source_, target_);
  const std::chrono::duration<double> model1 = between - start;
  const std::chrono::duration<double> hmm = std::chrono::steady_clock::now() - between;
  std::fprintf(stderr, "IBM model 1 trained in %.1f s, the HMM of both directions in %.1f s\n", model1.count(),
               hmm.count());
}

std::vector<std::pair<std::string, std::vector<Alignment>>> Baselines::align(
    const std::vector<GoldPair>& corpus) const {
  using Method = WordAligner::Method;
  std::vector<std::pair<std::string, std::vector<Alignment>>> rows = {{"IBM model 1", {}},
                                                                      {"HMM forward", {}},
                                                                      {"HMM backward", {}},
                                                                      {"HMM intersection", {}},
                                                                      {"HMM union", {}},
                                                                      {"HMM grow-diag", {}},
                                                                      {"HMM grow-diag-final-and", {}},
                                                                      {"HMM agreed", {}}};
  for (const GoldPair& pair : corpus) {
    const WordLinks forward = hmm_->align(pair.source.text, pair.target.text, Method::kForward);
    const Alignment backward = hmm_->align(pair.source.text, pair.target.text, Method::kBackward).links;
    const auto add = [&](std::size_t row, const Alignment& links) {
      rows[row].second.push_back(
          transfer_links(links, forward.source, forward.target, pair.source.words, pair.target.words));
    };
    rows[0].second.push_back(model1_->align(pair));
    add(1, forward.links);
    add(2, backward);
    add(3, symmetrise(forward.links, backward, Symmetrisation::kIntersection));
    add(4, symmetrise(forward.links, backward, Symmetrisation::kUnion));
    add(5, symmetrise(forward.links, backward, Symmetrisation::kGrowDiag));
    add(6, symmetrise(forward.links, backward, Symmetrisation::kGrowDiagFinalAnd));
    add(7, hmm_->align(pair.source.text, pair.target.text).links);
  }
  return rows;
}

void Baselines::write_links(const std::string& path) const {
  std::ofstream file(path, std::ios::binary);
  for (std::size_t i = 0; i < source_.size(); ++i) {
    const WordLinks words = hmm_->align(source_[i], target_[i]);
    file << to_pharaoh(words.links) << '\t' << joined(source_[i], words.source) << '\t'
         << joined(target_[i], words.target) << '\n';
  }
  file.close();
  if (!file) throw IoError("cannot write " + path);
}

}  // namespace softalign::cli
