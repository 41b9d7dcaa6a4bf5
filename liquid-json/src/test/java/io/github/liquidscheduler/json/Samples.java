package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Instant;
import java.util.List;

/** Small values that tests need and are not about. */
final class Samples {

  static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

  static final ClusterTopology CLUSTER =
      ClusterTopology.builder()
          .node(Node.builder("n0").gpus(4, GpuModel.of("V100"), Memory.ofGib(16)).build())
          .build();

  private Samples() {}

  static JobSpec aJob(String id) {
    return JobSpec.builder(id).gpus(1).build();
  }

  static Decision start(String job) {
    TaskPlacement task =
        new TaskPlacement(
            new TaskId("worker", 0), NodeId.of("n0"), List.of(0), ResourceRequest.ofGpus(1));
    JobId id = JobId.of(job);
    return new Decision.Start(
        id, new Placement(id, List.of(task)), new Reason.Scheduled("fifo", 0));
  }
}
