package io.github.liquidscheduler.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Placer;
import org.junit.jupiter.api.Test;

class LiveClusterTest {

  private static final NodeId NODE = NodeId.of("n0");

  private final Placer placer = Placers.bestFit();
  private final LiveCluster cluster =
      LiveCluster.of(
          ClusterTopology.builder()
              .node(Node.builder("n0").gpus(4, GpuModel.of("A100"), Memory.ofGib(40)).build())
              .build());

  @Test
  void whatAJobHoldsIsFreeAgainWhenItStops() {
    JobSpec job = job("a", 3);
    cluster.start(job, place(job));
    assertThat(cluster.freeGpus()).isEqualTo(1);
    assertThat(cluster.view().runningJobs()).containsExactly(job.id());

    cluster.stop(job.id());

    assertThat(cluster.freeGpus()).isEqualTo(4);
    assertThat(cluster.view().runningJobs()).isEmpty();
  }

  @Test
  void brokenGpusAndNodesAreNotPlacedOn() {
    cluster.fail(new GpuId(NODE, 0));
    assertThat(placer.place(cluster.view(), job("a", 4))).isEmpty();

    cluster.restore(new GpuId(NODE, 0));
    assertThat(placer.place(cluster.view(), job("a", 4))).isPresent();

    cluster.setHealth(NODE, NodeHealth.DRAINING);
    assertThat(placer.place(cluster.view(), job("a", 1))).isEmpty();
  }

  @Test
  void aCopyGoesItsOwnWay() {
    JobSpec job = job("a", 3);

    cluster.copy().start(job, place(job));

    assertThat(cluster.freeGpus()).isEqualTo(4);
  }

  @Test
  void nothingIsGivenTwice() {
    JobSpec first = job("a", 3);
    JobSpec second = job("b", 3);
    Placement placement = place(second);
    cluster.start(first, place(first));

    assertThatThrownBy(() -> cluster.start(second, placement))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("for job 'b'");
    assertThat(cluster.freeGpus()).isEqualTo(1);
  }

  @Test
  void aPlacementMustBeOfTheJobAndWhole() {
    Placement ofTwo = place(job("a", 2));

    assertThatThrownBy(() -> cluster.start(job("b", 2), ofTwo))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a job must start with its own placement, but job 'b' got that of 'a'");
    assertThatThrownBy(() -> cluster.start(job("a", 3), ofTwo))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a placement must be what its job requires, but ")
        .hasMessageEndingWith("for job 'a'");
  }

  private Placement place(JobSpec job) {
    return placer.place(cluster.view(), job).orElseThrow();
  }

  private static JobSpec job(String id, int gpus) {
    return JobSpec.builder(id).gpus(gpus).build();
  }
}
