package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.cluster.ClusterOption;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.json.JsonCodecs;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of commands that decide about a file of jobs on an empty cluster. */
final class JobsOnCluster {

  @Mixin private final ClusterOption cluster = new ClusterOption();

  @Option(
      names = "--jobs",
      required = true,
      paramLabel = "FILE",
      description = "JSON file of the jobs, in the order of their submission.")
  private Path jobs = Path.of("");

  ClusterTopology cluster() {
    return cluster.get();
  }

  List<JobSpec> read() {
    return JsonCodecs.JOBS.read(jobs);
  }
}
