package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterStateTest {

  private static final NodeId N0 = NodeId.of("n0");

  private final ClusterState state =
      ClusterState.of(
          ClusterTopology.builder()
              .node(
                  Node.builder("n0")
                      .gpus(2, GpuModel.of("V100"), Memory.ofGib(16))
                      .cpu(CpuCores.of(8))
                      .memory(Memory.ofGib(64))
                      .build())
              .build());

  @Test
  void whatIsAppliedIsHeldAndWhatIsReleasedIsFree() {
    ResourceRequest request =
        ResourceRequest.builder()
            .gpus(1)
            .gpuMemory(Memory.ofGib(10))
            .cpu(CpuCores.of(3))
            .memory(Memory.ofGib(20))
            .build();
    state.apply(placement("a", request, 1));

    assertThat(state.freeGpus()).isEqualTo(1);
    assertThat(state.freeGpus(N0)).isEqualTo(1);
    assertThat(state.isFree(GpuId.of("n0", 0))).isTrue();
    assertThat(state.isFree(GpuId.of("n0", 1))).isFalse();
    assertThat(state.freeCpu(N0)).isEqualTo(CpuCores.of(5));
    assertThat(state.freeMemory(N0)).isEqualTo(Memory.ofGib(44));
    assertThat(state.freeGpuMemory(GpuId.of("n0", 1))).isEqualTo(Memory.ofGib(6));
    assertThat(state.residents(GpuId.of("n0", 1)))
        .containsExactly(
            new Resident(JobId.of("a"), new TaskId("worker", 0), GpuShare.WHOLE, Memory.ofGib(10)));

    state.release(JobId.of("a"));

    assertThat(state.freeGpus()).isEqualTo(2);
    assertThat(state.freeCpu(N0)).isEqualTo(CpuCores.of(8));
    assertThat(state.residents(GpuId.of("n0", 1))).isEmpty();
    assertThat(state.placement(JobId.of("a"))).isEmpty();
  }

  @Test
  void aPlacementThatOverCommitsIsRefusedWhole() {
    state.apply(placement("a", ResourceRequest.ofGpus(1), 0));
    Placement second =
        new Placement(
            JobId.of("b"),
            List.of(
                new TaskPlacement(
                    new TaskId("worker", 0), N0, List.of(1), ResourceRequest.ofGpus(1)),
                new TaskPlacement(
                    new TaskId("worker", 1), N0, List.of(0), ResourceRequest.ofGpus(1))));

    assertThatThrownBy(() -> state.apply(second))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("worker/1 on n0[0]")
        .hasMessageContaining("job 'b'");
    assertThat(state.freeGpus()).isEqualTo(1);
    assertThat(state.runningJobs()).containsExactly(JobId.of("a"));
  }

  @Test
  void allThatANodeHasCanBeTakenAndNoMore() {
    ResourceRequest.Builder all =
        ResourceRequest.builder()
            .gpus(2)
            .gpuMemory(Memory.ofGib(16))
            .cpu(CpuCores.of(8))
            .memory(Memory.ofGib(64));
    Placement placement = placement("a", all.build(), 0, 1);

    assertThat(state.fits(placement)).isTrue();
    assertThat(fits(all.cpu(CpuCores.ofMillicores(8001)))).isFalse();
    assertThat(fits(all.cpu(CpuCores.of(8)).memory(new Memory((64L << 30) + 1)))).isFalse();
    assertThat(fits(all.memory(Memory.ofGib(64)).gpuMemory(new Memory((16L << 30) + 1)))).isFalse();
    state.apply(placement);
    assertThat(state.freeCpu(N0)).isEqualTo(CpuCores.ZERO);
    assertThat(state.freeMemory(N0)).isEqualTo(Memory.ZERO);
  }

  @Test
  void aGpuThatANodeDoesNotHaveFitsNobody() {
    ClusterState two =
        ClusterState.of(
            state
                .topology()
                .withNode(
                    Node.builder("n1").gpus(1, GpuModel.of("V100"), Memory.ofGib(16)).build(),
                    List.of()));

    assertThat(two.fits(placement("a", ResourceRequest.ofGpus(1), 1))).isTrue();
    assertThat(two.fits(placement("a", ResourceRequest.ofGpus(1), 2))).isFalse();
  }

  @Test
  void aJobIsPlacedOnce() {
    state.apply(placement("a", ResourceRequest.ofGpus(1), 0));

    assertThatThrownBy(() -> state.apply(placement("a", ResourceRequest.ofGpus(1), 1)))
        .hasMessage("job 'a' is placed already");
    assertThatThrownBy(() -> state.release(JobId.of("b"))).hasMessage("job 'b' is not placed");
  }

  @Test
  void aCopyGoesItsOwnWay() {
    ClusterState copy = state.copy();
    copy.apply(placement("a", ResourceRequest.ofGpus(1), 0));

    assertThat(state.freeGpus()).isEqualTo(2);
    assertThat(state.runningJobs()).isEmpty();
    assertThat(copy.freeGpus()).isEqualTo(1);
  }

  @Test
  void aCopyKnowsWhatReportsHaveTaught() {
    Observations taught = new Observations() {};
    state.observe(taught);

    assertThat(state.copy().observations()).isSameAs(taught);
  }

  @Test
  void theNodesAllowedToAJobAreThoseThatItDoesNotExclude() {
    ClusterTopology grown = state.topology().withNode(Node.builder("n1").build(), List.of());
    CapacityIndex index =
        ClusterState.of(grown.withNode(Node.builder("n2").label("disk", "ssd").build(), List.of()))
            .index();
    JobSpec.Builder job = JobSpec.builder("a").gpus(1);

    assertThat(index.nodesAllowedTo(job.build())).isNull();
    job.excludeNodes(List.of("n0", "gone"));
    assertThat(index.nodesAllowedTo(job.build())).isEqualTo(BitSet.valueOf(new long[] {0b110}));
    job.nodeLabel("disk", "ssd");
    assertThat(index.nodesAllowedTo(job.build())).isEqualTo(BitSet.valueOf(new long[] {0b100}));
    job.excludeNodes(List.of("n2"));
    assertThat(index.nodesAllowedTo(job.build())).isEqualTo(new BitSet());
  }

  @Test
  void aLostGpuStaysLostWhenItsJobIsReleased() {
    state.apply(placement("a", ResourceRequest.ofGpus(1), 0));
    state.fail(GpuId.of("n0", 0));
    state.release(JobId.of("a"));

    assertThat(state.freeGpus()).isEqualTo(1);
    state.restore(GpuId.of("n0", 0));
    assertThat(state.freeGpus()).isEqualTo(2);
  }

  @Test
  void aSuspendedJobHoldsNothingAndKeepsItsPlace() {
    ResourceRequest half =
        ResourceRequest.builder().share(GpuShare.ofPercent(50)).cpu(CpuCores.of(2)).build();
    state.apply(placement("a", half, 0));
    state.apply(placement("b", half, 0));
    List<Resident> before = state.residents(GpuId.of("n0", 0));
    state.setHealth(N0, NodeHealth.DRAINING);

    state.trials().suspend(JobId.of("a"));

    assertThat(state.runningJobs()).containsExactly(JobId.of("b"));
    assertThat(state.placement(JobId.of("a"))).isEmpty();
    assertThat(state.residents(GpuId.of("n0", 0))).containsExactly(before.get(1));
    assertThat(state.freeShare(GpuId.of("n0", 0))).isEqualTo(500);
    assertThat(state.freeCpu(N0)).isEqualTo(CpuCores.of(6));
    assertThat(state.copy().runningJobs()).containsExactly(JobId.of("b"));

    state.trials().resume(JobId.of("a"));

    assertThat(state.runningJobs()).containsExactly(JobId.of("a"), JobId.of("b"));
    assertThat(state.residents(GpuId.of("n0", 0))).isEqualTo(before);
    assertThat(state.freeCpu(N0)).isEqualTo(CpuCores.of(4));
  }

  @Test
  void tasksSideBySideAreFreedTogetherAndComeBackAsTheyWere() {
    ResourceRequest half =
        ResourceRequest.builder()
            .share(GpuShare.ofPercent(50))
            .gpuMemory(Memory.ofGib(3))
            .cpu(CpuCores.of(2))
            .memory(Memory.ofGib(10))
            .build();
    ResourceRequest less =
        ResourceRequest.builder().share(GpuShare.ofPercent(50)).gpuMemory(Memory.ofGib(1)).build();
    ResourceRequest quarter =
        ResourceRequest.builder().share(GpuShare.ofPercent(25)).gpuMemory(Memory.ofGib(1)).build();
    state.apply(
        new Placement(
            JobId.of("a"),
            List.of(
                new TaskPlacement(new TaskId("actor", 0), N0, List.of(0), half),
                new TaskPlacement(new TaskId("actor", 1), N0, List.of(1), half),
                new TaskPlacement(new TaskId("critic", 0), N0, List.of(1), less),
                new TaskPlacement(new TaskId("judge", 0), N0, List.of(0), quarter))));
    assertThat(free()).isEqualTo("4 cores, 44 GiB, GPUs 250 with 12 GiB, 0 with 12 GiB");

    state.trials().suspend(JobId.of("a"));
    assertThat(free()).isEqualTo("8 cores, 64 GiB, GPUs 1000 with 16 GiB, 1000 with 16 GiB");

    state.trials().resume(JobId.of("a"));
    assertThat(free()).isEqualTo("4 cores, 44 GiB, GPUs 250 with 12 GiB, 0 with 12 GiB");
  }

  private String free() {
    GpuId first = GpuId.of("n0", 0);
    GpuId second = GpuId.of("n0", 1);
    return "%d cores, %d GiB, GPUs %d with %d GiB, %d with %d GiB"
        .formatted(
            state.freeCpu(N0).millicores() / 1000,
            state.freeMemory(N0).bytes() >> 30,
            state.freeShare(first),
            state.freeGpuMemory(first).bytes() >> 30,
            state.freeShare(second),
            state.freeGpuMemory(second).bytes() >> 30);
  }

  @Test
  void nothingChangesWhileAJobIsSuspended() {
    state.apply(placement("a", ResourceRequest.ofGpus(1), 0));
    state.trials().suspend(JobId.of("a"));

    assertThatThrownBy(() -> state.apply(placement("b", ResourceRequest.ofGpus(1), 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("nothing may change while jobs are suspended: [a]");
    assertThatThrownBy(() -> state.release(JobId.of("a")))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> state.changeTopology(state.topology()))
        .hasMessage("nothing may change while jobs are suspended: [a]");
    assertThatThrownBy(() -> state.trials().suspend(JobId.of("a")))
        .hasMessage("job 'a' is not placed, or is suspended already");
    assertThatThrownBy(() -> state.trials().resume(JobId.of("b")))
        .hasMessage("job 'b' is not suspended");
  }

  @Test
  void whatRunsAndWhatIsLostStaysWhenANodeComesBeforeIt() {
    Node.Builder two = Node.builder("n0").gpus(2, GpuModel.of("V100"), Memory.ofGib(16));
    ClusterTopology racks =
        ClusterTopology.builder()
            .levels("rack")
            .domain(Domain.of("rack", "r0"))
            .domain(Domain.of("rack", "r1"))
            .node(two.domain("r1").build())
            .build();
    ClusterState growing = ClusterState.of(racks);
    ResourceRequest half = ResourceRequest.builder().share(GpuShare.ofPercent(50)).build();
    growing.apply(JobSpec.builder("a").role("worker", 1, half).build(), placement("a", half, 0));
    growing.fail(GpuId.of("n0", 1));
    growing.setHealth(N0, NodeHealth.DRAINING);
    List<Resident> before = growing.residents(GpuId.of("n0", 0));

    Node added =
        Node.builder("n1").gpus(3, GpuModel.of("V100"), Memory.ofGib(16)).domain("r0").build();
    growing.changeTopology(racks.withNode(added, List.of()));

    assertThat(growing.topology().position(N0)).isEqualTo(1);
    assertThat(growing.residents(GpuId.of("n0", 0))).isEqualTo(before);
    assertThat(growing.isLost(GpuId.of("n0", 1))).isTrue();
    assertThat(growing.health(N0)).isEqualTo(NodeHealth.DRAINING);
    assertThat(growing.freeGpus()).isEqualTo(3);
    assertThat(growing.job(JobId.of("a"))).isPresent();
    growing.release(JobId.of("a"));
    growing.changeTopology(growing.topology().withoutNode(N0));
    assertThat(growing.freeGpus()).isEqualTo(3);
  }

  @Test
  void aNodeInUseCannotLeave() {
    ClusterTopology grown = state.topology().withNode(Node.builder("n1").build(), List.of());
    state.apply(placement("a", ResourceRequest.ofGpus(1), 0));

    ClusterTopology without = grown.withoutNode(N0);

    assertThatThrownBy(() -> state.changeTopology(without))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a node must be empty before it goes, but job 'a' runs on 'n0'");
    assertThat(state.runningJobs()).containsExactly(JobId.of("a"));
  }

  private boolean fits(ResourceRequest.Builder request) {
    return state.fits(placement("a", request.build(), 0, 1));
  }

  private static Placement placement(String job, ResourceRequest request, Integer... gpus) {
    return new Placement(
        JobId.of(job),
        List.of(new TaskPlacement(new TaskId("worker", 0), N0, List.of(gpus), request)));
  }

  @Test
  void aRenumberedTaskWithoutGpusStaysOnADrainingNode() {
    ResourceRequest cores = ResourceRequest.builder().cpu(CpuCores.of(2)).build();
    JobSpec job = JobSpec.builder("a").role(new TaskRole("part", 2, cores).atLeast(1)).build();
    ClusterState two =
        ClusterState.of(
            ClusterTopology.builder()
                .node(Node.builder("n0").cpu(CpuCores.of(2)).build())
                .node(Node.builder("n1").cpu(CpuCores.of(2)).build())
                .build());
    TaskPlacement onN1 =
        new TaskPlacement(new TaskId("part", 1), NodeId.of("n1"), List.of(), cores);
    two.apply(
        job,
        new Placement(
            job.id(),
            List.of(new TaskPlacement(new TaskId("part", 0), N0, List.of(), cores), onN1)));
    two.setHealth(NodeId.of("n1"), NodeHealth.DRAINING);

    two.resize(
        job,
        new Placement(
            job.id(),
            List.of(new TaskPlacement(new TaskId("part", 0), onN1.node(), List.of(), cores))));

    assertThat(two.freeCpu(N0)).isEqualTo(CpuCores.of(2));
    assertThat(two.freeCpu(onN1.node())).isEqualTo(CpuCores.ZERO);
  }

  @Test
  void aTaskThatComesGetsNothingOfWhatAnotherKeeps() {
    ResourceRequest fiveCores = ResourceRequest.builder().gpus(1).cpu(CpuCores.of(5)).build();
    JobSpec job =
        JobSpec.builder("a").role(new TaskRole("worker", 2, fiveCores).atLeast(1)).build();
    Placement alone = placement("a", fiveCores, 0);
    state.apply(job, alone);
    TaskPlacement comes = new TaskPlacement(new TaskId("worker", 0), N0, List.of(1), fiveCores);
    TaskPlacement stays = new TaskPlacement(new TaskId("worker", 1), N0, List.of(0), fiveCores);

    assertThatIllegalStateException()
        .isThrownBy(() -> state.resize(job, new Placement(job.id(), List.of(comes, stays))))
        .withMessageContaining("must fit where it is placed");

    assertThat(state.placement(job.id())).hasValue(alone);
    assertThat(state.freeCpu(N0)).isEqualTo(CpuCores.of(3));
  }
}
