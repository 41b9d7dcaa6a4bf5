package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A job gets another size while it runs. */
class ResizedJobTest {

  private static final NodeId N0 = NodeId.of("n0");

  private static final ResourceRequest WHOLE = ResourceRequest.ofGpus(1);
  private static final ResourceRequest HALF =
      ResourceRequest.builder().share(GpuShare.ofPercent(50)).build();

  private final ClusterState state =
      ClusterState.of(
          ClusterTopology.builder()
              .node(Node.builder("n0").gpus(3, GpuModel.of("V100"), Memory.ofGib(16)).build())
              .build());

  @Test
  void itsCoRunnersAreSoughtWhereItIsNow() {
    JobSpec job = workers("a", HALF);
    state.apply(job, placement(job, task("worker", 0, HALF, 0), task("worker", 1, HALF, 1)));
    assertThat(shared()).containsExactly(0, 1);

    state.resize(job, placement(job, task("worker", 0, HALF, 2)));

    assertThat(shared()).containsExactly(2);
  }

  @Test
  void tasksThatChangeRolesOnTheirGpusStayOnANodeThatDrains() {
    JobSpec job =
        JobSpec.builder("a")
            .role(new TaskRole("actor", 1, WHOLE))
            .role(new TaskRole("learner", 2, WHOLE).atLeast(1))
            .build();
    state.apply(
        job,
        placement(
            job,
            task("actor", 0, WHOLE, 0),
            task("learner", 0, WHOLE, 1),
            task("learner", 1, WHOLE, 2)));
    state.setHealth(N0, NodeHealth.DRAINING);

    state.resize(job, placement(job, task("actor", 0, WHOLE, 1), task("learner", 0, WHOLE, 0)));

    state.setHealth(N0, NodeHealth.UP);
    assertThat(state.freeGpus()).isEqualTo(1);
  }

  @Test
  void onlyAJobThatRunsHasASize() {
    JobSpec job = workers("a", WHOLE);

    assertThatIllegalStateException()
        .isThrownBy(() -> state.resize(job, placement(job, task("worker", 0, WHOLE, 0))))
        .withMessage("job 'a' is not placed");
  }

  @Test
  void noJobIsResizedWhileAnotherIsSuspended() {
    JobSpec job = workers("a", WHOLE);
    JobSpec other = workers("b", WHOLE);
    state.apply(job, placement(job, task("worker", 0, WHOLE, 0)));
    state.apply(other, placement(other, task("worker", 0, WHOLE, 1)));
    state.trials().suspend(other.id());

    assertThatIllegalStateException()
        .isThrownBy(() -> state.resize(job, placement(job, task("worker", 0, WHOLE, 2))))
        .withMessage("nothing may change while jobs are suspended: [b]");
  }

  private List<Integer> shared() {
    return state.shared().groups().stream().flatMap(group -> group.gpus().stream()).toList();
  }

  /** Returns a job of one or two workers. */
  private static JobSpec workers(String id, ResourceRequest request) {
    return JobSpec.builder(id).role(new TaskRole("worker", 2, request).atLeast(1)).build();
  }

  private static Placement placement(JobSpec job, TaskPlacement... tasks) {
    return new Placement(job.id(), List.of(tasks));
  }

  private static TaskPlacement task(String role, int number, ResourceRequest request, int gpu) {
    return new TaskPlacement(new TaskId(role, number), N0, List.of(gpu), request);
  }
}
