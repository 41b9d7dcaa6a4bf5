package io.github.liquidscheduler.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes of four GPUs, eight cores and eight bytes of memory. */
class StoppingJobsTest {

  private final ClusterState cluster =
      ClusterState.of(ClusterTopology.builder().node(node("n0")).node(node("n1")).build());
  private final StoppingJobs stopping = new StoppingJobs(StoppingJobsTest::noJob);

  private static JobEntry noJob(JobId id) {
    throw new AssertionError("nobody waits for " + id);
  }

  @Test
  void aStoppingJobBlocksItsGpus() {
    stopping.add(holding("b", "n0", 0, 0, 0, 1));
    stopping.add(holding("a", "n0", 0, 0, 2));

    assertThat(blocking(holding("new", "n0", 0, 0, 3))).isEmpty();
    assertThat(blocking(holding("new", "n0", 0, 0, 1, 3))).containsExactly("b");
    assertThat(blocking(holding("new", "n0", 0, 0, 1, 2))).containsExactly("a", "b");
  }

  @Test
  void theSameGpuIndexOnAnotherNodeIsNotBlocked() {
    stopping.add(holding("a", "n0", 0, 0, 0));
    stopping.add(
        new Placement(JobId.of("b"), List.of(task(0, "n0", 0, 0, 1), task(1, "n1", 0, 0, 2))));

    assertThat(blocking(holding("new", "n1", 0, 0, 0, 1))).isEmpty();
    assertThat(blocking(holding("new", "n1", 0, 0, 2))).containsExactly("b");
  }

  @Test
  void allCpuHoldersBlockIfTooLittleCpuIsLeft() {
    stopping.add(holding("a", "n0", 3, 0));
    stopping.add(holding("b", "n0", 2, 0));

    assertThat(blocking(holding("new", "n0", 3, 0))).isEmpty();
    assertThat(blocking(holding("new", "n0", 4, 0))).containsExactly("a", "b");
    assertThat(blocking(holding("new", "n1", 4, 0))).isEmpty();
  }

  @Test
  void allMemoryHoldersBlockIfTooLittleMemoryIsLeft() {
    stopping.add(holding("a", "n0", 0, 3));
    stopping.add(holding("b", "n0", 0, 2));

    assertThat(blocking(holding("new", "n0", 0, 3))).isEmpty();
    assertThat(blocking(holding("new", "n0", 0, 4))).containsExactly("a", "b");
  }

  @Test
  void tasksOnOtherNodesDoNotBlock() {
    stopping.add(new Placement(JobId.of("a"), List.of(task(0, "n0", 1, 1), task(1, "n1", 7, 7))));

    assertThat(blocking(holding("new", "n0", 7, 7))).isEmpty();
    assertThat(blocking(holding("new", "n0", 8, 0))).containsExactly("a");
  }

  @Test
  void aStoppedJobBlocksNothing() {
    Placement held = holding("a", "n0", 0, 0, 0);
    stopping.add(held);
    stopping.add(holding("b", "n0", 0, 0, 1));
    stopping.remove(held);
    stopping.remove(held);

    assertThat(blocking(holding("new", "n0", 0, 0, 0, 1))).containsExactly("b");
  }

  /** Takes a placement, asks whom it has to wait for, and gives it back. */
  private List<String> blocking(Placement placement) {
    cluster.apply(placement);
    List<JobId> blocking = stopping.blocking(placement, cluster);
    cluster.release(placement.job());
    return blocking.stream().map(JobId::value).toList();
  }

  private static Placement holding(String job, String node, int cores, int bytes, Integer... gpus) {
    return new Placement(JobId.of(job), List.of(task(0, node, cores, bytes, gpus)));
  }

  private static TaskPlacement task(int index, String node, int cores, int bytes, Integer... gpus) {
    ResourceRequest request =
        ResourceRequest.builder()
            .gpus(gpus.length)
            .cpu(CpuCores.of(cores))
            .memory(new Memory(bytes))
            .build();
    return new TaskPlacement(
        new TaskId("worker", index), NodeId.of(node), Arrays.asList(gpus), request);
  }

  private static Node node(String id) {
    return Node.builder(id)
        .gpus(4, GpuModel.of("V100"), Memory.ofGib(16))
        .cpu(CpuCores.of(8))
        .memory(new Memory(8))
        .build();
  }
}
