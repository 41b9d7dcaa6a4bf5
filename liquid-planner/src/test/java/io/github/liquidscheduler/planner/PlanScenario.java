package io.github.liquidscheduler.planner;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.planner.cost.CostTerms;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Random small clusters, some of them busy, and random jobs of every shape, all drawn from choices.
 */
final class PlanScenario {

  static final List<GpuModel> MODELS = List.of(GpuModel.of("V100"), GpuModel.of("A100"));
  private static final List<String> LEVELS = List.of("zone", "rack", "node");

  final ClusterState state;
  final List<JobSpec> running = new ArrayList<>();
  final List<JobSpec> pending = new ArrayList<>();
  private final Random random;

  PlanScenario(long seed) {
    this(Choices.of(seed));
  }

  PlanScenario(Choices choices) {
    random = choices.random();
    state = ClusterState.of(topology());
    for (int i = 0; i < random.nextInt(6); i++) {
      JobSpec resident = job("running-" + i);
      BestFitPlacer.bestFit()
          .place(state, resident)
          .ifPresent(
              placement -> {
                state.apply(resident, placement);
                running.add(resident);
              });
    }
    for (Node node : state.topology().nodes()) {
      if (random.nextInt(10) == 0) {
        state.setHealth(node.id(), random.nextBoolean() ? NodeHealth.LOST : NodeHealth.DRAINING);
      }
    }
    for (int i = 0; i < 1 + random.nextInt(10); i++) {
      pending.add(job("job-" + i));
    }
  }

  /** Returns a request whose number says what plans cost. */
  PlanRequest request() {
    return request(400);
  }

  /** Returns such a request, to be answered after so many steps. */
  PlanRequest request(long steps) {
    PlanOptions options =
        PlanOptions.builder().seed(random.nextInt(100)).boundRounds(50).steps(steps).build();
    return request(options).toBuilder().number(random.nextInt(4)).build();
  }

  /** Returns a request in which about half of the running jobs may move. */
  private PlanRequest request(PlanOptions options) {
    PlanRequest.Builder request = PlanRequest.builder(state).pending(pending).options(options);
    for (int i = 0; i < running.size(); i++) {
      if (i % 2 == 0) {
        request.movable(running.get(i), 0.001 * i);
      } else {
        request.running(running.get(i));
      }
    }
    return request.build();
  }

  /** Returns what plans of a request cost, by its number. */
  static PlanCost cost(PlanRequest request) {
    PlanCost tiers =
        PlanCost.of(CostTerms.pairTiers(PlanScenario::traffic, PlanScenario::intensity));
    PlanCost predicted = PlanCost.physical().withInterference(new ByFamily(), 2);
    return List.of(tiers, tiers.withFragmentation(2), PlanCost.physical(), predicted)
        .get((int) request.number());
  }

  static long traffic(JobSpec job) {
    return 1L + Math.floorMod(job.id().value().hashCode(), 4);
  }

  static long intensity(JobSpec job) {
    return Math.floorMod(job.id().value().hashCode() / 5, 5);
  }

  private JobSpec job(String id) {
    JobSpec.Builder job = JobSpec.builder(id).priority(random.nextInt(3));
    job.workload(Workload.builder(pick(List.of("a", "bb", "ccc"))).build());
    job.role("worker", 1 + random.nextInt(6), resources());
    job.communication(new Communication.AllReduce(100_000_000L * random.nextInt(10)));
    if (random.nextInt(4) == 0) {
      TaskRole servers =
          new TaskRole(
              "server",
              1 + random.nextInt(2),
              ResourceRequest.builder().gpus(random.nextInt(2)).build());
      job.role(random.nextInt(3) == 0 ? servers.on(Map.of("disk", "ssd")) : servers);
      job.communication(new Communication.ParameterServer("server", "worker", 100_000_000L));
    }
    if (random.nextInt(3) == 0) {
      job.gpuModels(random.nextBoolean() ? MODELS : MODELS.subList(1, 2));
    }
    if (random.nextInt(6) == 0) {
      job.nodeLabel("disk", "ssd");
    }
    return job.topology(constraint()).build();
  }

  private ResourceRequest resources() {
    ResourceRequest.Builder request =
        ResourceRequest.builder().gpus(random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(3));
    if (random.nextInt(3) == 0) {
      request.cpu(CpuCores.of(1 + random.nextInt(6)));
    }
    if (random.nextInt(3) == 0) {
      request.memory(Memory.ofGib(1 + random.nextInt(40)));
    }
    if (random.nextInt(4) == 0) {
      request.gpuMemory(Memory.ofGib(8 + 8 * random.nextInt(4)));
    }
    if (random.nextInt(12) == 0) {
      request.share(new GpuShare(500));
    }
    return request.build();
  }

  private TopologyConstraint constraint() {
    TopologyConstraint constraint =
        switch (random.nextInt(6)) {
          case 0 -> TopologyConstraint.required(pick(LEVELS));
          case 1 -> TopologyConstraint.preferred(pick(LEVELS));
          case 2 -> TopologyConstraint.required("zone").andPreferred("rack");
          default -> TopologyConstraint.NONE;
        };
    return switch (random.nextInt(16)) {
      case 0 -> constraint.andSlices(2, pick(LEVELS));
      case 1 -> constraint.andSpread(2, pick(LEVELS));
      default -> constraint;
    };
  }

  private ClusterTopology topology() {
    ClusterTopology.Builder builder = ClusterTopology.builder().levels("zone", "rack");
    List<String> parents = new ArrayList<>();
    for (int zone = 0; zone < 1 + random.nextInt(2); zone++) {
      builder.domain(Domain.of("zone", "z" + zone).withUplink(link()));
      for (int rack = 0; rack < 1 + random.nextInt(3); rack++) {
        String id = "z" + zone + "r" + rack;
        builder.domain(Domain.of("rack", id).in("z" + zone).withUplink(link()));
        parents.add(id);
      }
      parents.add("z" + zone);
    }
    int nodes = 1 + random.nextInt(10);
    for (int n = 0; n < nodes; n++) {
      Node.Builder node =
          Node.builder("n" + n)
              .gpus(random.nextInt(5), pick(MODELS), Memory.ofGib(random.nextBoolean() ? 16 : 32))
              .cpu(CpuCores.of(4 + random.nextInt(12)))
              .memory(Memory.ofGib(16 + random.nextInt(64)))
              .nic(link())
              .nvlink(Bandwidth.ofGigabytesPerSecond(10 + random.nextInt(300)));
      if (random.nextInt(6) == 0) {
        node.gpus(1 + random.nextInt(2), pick(MODELS), Memory.ofGib(24));
      }
      if (random.nextInt(8) > 0) {
        node.domain(pick(parents));
      }
      if (random.nextInt(3) == 0) {
        node.label("disk", "ssd");
      }
      builder.node(node.build());
    }
    return builder.build();
  }

  private Link link() {
    return random.nextInt(4) == 0
        ? Link.UNLIMITED
        : new Link(
            Bandwidth.ofGigabitsPerSecond(pick(List.of(10, 25, 100))),
            Duration.ofNanos(random.nextInt(10_000)));
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  /** Says that long names slow each other down. */
  static final class ByFamily implements InterferencePredictor {
    @Override
    public Prediction retainedSpeed(ColocationQuery colocation) {
      int length = colocation.victim().workload().family().length();
      for (ColocationProfile other : colocation.coRunners()) {
        length += other.workload().family().length();
      }
      return Prediction.certain(1 - length / 10.0, Provenance.MEASURED);
    }
  }
}
