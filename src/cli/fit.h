#pragma once

#include <CLI/App.hpp>

#include "training/fit.h"

// What all commands that train share.
namespace softalign::cli {

void add_fit_options(CLI::App& command, training::FitSettings& settings);

// Trains, printing how it goes. The first interrupt writes a checkpoint; a second one ends the program as usual.
void fit(training::Task& task, training::FitSettings settings);

}  // namespace softalign::cli
