package io.github.liquidscheduler.lab.recorded;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Draws the jobs of the recordings. */
final class Jobs {

  private static final List<String> FAMILIES =
      List.of("ResNet-18", "ResNet-50", "LM", "Transformer", "Recommendation", "never seen");

  private final Random random;

  Jobs(Random random) {
    this.random = random;
  }

  /** A gang of one role, up to 16 GPUs, with a priority and mostly an expected duration. */
  JobSpec plain(String id) {
    ResourceRequest.Builder request =
        ResourceRequest.builder().gpus(of(1, 1, 1, 1, 2, 2, 4, 8, 16));
    if (oneIn(3)) {
      request.cpu(CpuCores.of(of(1, 4, 12)));
    }
    if (oneIn(3)) {
      request.memory(Memory.ofGib(of(8, 32, 60)));
    }
    return timed(id).role("worker", of(1, 1, 1, 2, 2, 3, 4), request.build()).build();
  }

  /** A job with what jobs can ask of nodes and domains. */
  JobSpec constrained(String id) {
    JobSpec.Builder job = timed(id);
    ResourceRequest worker =
        ResourceRequest.builder()
            .gpus(of(1, 1, 2, 2, 3, 4))
            .cpu(CpuCores.of(of(1, 2, 4)))
            .gpuMemory(Memory.ofGib(of(8, 12, 16, 30)))
            .build();
    switch (random.nextInt(8)) {
      case 0 -> job.topology(TopologyConstraint.required(any("zone", "rack", "node", "row")));
      case 1 -> job.topology(TopologyConstraint.preferred(any("zone", "rack", "node")));
      case 2 -> job.topology(TopologyConstraint.required("zone").andPreferred("rack"));
      case 3 -> job.topology(TopologyConstraint.required("zone").andSlices(2, "rack"));
      case 4 -> job.topology(TopologyConstraint.NONE.andSpread(of(1, 2), any("node", "rack")));
      case 5 -> job.topology(TopologyConstraint.NONE.andSlices(2, "node"));
      default -> {
        // Anywhere.
      }
    }
    if (oneIn(4)) {
      job.gpuModels(
          oneIn(2) ? List.of(Clusters.A100, Clusters.V100) : List.of(Clusters.K80, Clusters.V100));
    }
    if (oneIn(6)) {
      job.nodeLabel("disk", "ssd");
    }
    if (oneIn(5)) {
      job.role("ps", of(1, 2), ResourceRequest.builder().cpu(CpuCores.of(of(2, 8))).build());
      return job.role("worker", of(1, 2, 3), worker).build();
    }
    if (oneIn(8)) {
      GpuShare share = GpuShare.ofPercent(of(25, 50, 80));
      return job.role("worker", of(1, 2), ResourceRequest.builder().share(share).build()).build();
    }
    return job.role("worker", of(1, 2, 2, 4, 4, 6), worker).build();
  }

  /** A job that sends something, in all patterns there are. */
  JobSpec communicating(String id) {
    JobSpec.Builder job = timed(id);
    long bytes = of(1, 10, 100, 500) * 1_000_000L;
    int tasks = of(2, 3, 4, 6, 8, 12);
    if (oneIn(3)) {
      job.topology(TopologyConstraint.preferred("rack"));
    }
    ResourceRequest one = ResourceRequest.ofGpus(1);
    return switch (random.nextInt(8)) {
      case 0 ->
          job.role("worker", tasks, one)
              .role("ps", of(1, 2), ResourceRequest.builder().build())
              .communication(new Communication.ParameterServer("ps", "worker", bytes))
              .build();
      case 1 -> job.gpus(tasks).communication(new Communication.Pipeline(bytes)).build();
      case 2 -> job.gpus(tasks).communication(new Communication.AllToAll(bytes)).build();
      case 3 ->
          job.gpus(4 * of(1, 2, 3))
              .communication(
                  new Communication.Combined(
                      List.of(
                          new Communication.TensorParallel(4, 4 * bytes),
                          new Communication.AllReduce(bytes))))
              .build();
      case 4 ->
          job.role("worker", of(1, 2, 3), ResourceRequest.ofGpus(of(2, 4)))
              .communication(new Communication.AllReduce(bytes))
              .build();
      case 5 -> job.gpus(of(1, 2, 5)).build();
      default -> job.gpus(tasks).communication(new Communication.AllReduce(bytes)).build();
    };
  }

  /** A job of known workload that mostly may share, often a gang. */
  JobSpec sharing(String id) {
    ResourceRequest.Builder request =
        oneIn(5) ? ResourceRequest.builder().share(GpuShare.ofPercent(of(20, 40, 60))) : gpu();
    if (oneIn(2)) {
      request.gpuMemory(Memory.ofGib(of(2, 4, 7)));
    }
    JobSpec.Builder job =
        JobSpec.builder(id)
            .workload(
                Workload.builder(FAMILIES.get(random.nextInt(FAMILIES.size())))
                    .batchSize(of(8, 16, 32, 64, 128, 256))
                    .build())
            .role("worker", of(1, 1, 1, 1, 1, 2, 3, 4), request.build())
            .preemptible(!oneIn(8))
            .expectedWork(ExpectedWork.of(Duration.ofSeconds(100), 1000))
            .sharing(
                switch (random.nextInt(6)) {
                  case 0 -> new Sharing.Exclusive();
                  case 1, 2 -> new Sharing.Guaranteed(of(4, 5, 6) / 10.0);
                  default -> new Sharing.Opportunistic();
                });
    if (oneIn(4)) {
      job.communication(new Communication.AllReduce(100_000_000));
    }
    return job.build();
  }

  /** Like {@link #sharing}, on slices too. */
  JobSpec sliced(String id) {
    JobSpec.Builder job = sharing(id).toBuilder();
    if (oneIn(3)) {
      job.gpuModels(List.of(Clusters.SLICE));
    }
    return job.build();
  }

  /** A job of one of three queues, or one that runs on what is left over. */
  JobSpec queued(String id) {
    JobSpec.Builder job = timed(id).gpus(of(1, 1, 2, 3, 4, 6)).queue(any("a", "b", "c"));
    return oneIn(3) ? job.sharing(new Sharing.Opportunistic()).build() : job.build();
  }

  /** A small job, or a gang that needs whole nodes. */
  JobSpec fragmenting(String id) {
    int gpus = oneIn(4) ? of(4, 8) : of(1, 1, 1, 2);
    return timed(id)
        .role("worker", 1, ResourceRequest.ofGpus(gpus))
        .preemptible(!oneIn(10))
        .build();
  }

  private JobSpec.Builder timed(String id) {
    JobSpec.Builder job = JobSpec.builder(id).priority(random.nextInt(4)).preemptible(!oneIn(6));
    if (!oneIn(5)) {
      job.expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(1 + random.nextInt(600))));
    }
    return job;
  }

  private static ResourceRequest.Builder gpu() {
    return ResourceRequest.builder().gpus(1);
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private int of(int... values) {
    return values[random.nextInt(values.length)];
  }

  private String any(String... values) {
    return values[random.nextInt(values.length)];
  }
}
