package io.github.liquidscheduler.placement.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What is kept of jobs by their ranks is what counting them would give. */
class CapacityByRankLaws {

  private static final int GPUS = 4;

  /** A job on one node. */
  private record Held(long rank, int node, int gpu, boolean isShare, int cores) {

    NodeSet in(ClusterTopology cluster) {
      ResourceRequest.Builder request =
          ResourceRequest.builder().gpus(1).cpu(CpuCores.of(cores)).memory(Memory.ofGib(cores));
      ResourceRequest asked =
          isShare ? request.share(GpuShare.ofThousandths(250)).build() : request.build();
      NodeId id = NodeId.of("n" + node);
      return new NodeSet(
          new Placement(
              JobId.of("job"),
              List.of(new TaskPlacement(new TaskId("worker", 0), id, List.of(gpu), asked))),
          cluster);
    }
  }

  @Property(tries = 200)
  void jobsAreSummedUpAboveEachRank(
      @ForAll("jobs") List<Held> jobs, @ForAll("ranks") long asked, @ForAll boolean grows) {
    ClusterTopology before = cluster(0, 1, 2);
    CapacityByRank capacity = new CapacityByRank(before);
    List<Held> there = new ArrayList<>();
    for (Held job : jobs) {
      if (there.remove(job)) {
        capacity.remove(job.rank(), job.in(before));
      } else {
        there.add(job);
        capacity.add(job.rank(), job.in(before));
      }
    }
    ClusterTopology now = grows ? cluster(3, 0, 2, 1) : before;
    ClusterState state = fullOf(now);
    ClusterCapacity counted = new ClusterCapacity(state.index());
    there.stream().filter(job -> job.rank() > asked).forEach(job -> counted.add(job.in(now)));

    CapacityByRank kept = grows ? capacity.in(now) : capacity;

    assertThat(kept.isKept()).isTrue();
    for (JobSpec job : questions()) {
      assertThat(kept.above(asked, state.index()).lack(job)).isEqualTo(counted.lack(job));
    }
  }

  @Example
  void ofJobsOfVeryManyRanksNothingIsKept() {
    ClusterTopology cluster = cluster(0);
    CapacityByRank capacity = new CapacityByRank(cluster);
    NodeSet held = new Held(0, 0, 0, true, 1).in(cluster);

    IntStream.range(0, 16).forEach(rank -> capacity.add(rank, held));
    assertThat(capacity.isKept()).isTrue();
    capacity.add(16, held);

    assertThat(capacity.isKept()).isFalse();
    capacity.remove(16, held);
    assertThat(capacity.in(cluster).isKept()).isFalse();
  }

  @Provide
  Arbitrary<List<Held>> jobs() {
    return Combinators.combine(
            ranks(),
            Arbitraries.integers().between(0, 2),
            Arbitraries.integers().between(0, GPUS - 1),
            Arbitraries.of(true, false),
            Arbitraries.integers().between(1, 2))
        .as(Held::new)
        .list()
        .ofMaxSize(30);
  }

  @Provide
  Arbitrary<Long> ranks() {
    return Arbitraries.longs().between(0, 4);
  }

  private static List<JobSpec> questions() {
    List<JobSpec> jobs = new ArrayList<>();
    for (int n = 1; n <= 6; n++) {
      jobs.add(JobSpec.builder("gang").role("worker", n, ResourceRequest.ofGpus(1)).build());
      jobs.add(JobSpec.builder("one").gpus(n).build());
      ResourceRequest quarter =
          ResourceRequest.builder().gpus(1).share(GpuShare.ofThousandths(250)).build();
      jobs.add(JobSpec.builder("shares").role("worker", n, quarter).build());
      ResourceRequest cores = ResourceRequest.builder().cpu(CpuCores.of(n)).build();
      jobs.add(JobSpec.builder("cores").role("worker", 3, cores).build());
    }
    return jobs;
  }

  /** Returns a cluster on which nothing is free. */
  private static ClusterState fullOf(ClusterTopology topology) {
    ClusterState state = ClusterState.of(topology);
    for (Node node : topology.nodes()) {
      JobSpec all = JobSpec.builder("all-" + node.id()).role("worker", 1, everything()).build();
      List<Integer> gpus = IntStream.range(0, GPUS).boxed().toList();
      state.apply(
          all,
          new Placement(
              all.id(),
              List.of(new TaskPlacement(new TaskId("worker", 0), node.id(), gpus, everything()))));
    }
    return state;
  }

  private static ResourceRequest everything() {
    return ResourceRequest.builder()
        .gpus(GPUS)
        .cpu(CpuCores.of(64))
        .memory(Memory.ofGib(64))
        .build();
  }

  private static ClusterTopology cluster(int... nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node : nodes) {
      cluster.node(
          Node.builder("n" + node)
              .gpus(GPUS, GpuModel.of("V100"), Memory.ofGib(16))
              .cpu(CpuCores.of(64))
              .memory(Memory.ofGib(64))
              .build());
    }
    return cluster.build();
  }
}
