package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.KnownLoads;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.placement.colocation.SharingTrigger;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/** A random small cluster in which random jobs come and go. */
public final class RandomCluster {

  private static final List<GpuModel> MODELS = List.of(GpuModel.of("V100"), GpuModel.of("A100"));

  private final Random random;

  private final String prefix;
  final Map<JobId, JobSpec> jobs = new LinkedHashMap<>();
  public final ClusterState state;
  public final SharingMode mode;
  public final KnownLoads predictor;
  public final ColocationPlacer placer;

  public RandomCluster(long seed) {
    this(new Random(seed), "");
  }

  /** Makes the cluster that a source draws. */
  public RandomCluster(Random random) {
    this(random, "");
  }

  /** Makes the cluster that a source draws, with a prefix of all names of jobs. */
  RandomCluster(Random random, String prefix) {
    this.random = random;
    this.prefix = prefix;
    state = ClusterState.of(topology());
    mode = new SharingMode.TimeSlicing(1 + random.nextInt(4));
    predictor = new KnownLoads(random.nextInt(3) * 0.1);
    placer =
        new ColocationPlacer(
            Colocation.builder(PredictedSlowdownRule.of(predictor))
                .profiles(KnownLoads::profile)
                .mode(mode)
                .trigger(
                    random.nextBoolean() ? SharingTrigger.always() : SharingTrigger.onlyWhenFull())
                .build());
    for (int i = 0; i < 30; i++) {
      if (random.nextInt(5) == 0 && !jobs.isEmpty()) {
        JobId gone = jobs.keySet().iterator().next();
        jobs.remove(gone);
        state.release(gone);
      }
      start(job("resident-" + i));
    }
  }

  /** Starts the job if there is a place for it. */
  public Optional<Placement> start(JobSpec job) {
    Optional<Placement> place = placer.place(state, job);
    place.ifPresent(
        found -> {
          state.apply(job, found);
          jobs.put(job.id(), job);
        });
    return place;
  }

  /** Returns random jobs that are not there. */
  public List<JobSpec> candidateJobs(int count) {
    return IntStream.range(0, count).mapToObj(number -> job("new-" + number)).toList();
  }

  /** Returns a random job. */
  JobSpec job(String id) {
    ResourceRequest.Builder request = ResourceRequest.builder();
    if (random.nextInt(5) == 0) {
      request.share(GpuShare.ofPercent(10 + random.nextInt(90)));
    } else {
      request.gpus(1);
    }
    if (random.nextBoolean()) {
      request.gpuMemory(Memory.ofGib(1 + random.nextInt(16)));
    }
    if (random.nextInt(4) == 0) {
      request.cpu(CpuCores.of(1 + random.nextInt(3)));
    }
    JobSpec.Builder job =
        JobSpec.builder(prefix + id)
            .workload(Workload.builder("u" + 10 * (1 + random.nextInt(9))).build())
            .role("worker", random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(5), request.build())
            .sharing(sharing());
    if (random.nextInt(4) == 0) {
      job.gpuModels(List.of(MODELS.get(random.nextInt(2))));
    }
    if (random.nextInt(5) == 0) {
      job.topology(TopologyConstraint.required("node"));
    }
    if (random.nextBoolean()) {
      job.communication(new Communication.AllReduce(100_000_000));
    }
    return job.build();
  }

  private Sharing sharing() {
    return switch (random.nextInt(4)) {
      case 0 -> new Sharing.Exclusive();
      case 1 -> new Sharing.Guaranteed(0.5 + 0.1 * random.nextInt(5));
      default -> new Sharing.Opportunistic();
    };
  }

  private ClusterTopology topology() {
    ClusterTopology.Builder topology = ClusterTopology.builder();
    for (int n = 0; n < 1 + random.nextInt(5); n++) {
      topology.node(
          Node.builder("n" + n)
              .gpus(
                  1 + random.nextInt(4),
                  MODELS.get(random.nextInt(2)),
                  Memory.ofGib(random.nextBoolean() ? 16 : 32))
              .cpu(CpuCores.of(2 + random.nextInt(16)))
              .build());
    }
    return topology.build();
  }
}
