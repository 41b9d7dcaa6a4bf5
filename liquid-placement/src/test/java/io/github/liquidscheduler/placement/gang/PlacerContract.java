package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What every placer promises, on random clusters that are partly busy. */
public abstract class PlacerContract {

  public abstract Placer placer();

  @Property(tries = 1000)
  public void whatItPlacesIsWholeAndFits(@ForAll long seed) {
    Scenario scenario = new Scenario(seed);
    JobSpec job = scenario.job("job");

    placer()
        .place(scenario.state, job)
        .ifPresent(
            placement -> {
              assertThat(placement.tasks()).hasSize(job.tasks());
              assertThat(placement.tasks())
                  .extracting(TaskPlacement::task)
                  .doesNotHaveDuplicates()
                  .contains(new TaskId("worker", job.tasks() - 1));
              assertThat(placement.nodes())
                  .allMatch(node -> scenario.state.health(node) == NodeHealth.UP);
              scenario.state.apply(placement);
            });
  }

  @Property(tries = 1000)
  public void theTopologyAndTheModelsAreRespected(@ForAll long seed) {
    Scenario scenario = new Scenario(seed);
    JobSpec job = scenario.job("job");

    placer()
        .place(scenario.state, job)
        .ifPresent(
            placement -> {
              job.topology()
                  .required()
                  .ifPresent(level -> assertThat(holds(scenario.state, placement, level)).isTrue());
              GangShape gang = new GangShape(job, scenario.state.index());
              assertThat(gang.holdsSlices(placement)).isTrue();
              assertThat(mostInADomain(scenario.state, gang, placement))
                  .isLessThanOrEqualTo(gang.maxTasksInDomain());
              if (!job.gpuModels().isEmpty()) {
                Set<GpuModel> used = Placements.models(scenario.state, placement);
                assertThat(used).hasSizeLessThanOrEqualTo(1);
                assertThat(job.gpuModels()).containsAll(used);
              }
            });
  }

  @Property(tries = 1000)
  public void lookingForAPlaceChangesNothing(@ForAll long seed) {
    Scenario scenario = new Scenario(seed);
    JobSpec job = scenario.job("job");

    Optional<Placement> first = placer().place(scenario.state, job);
    List<Object> before = Placements.free(scenario.state);
    Optional<Placement> second = placer().place(scenario.state, job);

    assertThat(second).isEqualTo(first);
    assertThat(Placements.free(scenario.state)).isEqualTo(before);
  }

  @Property(tries = 1000)
  public void anotherViewOfTheSameStateGivesTheSamePlace(@ForAll long seed) {
    Scenario scenario = new Scenario(seed);
    JobSpec job = scenario.job("job");

    assertThat(placer().place(new PlainView(scenario.state), job))
        .isEqualTo(placer().place(scenario.state, job));
  }

  @Property(tries = 1000)
  public void aShortfallIsNamedExactlyWhenNothingFits(@ForAll long seed) {
    Scenario scenario = new Scenario(seed);
    JobSpec job = scenario.job("job");

    assertThat(placer().unmetConstraints(scenario.state, job).isEmpty())
        .isEqualTo(placer().place(scenario.state, job).isPresent());
  }

  private static long mostInADomain(ClusterState state, GangShape gang, Placement placement) {
    return placement.nodes().stream()
        .map(node -> gang.spreadDomain(state.topology().position(node)))
        .mapToLong(
            domain ->
                placement.tasks().stream()
                    .filter(task -> domain.contains(state.topology().position(task.node())))
                    .count())
        .max()
        .orElse(0);
  }

  private static boolean holds(ClusterState state, Placement placement, String level) {
    Set<NodeId> nodes = placement.nodes();
    if (nodes.size() == 1) {
      return true;
    }
    List<String> levels = state.topology().levels();
    NodeId first = nodes.iterator().next();
    return levels.subList(levels.indexOf(level), levels.size()).stream()
        .map(narrower -> state.topology().domainOf(first, narrower).map(Domain::id))
        .flatMap(Optional::stream)
        .map(state.topology()::nodesOf)
        .anyMatch(
            domain -> nodes.stream().allMatch(n -> domain.contains(state.topology().position(n))));
  }
}
