package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.testkit.PlainCluster;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a state knows besides who runs where, and what it learns of a view that is not one. */
class ForeignViewTest {

  private static final NodeId N0 = NodeId.of("n0");
  private static final NodeId N1 = NodeId.of("n1");
  private static final Dataset IMAGENET = new Dataset("imagenet", Memory.ofGib(150));

  private final ClusterTopology twoNodes =
      ClusterTopology.builder()
          .node(Node.builder("n0").gpus(2, GpuModel.of("V100"), Memory.ofGib(16)).build())
          .node(Node.builder("n1").gpus(2, GpuModel.of("V100"), Memory.ofGib(16)).build())
          .build();

  private final Observations taught = new Observations() {};

  @Test
  void aStateIsUsedAsItIsAndAnyOtherViewIsCopied() {
    ClusterState state = ClusterState.of(twoNodes);
    PlainCluster plain = PlainCluster.of(twoNodes);
    plain.setHealth(N1, NodeHealth.DRAINING);

    assertThat(ClusterState.of((ClusterView) state)).isSameAs(state);
    assertThat(ClusterState.of(plain).freeGpus()).isEqualTo(2);
  }

  @Test
  void aCopyOfAnotherViewKnowsWhatReportsHaveTaught() {
    ClusterState copy = ClusterState.copyOf(new Knowing(PlainCluster.of(twoNodes), N1, taught));

    assertThat(copy.observations()).isSameAs(taught);
  }

  @Test
  void aCopyOfAnotherViewKnowsWhichNodesHaveADataset() {
    ClusterState copy = ClusterState.copyOf(new Knowing(PlainCluster.of(twoNodes), N1, taught));

    assertThat(copy.holds(N0, IMAGENET)).isFalse();
    assertThat(copy.holds(N1, IMAGENET)).isTrue();
  }

  @Test
  void noNodeHasADatasetUntilSomebodyKnowsBetter() {
    ClusterState state = ClusterState.of(twoNodes);
    assertThat(state.holds(N0, IMAGENET)).isFalse();

    state.knowCopies((node, dataset) -> node.equals(N0) && dataset.equals(IMAGENET));

    assertThat(state.holds(N0, IMAGENET)).isTrue();
    assertThat(state.holds(N1, IMAGENET)).isFalse();
    assertThat(state.copy().holds(N0, IMAGENET)).isTrue();
  }

  @Test
  void anIdleClusterHasTheSameNetworkAndNobodyOnIt() {
    NetworkParameters slow = NetworkParameters.builder().linkEfficiency(0.5).build();
    ClusterState state = ClusterState.of(twoNodes, slow);
    state.setHealth(N0, NodeHealth.LOST);

    ClusterState idle = state.idle();

    assertThat(idle.topology()).isSameAs(state.topology());
    assertThat(idle.freeGpus()).isEqualTo(4);
    assertThat(idle.loads().model().parameters()).isSameAs(slow);
  }

  /** A view that shows what another does, one node of which has every data set. */
  private record Knowing(ClusterView shown, NodeId holder, Observations observations)
      implements ClusterView {

    @Override
    public boolean holds(NodeId node, Dataset dataset) {
      return node.equals(holder);
    }

    @Override
    public ClusterTopology topology() {
      return shown.topology();
    }

    @Override
    public NodeHealth health(NodeId node) {
      return shown.health(node);
    }

    @Override
    public boolean isLost(GpuId gpu) {
      return shown.isLost(gpu);
    }

    @Override
    public int freeGpus(NodeId node) {
      return shown.freeGpus(node);
    }

    @Override
    public boolean isFree(GpuId gpu) {
      return shown.isFree(gpu);
    }

    @Override
    public CpuCores freeCpu(NodeId node) {
      return shown.freeCpu(node);
    }

    @Override
    public Memory freeMemory(NodeId node) {
      return shown.freeMemory(node);
    }

    @Override
    public int freeShare(GpuId gpu) {
      return shown.freeShare(gpu);
    }

    @Override
    public Memory freeGpuMemory(GpuId gpu) {
      return shown.freeGpuMemory(gpu);
    }

    @Override
    public List<Resident> residents(GpuId gpu) {
      return shown.residents(gpu);
    }

    @Override
    public Bandwidth nicLoad(NodeId node) {
      return shown.nicLoad(node);
    }

    @Override
    public Bandwidth uplinkLoad(DomainId domain) {
      return shown.uplinkLoad(domain);
    }

    @Override
    public List<JobId> runningJobs() {
      return shown.runningJobs();
    }

    @Override
    public Optional<Placement> placement(JobId job) {
      return shown.placement(job);
    }

    @Override
    public Optional<JobSpec> job(JobId job) {
      return shown.job(job);
    }
  }
}
