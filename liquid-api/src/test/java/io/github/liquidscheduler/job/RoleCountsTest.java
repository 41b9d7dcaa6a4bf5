package io.github.liquidscheduler.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoleCountsTest {

  private static final TopologyConstraint RACK = TopologyConstraint.required("rack");

  @Test
  void rolesGetLargerInStepFromTheirMinimumsToTheirCounts() {
    JobSpec job = job(role("a", 3).atLeast(1), role("b", 5).atLeast(1), role("c", 2));

    assertThat(job.parallelism().allowedSizes()).containsExactly(2, 3, 4, 5, 6, 7, 8);
    assertThat(job.sizedRoles()).extracting(TaskRole::name).containsExactly("a", "b");
    assertThat(job.parallelism().allowedSizes())
        .extracting(size -> counts(job.atSize(size)))
        .containsExactly("112", "212", "222", "232", "332", "342", "352");
  }

  @Test
  void aGroupStartsWithItsFirstMembersAndTheOthersComeBeforeFurtherTasks() {
    JobSpec job =
        builder(role("a", 2).atLeast(1), role("b", 2), role("c", 1))
            .group(RoleGroup.of("some", "a", "b").atLeast(1))
            .build();

    assertThat(job.parallelism().allowedSizes()).containsExactly(1, 3, 4);
    assertThat(job.atSize(1).roles()).extracting(TaskRole::name).containsExactly("a", "c");
    assertThat(job.atSize(1).groups().getFirst().members()).containsExactly("a");
    assertThat(counts(job.atSize(3))).isEqualTo("121");
  }

  @Test
  void aGroupInAGroupRunsInWholeOrNotAtAll() {
    JobSpec job =
        builder(role("a", 1), role("b", 1), role("c", 1), role("d", 1))
            .group(RoleGroup.of("first", "a", "b").within(RACK))
            .group(RoleGroup.of("second", "c", "d").within(RACK))
            .group(RoleGroup.of("any", "first", "second").atLeast(1))
            .build();

    assertThat(job.parallelism().allowedSizes()).containsExactly(2, 4);
    assertThat(RoleCounts.isAllowed(job, List.of(0, 0, 1, 1))).isTrue();
    assertThat(RoleCounts.isAllowed(job, List.of(1, 1, 1, 0))).isFalse();
    assertThat(RoleCounts.within(job, List.of(1, 1, 1, 0)))
        .hasValueSatisfying(counts -> assertThat(counts.tasks()).containsExactly(1, 1, 0, 0));
    assertThat(RoleCounts.within(job, List.of(1, 0, 1, 0))).isEmpty();
  }

  @Test
  void whatIsBeyondTheMinimumsGoesBeforeAWholeMember() {
    JobSpec job =
        builder(role("a", 2).atLeast(1), role("b", 2).atLeast(1))
            .group(RoleGroup.of("some", "a", "b").atLeast(1))
            .build();
    RoleCounts all = new RoleCounts(job, List.of(2, 2));

    assertThat(all.smaller().orElseThrow().tasks()).containsExactly(2, 1);
    assertThat(all.at(2).orElseThrow().tasks()).containsExactly(1, 1);
    assertThat(all.at(1).orElseThrow().tasks()).containsExactly(1, 0);
    assertThat(all.at(1).orElseThrow().smaller()).isEmpty();
    assertThat(new RoleCounts(job, List.of(0, 2)).at(3).orElseThrow().tasks())
        .containsExactly(1, 2);
  }

  @Test
  void aPlacementTellsTheSizeByRole() {
    JobSpec job = job(role("a", 2).atLeast(1), role("b", 2).atLeast(1), role("c", 1));
    Placement placement = placement(job, "a", "b", "b", "c");

    assertThat(placement.size(job)).isEqualTo(3);
    assertThat(placement.counts(job).tasks()).containsExactly(1, 2, 1);
    assertThat(placement.sized(job).parallelism().isElastic()).isFalse();
    assertThat(counts(placement.sized(job))).isEqualTo("121");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> placement(job, "a", "b", "b").counts(job))
        .withMessage(
            "the roles of a job must have as many tasks as it may run with, but had [1, 2, 0], for"
                + " job 'j'");
  }

  @Test
  void partsThatHaveToBeTogetherAreJobsOfTheirOwn() {
    JobSpec job =
        builder(role("a", 1), role("b", 1), role("c", 1).within(RACK), role("d", 1))
            .group(RoleGroup.of("first", "a", "b").within(RACK))
            .group(RoleGroup.of("any", "first", "d"))
            .build();

    assertThat(job.topologyParts())
        .extracting(part -> part.roles().stream().map(TaskRole::name).toList(), JobSpec::topology)
        .containsExactly(
            tuple(List.of("a", "b"), RACK),
            tuple(List.of("c"), RACK),
            tuple(List.of("d"), TopologyConstraint.NONE));
    assertThat(job(role("a", 1)).topologyParts()).isEmpty();
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() {
    refused(
        builder(role("a", 2).atLeast(1)).parallelism(Parallelism.between(1, 2, 3)),
        "a job must have either sizes of its first role or roles and groups with a min, but had"
            + " sizes [1, 2, 3] as well, for job 'j'");
    refused(
        builder(role("a", 1)).group(RoleGroup.of("a", "a")),
        "roles and groups must have names of their own, but 'a' came twice, for job 'j'");
    refused(
        builder(role("a", 1)).group(RoleGroup.of("g", "b")),
        "a group's members must be roles or groups of the job, but 'b' is none, for job 'j'");
    refused(
        builder(role("a", 1)).group(RoleGroup.of("g", "a")).group(RoleGroup.of("h", "a")),
        "a role or group must be in one group, but 'a' is in two, for job 'j'");
    refused(
        builder(role("a", 1)).group(RoleGroup.of("g", "h")).group(RoleGroup.of("h", "g")),
        "a group must not be in itself, but is 'g' in 'h' in 'g', for job 'j'");
    JobSpec.Builder deep = builder(role("a", 1));
    for (int i = 0; i < 10_000; i++) {
      deep.group(RoleGroup.of("g" + i, i == 0 ? "a" : "g" + (i - 1)));
    }
    refused(deep, "groups must be at most 100 deep, but 'g0' is deeper, for job 'j'");
    refused(
        builder(role("ps", 1), role("w", 1))
            .group(RoleGroup.of("g", "ps", "w").atLeast(1))
            .communication(Communication.parameterServer("ps", "w", Memory.ofMib(1))),
        "the communication names the role 'ps', which job 'j' may run without");
    refused(
        builder(role("a", 2).within(RACK)).topology(TopologyConstraint.NONE.andSpread(1, "node")),
        "slices and spread must be stated of roles or groups where any of them has a topology, but"
            + " were of all, for job 'j'");
  }

  @Test
  void minimumsOutOfRangeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> role("a", 2).atLeast(3))
        .withMessage("a role's min must be from 1 to its count of 2, but was 3, for role 'a'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RoleGroup.of("g", "a", "b").atLeast(0))
        .withMessage("a group's min must be from 1 to its 2 members, but was 0, for group 'g'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RoleGroup.of("g"))
        .withMessage("a group needs at least one member, but had none, for group 'g'");
  }

  private static void refused(JobSpec.Builder job, String message) {
    assertThatIllegalArgumentException().isThrownBy(job::build).withMessage(message);
  }

  private static JobSpec.Builder builder(TaskRole... roles) {
    return JobSpec.builder("j").roles(List.of(roles));
  }

  private static JobSpec job(TaskRole... roles) {
    return builder(roles).build();
  }

  private static TaskRole role(String name, int count) {
    return new TaskRole(name, count, ResourceRequest.ofGpus(1));
  }

  private static String counts(JobSpec job) {
    StringBuilder counts = new StringBuilder();
    job.roles().forEach(role -> counts.append(role.count()));
    return counts.toString();
  }

  private static Placement placement(JobSpec job, String... roles) {
    List<TaskPlacement> tasks = new ArrayList<>();
    for (String role : roles) {
      tasks.add(
          new TaskPlacement(
              new TaskId(role, tasks.size()),
              NodeId.of("n"),
              List.of(tasks.size()),
              ResourceRequest.ofGpus(1)));
    }
    return new Placement(job.id(), tasks);
  }
}
