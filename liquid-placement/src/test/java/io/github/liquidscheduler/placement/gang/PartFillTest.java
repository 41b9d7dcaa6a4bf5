package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.RoleGroup;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PartFillTest {

  private static final TopologyConstraint ONE_RACK = TopologyConstraint.required("rack");
  private final Placer placer = BestFitPlacer.bestFit();

  @Test
  void eachRoleIsInOneRackThoughTheJobIsInTwo() {
    JobSpec job =
        JobSpec.builder("j").role(role("a", 4, 2).within(ONE_RACK)).role(role("b", 4, 2)).build();
    JobSpec both = job.toBuilder().roles(within(job, ONE_RACK)).build();

    Placement placement = place(racks(4, 4, 4, 4), both);

    assertThat(racksOf(placement, "a")).hasSize(1);
    assertThat(racksOf(placement, "b")).hasSize(1).isNotEqualTo(racksOf(placement, "a"));
  }

  @Test
  void aGroupIsInOneRackAndTheOthersAnywhere() {
    JobSpec job =
        JobSpec.builder("j")
            .role(role("encoder", 1, 2))
            .role(role("decoder", 1, 4))
            .role(role("frontend", 1, 1))
            .group(RoleGroup.of("replica", "encoder", "decoder").within(ONE_RACK))
            .build();

    Placement placement = place(racks(2, 0, 2, 4), job);

    assertThat(racksOf(placement, "encoder"))
        .isEqualTo(racksOf(placement, "decoder"))
        .containsExactly("r1");
    assertThat(racksOf(placement, "frontend")).containsExactly("r0");
  }

  @Test
  void groupsInGroupsAreEachInADomainOfTheirOwnLevel() {
    JobSpec job =
        JobSpec.builder("j")
            .role(role("a", 1, 4).within(ONE_RACK))
            .role(role("b", 1, 4).within(ONE_RACK))
            .group(RoleGroup.of("both", "a", "b").within(TopologyConstraint.required("zone")))
            .topology(TopologyConstraint.required("zone"))
            .build();

    assertThat(place(racks(4, 0, 0, 4), job).nodes()).hasSize(2);
    assertThat(placer.place(racks(4, 0, 0, 2), job)).isEmpty();
  }

  /** Rack r0 has the six GPUs that are asked for, but holds only two of the three tasks. */
  @Test
  void whatFollowsAPartOfAGroupStaysInTheDomainOfTheGroup() {
    JobSpec job =
        JobSpec.builder("j")
            .role(role("a", 1, 2).within(ONE_RACK))
            .role(role("b", 2, 2))
            .group(RoleGroup.of("both", "a", "b").within(ONE_RACK))
            .build();

    assertThat(placer.place(racks(3, 3, 4, 0), job)).isEmpty();
  }

  @Test
  void aPartTakesAnotherDomainIfTheTightestIsNeededByTheNext() {
    JobSpec job =
        JobSpec.builder("j")
            .role(role("a", 2, 2).within(ONE_RACK))
            .role(role("b", 1, 4).within(TopologyConstraint.required("node")))
            .build();

    Placement placement = place(racks(2, 2, 4, 0), job);

    assertThat(racksOf(placement, "a")).containsExactly("r0");
    assertThat(racksOf(placement, "b")).containsExactly("r1");
  }

  @Test
  void whatKeepsPartsApartIsNamed() {
    JobSpec job = JobSpec.builder("j").role(role("a", 2, 3).within(ONE_RACK)).build();

    assertThat(placer.unmetConstraints(racks(4, 0, 4, 0), job))
        .anySatisfy(
            unmet -> {
              assertThat(unmet.constraint()).isEqualTo(Constraint.TOPOLOGY);
              assertThat(unmet.scope()).isEqualTo("'a' in one rack");
            });
    assertThat(placer.isInfeasible(racks(4, 0, 4, 0), job)).isTrue();
  }

  private Placement place(ClusterState cluster, JobSpec job) {
    return placer.place(cluster, job).orElseThrow();
  }

  private static List<TaskRole> within(JobSpec job, TopologyConstraint constraint) {
    return job.roles().stream().map(role -> role.within(constraint)).toList();
  }

  private static TaskRole role(String name, int count, int gpus) {
    return new TaskRole(name, count, ResourceRequest.ofGpus(gpus));
  }

  private static Set<String> racksOf(Placement placement, String role) {
    return placement.tasks().stream()
        .filter(task -> task.task().role().equals(role))
        .map(task -> rack(task.node()))
        .collect(Collectors.toSet());
  }

  private static String rack(NodeId node) {
    return "r" + node.value().charAt(1) / ('0' + 2);
  }

  /** Nodes n0 and n1 are in rack r0, n2 and n3 in r1, all in one zone. */
  private static ClusterState racks(int... gpus) {
    ClusterTopology.Builder cluster =
        ClusterTopology.builder()
            .levels("zone", "rack")
            .domain(Domain.of("zone", "z"))
            .domain(Domain.of("rack", "r0").in("z"))
            .domain(Domain.of("rack", "r1").in("z"));
    for (int node = 0; node < gpus.length; node++) {
      cluster.node(
          Node.builder("n" + node)
              .gpus(gpus[node], GpuModel.of("A100"), Memory.ofGib(40))
              .domain(node < 2 ? "r0" : "r1")
              .build());
    }
    return ClusterState.of(cluster.build());
  }
}
