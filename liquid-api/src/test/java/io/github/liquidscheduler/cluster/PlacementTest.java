package io.github.liquidscheduler.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.GpuShare;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementTest {

  private static final JobId JOB = JobId.of("a");
  private static final TaskId TASK = new TaskId("worker", 0);

  @Test
  void aPlacementNamesItsNodesInTheOrderOfItsTasks() {
    Placement placement =
        new Placement(JOB, List.of(on("n7", 2, 0, 1), on("n1", 1, 3), on("n7", 1, 2)));

    assertThat(placement.gpus()).isEqualTo(4);
    assertThat(placement.nodes()).containsExactly(NodeId.of("n7"), NodeId.of("n1"));
    assertThat(placement.tasks().get(0)).hasToString("worker/0 on n7[0, 1]");
  }

  @Test
  void aPlacementHasATask() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Placement(JOB, List.of()))
        .withMessage("a placement needs at least one task, but had none, for job 'a'");
  }

  @Test
  void aTaskGetsAsManyGpusAsItDemands() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> on("n7", 2, 0))
        .withMessage(
            "a task must be placed on as many GPUs as it requests, but 1 were given for 2 GPUs,"
                + " task worker/0");
  }

  @Test
  void theGpusOfATaskAscend() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> on("n7", 2, 1, 1))
        .withMessage(
            "a task's GPUs must ascend from at least 0, but were [1, 1], for task worker/0");
  }

  @Test
  void aTaskHoldsTheShareItDemands() {
    ResourceRequest half = ResourceRequest.builder().share(GpuShare.ofPercent(50)).build();

    assertThat(new TaskPlacement(TASK, NodeId.of("n"), List.of(0), half).share())
        .isEqualTo(GpuShare.ofPercent(50));
    assertThat(on("n", 1, 0).share()).isEqualTo(GpuShare.WHOLE);
  }

  private static TaskPlacement on(String node, int demanded, Integer... gpus) {
    return new TaskPlacement(
        TASK, NodeId.of(node), List.of(gpus), ResourceRequest.ofGpus(demanded));
  }
}
