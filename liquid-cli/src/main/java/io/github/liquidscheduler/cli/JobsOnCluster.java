package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.cluster.ClusterOption;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of commands that decide about a file of jobs, on an empty cluster or one in use. */
final class JobsOnCluster {

  @Mixin private final ClusterOption cluster = new ClusterOption();

  @Option(
      names = "--jobs",
      required = true,
      paramLabel = "FILE",
      description = "JSON file of the jobs, in the order of their submission.")
  private Path jobs = Path.of("");

  @Option(
      names = "--snapshot",
      paramLabel = "FILE",
      description =
          "JSON file of the state of a scheduler of this cluster, whose jobs run and wait on"
              + " (default: the cluster is empty). Its policy and placement algorithm are used.")
  private @Nullable Path snapshot;

  @Mixin private final InterferenceOption interference = new InterferenceOption();

  /** Returns the scheduler of a cluster in use; empty if there is none. */
  Optional<LiquidScheduler> inUse() {
    return Optional.ofNullable(snapshot)
        .map(
            file ->
                SavedScheduler.restored(JsonCodecs.SNAPSHOT.read(file), cluster(), interference));
  }

  ClusterTopology cluster() {
    return cluster.get();
  }

  List<JobSpec> read() {
    return JsonCodecs.JOBS.read(jobs);
  }
}
