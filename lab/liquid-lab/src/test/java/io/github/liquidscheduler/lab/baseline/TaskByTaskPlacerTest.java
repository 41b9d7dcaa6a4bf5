package io.github.liquidscheduler.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.baseline.NodeScore;
import io.github.liquidscheduler.simulator.baseline.TaskByTaskPlacer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TaskByTaskPlacerTest {

  private static final JobSpec THREE = JobSpec.builder("three").gpus(3).build();

  private final ClusterState state = fourNodes();

  @Test
  void evenSpreadPutsEachTaskWhereTheFewestGpusAreHeld() {
    hold("n1", 1);

    assertThat(nodes(TaskByTaskPlacer.by(NodeScore.fewestHeldGpus()), THREE))
        .containsExactly("n0", "n2", "n3");
  }

  @Test
  void packPutsEachTaskWhereTheMostGpusAreHeld() {
    hold("n1", 2);

    assertThat(nodes(TaskByTaskPlacer.by(NodeScore.mostHeldGpus()), THREE))
        .containsExactly("n1", "n1", "n0");
  }

  @Test
  void buddyCellsBreakTheSmallestCellThatHoldsATask() {
    hold("n2", 1);
    JobSpec pair = JobSpec.builder("pair").role("w", 1, ResourceRequest.ofGpus(2)).build();

    assertThat(gpus(BaselinePlacers.buddyCells(), JobSpec.builder("one").gpus(1).build()))
        .containsExactly("n2[1]");
    assertThat(gpus(BaselinePlacers.buddyCells(), pair)).containsExactly("n2[2, 3]");
    assertThat(gpus(BaselinePlacers.buddyCells(), JobSpec.builder("four").gpus(4).build()))
        .containsExactly("n2[1]", "n2[2]", "n2[3]", "n0[0]");
  }

  @Test
  void leastAllocatedLooksAtCpuToo() {
    ResourceRequest hungry = ResourceRequest.builder().cpu(CpuCores.of(30)).build();
    BestFitPlacer.bestFit()
        .place(state, JobSpec.builder("cpu").role("w", 1, hungry).build())
        .ifPresent(state::apply);

    assertThat(nodes(TaskByTaskPlacer.by(NodeScore.leastAllocated()), THREE))
        .containsExactly("n1", "n2", "n3");
  }

  @Test
  void randomDrawsTheSameForTheSameSeedAndDifferentlyForOthers() {
    Set<List<String>> drawn = new LinkedHashSet<>();
    for (long seed = 0; seed < 20; seed++) {
      assertThat(nodes(TaskByTaskPlacer.by(NodeScore.random(seed)), THREE))
          .isEqualTo(nodes(TaskByTaskPlacer.by(NodeScore.random(seed)), THREE));
      drawn.add(nodes(TaskByTaskPlacer.by(NodeScore.random(seed)), THREE));
    }

    assertThat(drawn).hasSizeGreaterThan(5);
  }

  private List<String> nodes(TaskByTaskPlacer placer, JobSpec job) {
    return placer.place(state, job).orElseThrow().tasks().stream()
        .map(TaskPlacement::node)
        .map(NodeId::value)
        .toList();
  }

  private List<String> gpus(TaskByTaskPlacer placer, JobSpec job) {
    return placer.place(state, job).orElseThrow().tasks().stream()
        .map(task -> task.node() + task.gpus().toString())
        .toList();
  }

  private void hold(String node, int gpus) {
    JobSpec job = JobSpec.builder("on-" + node).gpus(gpus).nodeLabel("name", node).build();
    BestFitPlacer.bestFit().place(state, job).ifPresent(state::apply);
  }

  private static ClusterState fourNodes() {
    ClusterTopology.Builder builder = ClusterTopology.builder();
    for (int i = 0; i < 4; i++) {
      builder.node(
          Node.builder("n" + i)
              .label("name", "n" + i)
              .gpus(4, GpuModel.of("K80"), Memory.ofGib(11))
              .cpu(CpuCores.of(32))
              .memory(Memory.ofGib(188))
              .build());
    }
    return ClusterState.of(builder.build());
  }
}
