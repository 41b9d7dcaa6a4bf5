package io.github.liquidscheduler.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementTextTest {

  @Test
  void neighbouringGpusAreARange() {
    assertThat(text(task("worker", 0, "n0", 0, 1, 2), task("worker", 1, "n0", 5, 7)))
        .isEqualTo("n0[0-2,5,7]");
  }

  @Test
  void rolesAreToldApart() {
    assertThat(text(task("ps", 0, "n1"), task("worker", 0, "n0", 3)))
        .isEqualTo("n1 (ps), n0[3] (worker)");
  }

  private static String text(TaskPlacement... tasks) {
    return PlacementText.of(new Placement(JobId.of("a"), List.of(tasks)));
  }

  private static TaskPlacement task(String role, int index, String node, Integer... gpus) {
    ResourceRequest request = ResourceRequest.builder().gpus(gpus.length).build();
    return new TaskPlacement(new TaskId(role, index), NodeId.of(node), List.of(gpus), request);
  }
}
