#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "io/marian.h"
#include "models/student.h"

// Student models in Marian's files, with Marian's names.
namespace softalign::models {

// What the options of the file say. Throws FormatError naming an option that this library does not compute; those that say
// nothing about the computation are not looked at. Name and languages are not in such a file.
StudentConfig student_config(const MarianFile& file);

// Fills the weights of a Student of that config. What lies there in bytes stays in bytes, so a model of intgemm8 takes the
// memory that its file has. Scales of activations (..._QuantMultA) are not needed: products measure each row of theirs. Throws
// FormatError if a tensor is missing, has another shape or holds a number that is not finite.
void load(const MarianFile& file, const StudentConfig& config, Parameters<float>& weights);

// The model as Marian's .bin file: matrices in bytes, intgemm8 of one multiplier each, or as they are. Throws ArgumentError
// for an alignment that is not head 0 of the last layer, unshifted, which is where Marian looks.
std::vector<std::byte> save_marian(const StudentConfig& config, const Parameters<float>& weights, bool bytes);

}  // namespace softalign::models
