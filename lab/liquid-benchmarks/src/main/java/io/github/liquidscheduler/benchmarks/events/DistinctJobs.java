package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** A cluster, and jobs for it of which no two ask for the same. */
final class DistinctJobs {

  private static final int GPUS = 8;
  private static final int NODES_OF_RACK = 25;
  private static final int NODES_OF_POD = 200;
  private static final List<GpuModel> MODELS = List.of(GpuModel.of("A100"), GpuModel.of("V100"));
  private static final int[] TASKS = {1, 1, 1, 2, 2, 4, 8, 16, 32, 64};

  private final Random random;
  private int made;

  DistinctJobs(long seed) {
    random = new Random(seed);
  }

  static ClusterTopology cluster(int nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("pod", "rack");
    for (int n = 0; n < nodes; n++) {
      String pod = "p" + n / NODES_OF_POD;
      String rack = "r" + n / NODES_OF_RACK;
      if (n % NODES_OF_POD == 0) {
        cluster.domain(Domain.of("pod", pod));
      }
      if (n % NODES_OF_RACK == 0) {
        cluster.domain(Domain.of("rack", rack).in(pod));
      }
      cluster.node(node("n" + n, rack, n / NODES_OF_RACK % 4 == 0 ? 1 : 0, n));
    }
    return cluster.build();
  }

  private static Node node(String id, String rack, int model, int number) {
    return Node.builder(id)
        .gpus(GPUS, MODELS.get(model), Memory.ofGib(model == 0 ? 80 : 16))
        .cpu(CpuCores.of(96))
        .memory(Memory.ofGib(1536))
        .label("disk", number % 2 == 0 ? "ssd" : "hdd")
        .label("zone", "z" + number % 4)
        .domain(rack)
        .build();
  }

  int anyOf(int bound) {
    return random.nextInt(bound);
  }

  /** Returns the next job, of a name of its own. */
  JobSpec next() {
    return next("job-" + made);
  }

  /** Returns a job of this name that asks for what no other does. */
  JobSpec next(String id) {
    made++;
    JobSpec.Builder job = named(id);
    switch (random.nextInt(8)) {
      case 0 -> job.role("worker", 1 + random.nextInt(3), share());
      case 1 -> serversAndWorkers(job);
      case 2 -> job.role("worker", 1, asks(1, 30 + random.nextInt(60), 100));
      case 3 -> job.role("worker", 1, asks(4, 8, 500 + random.nextInt(900)));
      case 4 -> job.role("worker", 1 + random.nextInt(8), asks(0, 10 + random.nextInt(50), 50));
      default -> gang(job);
    }
    constrain(job);
    return job.build();
  }

  /**
   * Returns a small job, of one of a few hundred shapes: most have one GPU, some a part, or none.
   */
  JobSpec small() {
    int cores = 1 + random.nextInt(8);
    ResourceRequest.Builder request =
        ResourceRequest.builder().cpu(CpuCores.of(cores)).memory(Memory.ofGib(8L * cores));
    switch (random.nextInt(10)) {
      case 0 -> request.gpus(0);
      case 1 -> request.gpus(1).share(GpuShare.ofThousandths(500));
      case 2 -> request.gpus(1 << (1 + random.nextInt(3)));
      default -> request.gpus(1);
    }
    return named("job-" + made++).role("worker", 1, request.build()).build();
  }

  /** Returns a job of whole GPUs that asks for nothing else, so that it fills what is left over. */
  JobSpec filler(int gpus) {
    return named("filler-" + made++).role("worker", 1, ResourceRequest.ofGpus(gpus)).build();
  }

  private JobSpec.Builder named(String id) {
    return JobSpec.builder(id)
        .priority(random.nextInt(10))
        .preemptible(random.nextInt(10) > 0)
        .expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(600 + random.nextInt(86_400))));
  }

  private ResourceRequest share() {
    return asks(1, 1 + random.nextInt(8), 4 + random.nextInt(60)).toBuilder()
        .share(GpuShare.ofThousandths(250 * (1 + random.nextInt(3))))
        .build();
  }

  private void serversAndWorkers(JobSpec.Builder job) {
    job.role("ps", 1 + random.nextInt(4), asks(0, 4 + random.nextInt(30), 16))
        .role("worker", 1 + random.nextInt(16), asks(1 + random.nextInt(2), 4, 32))
        .communication(new Communication.ParameterServer("ps", "worker", 100_000_000L));
  }

  private void gang(JobSpec.Builder job) {
    int gpus = 1 << random.nextInt(4);
    job.role(
            "worker",
            TASKS[random.nextInt(TASKS.length)],
            asks(gpus, gpus * (1 + random.nextInt(10)), gpus * (8 + random.nextInt(150))))
        .communication(new Communication.AllReduce(400_000_000L));
  }

  private ResourceRequest asks(int gpus, int cores, int gib) {
    return ResourceRequest.builder()
        .gpus(gpus)
        .cpu(CpuCores.ofMillicores(1000L * cores + random.nextInt(1000)))
        .memory(Memory.ofBytes(((long) gib << 30) + random.nextInt(1 << 30)))
        .build();
  }

  private void constrain(JobSpec.Builder job) {
    if (random.nextInt(3) == 0) {
      job.nodeLabel("disk", random.nextBoolean() ? "ssd" : "hdd");
    }
    if (random.nextInt(6) == 0) {
      job.nodeLabel("zone", "z" + random.nextInt(4));
    }
    if (random.nextInt(5) == 0) {
      job.gpuModels(List.of(MODELS.get(random.nextInt(2))));
    }
    switch (random.nextInt(10)) {
      case 0, 1 -> job.topology(TopologyConstraint.required("rack"));
      case 2 -> job.topology(TopologyConstraint.required("pod"));
      case 3 -> job.topology(TopologyConstraint.preferred("rack"));
      default -> {}
    }
  }
}
