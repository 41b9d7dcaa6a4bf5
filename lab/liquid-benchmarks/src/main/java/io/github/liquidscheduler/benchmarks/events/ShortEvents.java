package io.github.liquidscheduler.benchmarks.events;

import picocli.CommandLine;
import picocli.CommandLine.Option;

/** How short events are: an option that the benchmarks of events share. */
final class ShortEvents {

  @Option(
      names = "--starts-per-event",
      paramLabel = "JOBS",
      defaultValue = "2147483647",
      showDefaultValue = CommandLine.Help.Visibility.NEVER,
      description =
          "Jobs that one event starts at most; what is left is decided by further events, named"
              + " 'again' (default: as many as can).")
  int startsPerEvent;
}
