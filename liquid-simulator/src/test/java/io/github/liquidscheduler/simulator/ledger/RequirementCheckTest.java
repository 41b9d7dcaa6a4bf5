package io.github.liquidscheduler.simulator.ledger;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequirementCheckTest {

  /** Racks r0 with n0 and n1, and r1 with n2; V100 on all but n1, which has K80. */
  private final RequirementCheck check =
      new RequirementCheck(
          ClusterTopology.builder()
              .levels("rack")
              .domain(Domain.of("rack", "r0"))
              .domain(Domain.of("rack", "r1"))
              .node(node("n0", "r0", "V100"))
              .node(node("n1", "r0", "K80"))
              .node(node("n2", "r1", "V100"))
              .build());

  private static Node node(String id, String rack, String model) {
    return Node.builder(id)
        .domain(rack)
        .label("disk", model.equals("K80") ? "slow" : "fast")
        .gpus(4, GpuModel.of(model), Memory.ofGib(16))
        .build();
  }

  private static JobSpec.Builder twoWorkers() {
    return JobSpec.builder("j").gpus(2);
  }

  /** A worker on GPU 0 of each node. */
  private static Placement on(String... nodes) {
    List<TaskPlacement> tasks = new ArrayList<>();
    for (String node : nodes) {
      tasks.add(
          new TaskPlacement(
              new TaskId("worker", tasks.size()),
              NodeId.of(node),
              List.of(0),
              ResourceRequest.ofGpus(1)));
    }
    return new Placement(JobId.of("j"), tasks);
  }

  private void assertHolds(JobSpec.Builder job, Placement placement) {
    assertThatCode(() -> check.require(job.build(), placement)).doesNotThrowAnyException();
  }

  private void assertBreaks(JobSpec.Builder job, Placement placement, String rule) {
    assertThatThrownBy(() -> check.require(job.build(), placement))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(rule);
  }

  @Test
  void aGangIsWholeOrNotAtAll() {
    assertHolds(twoWorkers(), on("n0", "n2"));
    assertBreaks(twoWorkers(), on("n0"), "a gang must be whole");
    assertBreaks(twoWorkers(), on("n0", "n1", "n2"), "a gang must be whole");
  }

  @Test
  void anElasticJobHasOneOfItsSizes() {
    JobSpec.Builder job = twoWorkers().parallelism(new Parallelism(List.of(2, 4), 2));

    assertHolds(job, on("n0", "n0", "n1", "n1"));
    assertBreaks(job, on("n0", "n0", "n1"), "a gang must be whole");
  }

  @Test
  void onlyAllowedModelsAreUsed() {
    JobSpec.Builder job = twoWorkers().gpuModels(List.of(GpuModel.of("V100")));

    assertHolds(job, on("n0", "n2"));
    assertBreaks(job, on("n0", "n1"), "only allowed GPU models");
  }

  @Test
  void nodesCarryTheLabelsAsked() {
    JobSpec.Builder job = twoWorkers().nodeLabel("disk", "fast");

    assertHolds(job, on("n0", "n2"));
    assertBreaks(job, on("n0", "n1"), "must carry the labels");
  }

  @Test
  void theRequiredLevelHolds() {
    JobSpec.Builder inARack = twoWorkers().topology(TopologyConstraint.required("rack"));

    assertHolds(inARack, on("n0", "n1"));
    assertHolds(inARack, on("n2", "n2"));
    assertBreaks(inARack, on("n0", "n2"), "required topology level");
    assertBreaks(
        twoWorkers().topology(TopologyConstraint.required("node")),
        on("n0", "n1"),
        "required topology level");
    assertHolds(twoWorkers().topology(TopologyConstraint.required("cluster")), on("n0", "n2"));
  }
}
