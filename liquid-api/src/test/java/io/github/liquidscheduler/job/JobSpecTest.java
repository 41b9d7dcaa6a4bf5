package io.github.liquidscheduler.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobSpecTest {

  @Test
  void everythingButIdAndSizeHasAHarmlessDefault() {
    JobSpec job = JobSpec.builder("train-7").gpus(8).build();

    assertThat(job.queue()).isEqualTo(QueueName.DEFAULT);
    assertThat(job.priority()).isZero();
    assertThat(job.isPreemptible()).isTrue();
    assertThat(job.workload()).isEqualTo(Workload.UNKNOWN);
    assertThat(job.communication()).isEqualTo(new Communication.None());
    assertThat(job.synchronization()).isEqualTo(new Synchronization.Gang());
    assertThat(job.sharing()).isEqualTo(new Sharing.Exclusive());
    assertThat(job.topology()).isEqualTo(TopologyConstraint.NONE);
    assertThat(job.parallelism()).isEqualTo(Parallelism.fixed(8));
    assertThat(job.gpuModels()).isEmpty();
    assertThat(job.expectedWork()).isEmpty();
  }

  @Test
  void gpusAreWorkersOfOneGpuEach() {
    JobSpec job = JobSpec.builder("train-7").gpus(8).build();

    assertThat(job.roles()).containsExactly(new TaskRole("worker", 8, ResourceRequest.ofGpus(1)));
    assertThat(job).hasToString("job 'train-7' (8 GPUs, unknown)");
  }

  @Test
  void allRolesCount() {
    JobSpec job =
        JobSpec.builder("ps-3")
            .role("worker", 4, ResourceRequest.ofGpus(2))
            .role("ps", 2, ResourceRequest.builder().cpu(CpuCores.of(8)).build())
            .build();

    assertThat(job.tasks()).isEqualTo(6);
    assertThat(job.gpus()).isEqualTo(8);
    assertThat(job.role("ps")).map(TaskRole::count).contains(2);
    assertThat(job.role("chief")).isEmpty();
  }

  @Test
  void aJobThatIsNotElasticFollowsItsFirstRole() {
    JobSpec job = JobSpec.builder("train-7").gpus(8).build();

    JobSpec smaller =
        job.toBuilder()
            .roles(List.of(new TaskRole("worker", 6, ResourceRequest.ofGpus(1))))
            .build();

    assertThat(smaller.parallelism()).isEqualTo(Parallelism.fixed(6));
  }

  @Test
  void gpusBelowOneAreRefused() {
    refuses(
        JobSpec.builder("train-7")::gpus,
        0,
        "gpus must be at least 1, but was 0, for job 'train-7'."
            + " Use role(…) for a job that needs no GPU.");
  }

  @Test
  void aBlankIdIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JobSpec.builder(" "))
        .withMessage("a job id must not be blank");
  }

  @Test
  void aJobWithoutRolesIsRefused() {
    refuses(
        JobSpec.builder("train-7"),
        "a job needs at least one role, but had none, for job 'train-7'. Use gpus(…)");
  }

  @Test
  void twoRolesOfOneNameAreRefused() {
    refuses(
        JobSpec.builder("train-7").gpus(1).gpus(1),
        "roles must be distinct, but 'worker' came twice, for job 'train-7'");
  }

  @Test
  void aGpuModelNamedTwiceIsRefused() {
    GpuModel model = GpuModel.of("V100");
    refuses(
        JobSpec.builder("train-7").gpus(1).gpuModels(List.of(model, model)),
        "GPU models must be distinct, but 'V100' came twice, for job 'train-7'");
  }

  @Test
  void aPreferredSizeOtherThanTheCountIsRefused() {
    refuses(
        JobSpec.builder("train-7").gpus(8).parallelism(Parallelism.between(1, 4, 8)),
        "the preferred size must be the count of the first role, but was 4 and not 8,"
            + " for job 'train-7'");
  }

  @Test
  void communicationWithARoleThatIsNotThereIsRefused() {
    Communication pattern = new Communication.ParameterServer("ps", "worker", 1);
    refuses(
        JobSpec.builder("train-7")
            .gpus(8)
            .communication(new Communication.Combined(List.of(pattern))),
        "the communication names the role 'ps', which job 'train-7' does not have");
  }

  @Test
  void moreGpusOrTasksThanAnIntHoldsAreRefused() {
    JobSpec.Builder gpus = JobSpec.builder("train-7");
    JobSpec.Builder tasks = JobSpec.builder("train-7");
    for (int i = 0; i < 3; i++) {
      gpus.role(
          "r" + i, TaskRole.MAX_TASKS, ResourceRequest.ofGpus(ResourceRequest.MAX_GPUS_PER_TASK));
    }
    for (int i = 0; i < 2148; i++) {
      tasks.role("r" + i, TaskRole.MAX_TASKS, ResourceRequest.builder().build());
    }

    refuses(
        gpus,
        "the roles together must have at most 2147483647 GPUs, but had 3072000000,"
            + " for job 'train-7'");
    refuses(
        tasks,
        "the roles together must have at most 2147483647 tasks, but had 2148000000,"
            + " for job 'train-7'");
  }

  @Test
  void changingTheBuilderAfterwardsChangesNoJob() {
    JobSpec.Builder builder = JobSpec.builder("train-7").gpus(8).label("owner", "a");
    JobSpec job = builder.build();

    builder.label("owner", "b").nodeLabel("pool", "x").priority(9);

    assertThat(job.labels()).containsEntry("owner", "a");
    assertThat(job.nodeLabels()).isEmpty();
    assertThat(job.priority()).isZero();
  }

  private static void refuses(JobSpec.Builder job, String message) {
    assertThatIllegalArgumentException().isThrownBy(job::build).withMessage(message);
  }

  private static void refuses(java.util.function.IntFunction<?> setter, int value, String message) {
    assertThatIllegalArgumentException().isThrownBy(() -> setter.apply(value)).withMessage(message);
  }

  @Test
  void tasksOfARoleRunOnNodesWithTheLabelsOfTheJobAndOfTheRole() {
    TaskRole leader = new TaskRole("leader", 1, ResourceRequest.ofGpus(1));
    JobSpec job =
        JobSpec.builder("job")
            .role(leader.on(Map.of("disk", "ssd", "net", "fast")))
            .role("worker", 2, ResourceRequest.ofGpus(1))
            .nodeLabel("disk", "ssd")
            .nodeLabel("pool", "train")
            .build();

    assertThat(job.nodeLabels(job.roles().get(0)))
        .containsExactly(entry("disk", "ssd"), entry("net", "fast"), entry("pool", "train"));
    assertThat(job.nodeLabels(job.roles().get(1)))
        .containsExactly(entry("disk", "ssd"), entry("pool", "train"));
    assertThatThrownBy(() -> job.toBuilder().nodeLabel("net", "slow").build())
        .hasMessage(
            "a role must not ask for another value of a label than its job, but role 'leader' asked"
                + " for 'fast' of 'net' instead of 'slow', for job 'job'");
  }

  @Test
  void aJobUnderAnotherIdAsksForTheSame() {
    JobSpec job = JobSpec.builder("a").gpus(2).priority(3).queue("q").build();
    assertThat(job.withId(JobId.of("b")))
        .isEqualTo(JobSpec.builder("b").gpus(2).priority(3).queue("q").build());
    assertThat(job.withId(job.id())).isSameAs(job);
  }
}
