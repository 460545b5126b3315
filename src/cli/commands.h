#pragma once

#include <CLI/App.hpp>

// The native command, one function a subcommand: each adds its options and what it runs.
namespace softalign::cli {

void add_train(CLI::App& app);
void add_train_text(CLI::App& app);
void add_tokenizer(CLI::App& app);
void add_translate(CLI::App& app);
void add_align(CLI::App& app);
void add_eval(CLI::App& app);
void add_eval_text(CLI::App& app);
void add_convert(CLI::App& app);
void add_inspect(CLI::App& app);
void add_bench(CLI::App& app);

}  // namespace softalign::cli
