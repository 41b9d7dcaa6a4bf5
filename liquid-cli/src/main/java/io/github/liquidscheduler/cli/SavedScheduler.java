package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.cluster.ClusterArgument;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.json.EventJournalReader;
import io.github.liquidscheduler.json.EventJournalReader.Truncation;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that name a scheduler whose state was saved. */
final class SavedScheduler {

  @Option(
      names = "--snapshot",
      paramLabel = "FILE",
      description = "JSON file of a snapshot; needs --cluster.")
  private @Nullable Path snapshot;

  @Option(
      names = "--journal",
      paramLabel = "FILE",
      description = "A journal instead: the state after its last event.")
  private @Nullable Path journal;

  @Option(
      names = "--cluster",
      paramLabel = "CLUSTER",
      converter = ClusterArgument.class,
      description =
          "JSON file of the cluster of the snapshot, or a shorthand: 3x4xP100 is 3 nodes of 4 P100"
              + " GPUs each.")
  private @Nullable ClusterTopology cluster;

  @Mixin private final InterferenceOption interference = new InterferenceOption();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  /** Returns the scheduler, in its saved state. */
  LiquidScheduler restore() {
    if (journal != null && snapshot == null && cluster == null) {
      return replayed(journal);
    }
    if (snapshot != null && journal == null && cluster != null) {
      return restored(JsonCodecs.SNAPSHOT.read(snapshot), cluster, interference);
    }
    throw new ParameterException(
        spec.commandLine(), "needs either --snapshot and --cluster, or --journal");
  }

  private LiquidScheduler replayed(Path journal) {
    try (EventJournalReader events = EventJournalReader.open(journal, Truncation.ACCEPT)) {
      LiquidScheduler scheduler = ReplayCommand.scheduler(events.header(), interference);
      events.forEachRemaining(entry -> scheduler.on(entry.event()));
      return scheduler;
    }
  }

  /** Returns the scheduler of a snapshot that was taken on this cluster. */
  static LiquidScheduler restored(
      SchedulerSnapshot snapshot, ClusterTopology cluster, InterferenceOption interference) {
    Map<String, String> parameters = new TreeMap<>();
    snapshot
        .section("parameters")
        .values()
        .forEach((name, value) -> parameters.put(name, value.toString()));
    String policy = parameters.getOrDefault("policy", "");
    return new RecordedSettings(policy, parameters, Map.of(), interference)
        .builder(cluster)
        .restore(snapshot);
  }
}
