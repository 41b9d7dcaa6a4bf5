package io.github.liquidscheduler.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract finds placers that break it. */
class PlacerContractTest {
  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel A100 = GpuModel.of("A100");

  /**
   * Puts each task on the GPU that stands in its place, such as {@code a0:1}, whatever is asked.
   */
  private record Stubborn(List<String> gpus) implements Placer {

    static Stubborn on(String... gpus) {
      return new Stubborn(List.of(gpus));
    }

    @Override
    public Optional<Placement> place(ClusterView view, JobSpec job) {
      List<TaskPlacement> tasks = new ArrayList<>();
      for (String gpu : gpus) {
        TaskId task = new TaskId("worker", tasks.size());
        NodeId node = NodeId.of(gpu.substring(0, 2));
        List<Integer> index = List.of(Integer.parseInt(gpu.substring(3)));
        tasks.add(new TaskPlacement(task, node, index, ResourceRequest.ofGpus(1)));
      }
      return tasks.isEmpty() ? Optional.empty() : Optional.of(new Placement(job.id(), tasks));
    }

    @Override
    public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
      return List.of();
    }
  }

  private static final class Contract extends PlacerContract {
    private final Placer placer;

    Contract(Placer placer) {
      this.placer = placer;
    }

    @Override
    protected Placer placer() {
      return placer;
    }
  }

  static Stream<Arguments> wrong() {
    TopologyConstraint none = TopologyConstraint.NONE;
    Placer twoRacks = Stubborn.on("a0:0", "b0:1");
    return Stream.of(
        Arguments.of("a task is missing", Stubborn.on("a0:0"), gang(2)),
        Arguments.of("a GPU is taken twice", Stubborn.on("a0:0", "a0:0"), gang(2)),
        Arguments.of("a GPU is held", Stubborn.on("b0:0"), gang(1)),
        Arguments.of("a node drains", Stubborn.on("b1:0"), gang(1)),
        Arguments.of("another model", Stubborn.on("a0:0"), gang(1).gpuModels(List.of(A100))),
        Arguments.of("no such label", Stubborn.on("a0:0"), gang(1).nodeLabel("disk", "ssd")),
        Arguments.of("two racks", twoRacks, gang(2).topology(none.andRequired("rack"))),
        Arguments.of("a slice is split", twoRacks, gang(2).topology(none.andSlices(2, "rack"))),
        Arguments.of(
            "too many in a rack",
            Stubborn.on("a0:0", "a1:0"),
            gang(2).topology(none.andSpread(1, "rack"))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrong")
  void aPlacementThatMayNotStartFails(String name, Placer placer, JobSpec.Builder job) {
    PlacementScenario scenario = scenario(job);

    assertThatThrownBy(() -> new Contract(placer).whatItPlacesMayStart(scenario))
        .as(name)
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void aPlacementThatMayStartPasses() {
    JobSpec.Builder job = gang(2).topology(TopologyConstraint.NONE.andSpread(1, "rack"));

    assertThatCode(
            () -> new Contract(Stubborn.on("a0:0", "b0:1")).whatItPlacesMayStart(scenario(job)))
        .doesNotThrowAnyException();
  }

  @Test
  void aPlacerThatFindsNothingFails() {
    assertThatThrownBy(() -> new Contract(Stubborn.on()).anIdleGpuIsFound(scenario(gang(1))))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void aPlacerThatDoesNotSayWhatIsUnmetFails() {
    assertThatThrownBy(
            () ->
                new Contract(Stubborn.on())
                    .anUnmetConstraintIsNamedExactlyWhenNothingFits(scenario(gang(1))))
        .isInstanceOf(AssertionError.class);
  }

  private static JobSpec.Builder gang(int tasks) {
    return JobSpec.builder("job").role("worker", tasks, ResourceRequest.ofGpus(1));
  }

  /** Racks a and b of two nodes with two V100s each; b0:0 is held and b1 drains. */
  private static PlacementScenario scenario(JobSpec.Builder job) {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    for (String rack : List.of("a", "b")) {
      cluster.domain(Domain.of("rack", rack));
      for (int node = 0; node < 2; node++) {
        cluster.node(
            Node.builder(rack + node).domain(rack).gpus(2, V100, Memory.ofGib(16)).build());
      }
    }
    ResidentJob resident =
        new ResidentJob(1, ResourceRequest.ofGpus(1), new Sharing.Exclusive(), 2);
    PlacementScenario.Outage draining = new PlacementScenario.Outage(3, NodeHealth.DRAINING);
    return new PlacementScenario(
        cluster.build(), List.of(resident), List.of(draining), job.build());
  }
}
