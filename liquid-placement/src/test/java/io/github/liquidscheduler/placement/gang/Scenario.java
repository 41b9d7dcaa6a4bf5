package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.ColocationPlacer;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random small clusters, some of them busy, and random jobs, all from one seed. */
public final class Scenario {

  static final List<GpuModel> MODELS = List.of(GpuModel.of("V100"), GpuModel.of("A100"));

  private final Random random;
  public final ClusterState state;

  public Scenario(long seed) {
    random = new Random(seed);
    state = ClusterState.of(topology());
    Placer placer = ColocationPlacer.builder(new AnyCoRunner()).build();
    for (int i = 0; i < random.nextInt(12); i++) {
      JobSpec resident = job("resident-" + i);
      placer.place(state, resident).ifPresent(placement -> state.apply(resident, placement));
    }
    for (Node node : state.topology().nodes()) {
      if (random.nextInt(10) == 0) {
        state.setHealth(node.id(), random.nextBoolean() ? NodeHealth.LOST : NodeHealth.DRAINING);
      }
    }
  }

  /** Returns a random job of one role with whole GPUs. */
  public JobSpec job(String id) {
    ResourceRequest.Builder request = ResourceRequest.builder().gpus(random.nextInt(5));
    if (random.nextInt(3) == 0) {
      request.cpu(CpuCores.of(1 + random.nextInt(6)));
    }
    if (random.nextInt(3) == 0) {
      request.memory(Memory.ofGib(1 + random.nextInt(40)));
    }
    if (random.nextInt(4) == 0) {
      request.gpuMemory(Memory.ofGib(8 + 8 * random.nextInt(4)));
    }
    JobSpec.Builder job =
        JobSpec.builder(id).role("worker", 1 + random.nextInt(8), request.build());
    if (random.nextInt(3) == 0) {
      job.gpuModels(random.nextBoolean() ? MODELS : MODELS.subList(1, 2));
    }
    if (random.nextInt(3) == 0) {
      job.topology(TopologyConstraint.required(pick(List.of("zone", "rack", "node"))));
    }
    if (random.nextInt(6) == 0) {
      job.nodeLabel("disk", "ssd");
    }
    if (random.nextInt(2) == 0) {
      job.communication(new Communication.AllReduce(100_000_000L * random.nextInt(10)));
    }
    job.sharing(
        pick(
            List.of(
                new Sharing.Exclusive(),
                new Sharing.Exclusive(),
                new Sharing.Opportunistic(),
                new Sharing.Guaranteed(0.5))));
    JobSpec plain = job.build();
    TopologyConstraint topology = plain.topology();
    int tasks = plain.tasks();
    if (random.nextInt(4) == 0) {
      String level = pick(List.of("zone", "rack", "node"));
      int slice = tasks % 3 == 0 ? 3 : tasks % 2 == 0 ? 2 : 1;
      return plain.toBuilder().topology(topology.andSlices(slice, level)).build();
    }
    if (random.nextInt(4) == 0) {
      String level = pick(List.of("zone", "rack", "node"));
      return plain.toBuilder().topology(topology.andSpread(1 + random.nextInt(4), level)).build();
    }
    return plain;
  }

  private ClusterTopology topology() {
    ClusterTopology.Builder builder = ClusterTopology.builder().levels("zone", "rack");
    List<String> parents = new ArrayList<>();
    for (int zone = 0; zone < 1 + random.nextInt(2); zone++) {
      builder.domain(Domain.of("zone", "z" + zone));
      for (int rack = 0; rack < 1 + random.nextInt(3); rack++) {
        String id = "z" + zone + "r" + rack;
        builder.domain(Domain.of("rack", id).in("z" + zone));
        parents.add(id);
      }
      parents.add("z" + zone);
    }
    int nodes = 1 + random.nextInt(14);
    for (int n = 0; n < nodes; n++) {
      Node.Builder node =
          Node.builder("n" + n)
              .gpus(random.nextInt(5), pick(MODELS), Memory.ofGib(random.nextBoolean() ? 16 : 32))
              .cpu(CpuCores.of(4 + random.nextInt(12)))
              .memory(Memory.ofGib(16 + random.nextInt(64)))
              .nic(Link.of(Bandwidth.ofGigabitsPerSecond(10 + random.nextInt(90))));
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

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
