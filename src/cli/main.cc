#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "cli/commands.h"
#include "core/error.h"

int main(int argc, char** argv) {
  CLI::App app("Neural translation you can look inside: trains, translates, aligns and measures.", "softalign");
  app.require_subcommand(1);
  app.fallthrough();
  softalign::cli::add_train(app);
  softalign::cli::add_train_text(app);
  softalign::cli::add_tokenizer(app);
  softalign::cli::add_translate(app);
  softalign::cli::add_align(app);
  softalign::cli::add_eval(app);
  softalign::cli::add_eval_text(app);
  softalign::cli::add_convert(app);
  softalign::cli::add_inspect(app);
  softalign::cli::add_bench(app);
  try {
    app.parse(argc, argv);  // runs the chosen command
  } catch (const CLI::ParseError& e) {
    return app.exit(e);
  } catch (const softalign::Error& e) {
    std::fprintf(stderr, "softalign: %s (%s)\n", e.what(), e.code());
    return 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "softalign: %s\n", e.what());
    return 1;
  }
  return 0;
}
