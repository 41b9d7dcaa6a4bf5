package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.cli.output.OptionRules;
import io.github.liquidscheduler.cli.simulation.BackfillOptions;
import io.github.liquidscheduler.cli.simulation.SchedulingOptions;
import io.github.liquidscheduler.json.JsonCodecs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of how a daemon decides. */
final class DaemonScheduling {

  @Mixin private final SchedulingOptions scheduling = new SchedulingOptions("fifo");

  @Option(
      names = "--queues",
      paramLabel = "FILE",
      description = "JSON file of a tree of queues with quotas (docs/queues.md).")
  private @Nullable Path queues;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      description =
          "How long a job that is stopped for another has to save its work, at least 0 (default:"
              + " ${DEFAULT-VALUE}).")
  private Duration grace = Duration.ZERO;

  /** Returns what makes the scheduler. */
  SchedulerMaker maker(CommandSpec spec, BackfillOptions backfill) {
    OptionRules.refuseIf(spec, grace.isNegative(), "--grace must be at least 0, but was " + grace);
    return new SchedulerMaker(
        scheduling.policy(),
        scheduling.placer(),
        grace,
        Optional.ofNullable(queues).map(JsonCodecs.QUEUES::read),
        backfill::apply);
  }
}
