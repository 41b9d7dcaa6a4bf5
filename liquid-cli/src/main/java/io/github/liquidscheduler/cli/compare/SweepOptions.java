package io.github.liquidscheduler.cli.compare;

import io.github.liquidscheduler.cli.output.OptionRules;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** A sweep instead of a comparison on one trace. */
final class SweepOptions {

  /** Options beside a sweep's file, which holds all else. */
  private static final List<String> WITH_IT =
      List.of("--sweep", "--output", "--threads", "--json", "--csv", "--html");

  /** A help option to picocli, which then does not miss {@code --trace} and the others. */
  @Option(
      names = "--sweep",
      paramLabel = "FILE",
      help = true,
      description =
          "Run the sweep of this JSON file: a grid of traces, clusters, policies, placement"
              + " algorithms, loads and options. What ran already is not run again.")
  private @Nullable Path file;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description =
          "Folder that keeps what each cell of the sweep left (default: NAME.cells beside"
              + " NAME.json).")
  private @Nullable Path folder;

  @Nullable Path file() {
    return file;
  }

  @Nullable Path folder() {
    return folder;
  }

  void refuseOthers(CommandSpec spec) {
    String others =
        spec.commandLine().getParseResult().matchedOptions().stream()
            .map(OptionSpec::longestName)
            .filter(name -> !WITH_IT.contains(name))
            .collect(Collectors.joining(", "));
    OptionRules.refuseIf(
        spec,
        !others.isEmpty(),
        "a sweep says itself what runs, so that --sweep does not go with " + others);
  }

  void refuseFolder(CommandSpec spec) {
    OptionRules.refuseIf(spec, folder != null, "--output is for --sweep");
  }
}
