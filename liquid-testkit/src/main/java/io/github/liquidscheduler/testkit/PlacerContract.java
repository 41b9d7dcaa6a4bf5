package io.github.liquidscheduler.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The contract of every {@link Placer}, on small clusters that are partly busy. */
public abstract class PlacerContract {

  /** Makes a contract. */
  protected PlacerContract() {}

  /** Returns the placer to judge. It may be the same one each time. */
  protected abstract Placer placer();

  /** Returns the view of the cluster that the placer gets; the cluster itself by default. */
  protected ClusterView shown(PlainCluster cluster) {
    return cluster;
  }

  /** Returns clusters and jobs to place there. */
  @Provide
  protected Arbitrary<PlacementScenario> scenarios() {
    return PlacementScenario.any();
  }

  /** Returns clusters and jobs parts of which have to be close together by themselves. */
  @Provide
  protected Arbitrary<PlacementScenario> scenariosInParts() {
    return PlacementScenario.withJobs(
        JobDraft.inParts().map(draft -> draft.named("job")).map(PlacerContract::atPreferredSize));
  }

  private static JobSpec atPreferredSize(JobSpec job) {
    return job.atSize(job.parallelism().preferred());
  }

  /** Returns idle clusters and jobs of several roles that hardly fit there. */
  @Provide
  protected Arbitrary<MixedGang> mixedGangs() {
    return Arbitraries.oneOf(
        MixedGang.ofRoles(2),
        MixedGang.ofRoles(3),
        MixedGang.ofRoles(4),
        MixedGang.constrained(),
        MixedGang.inParts());
  }

  /** A placement can be carried out: the gang is whole, allowed there, and nothing is too much. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void whatItPlacesMayStart(@ForAll("scenarios") PlacementScenario scenario) {
    PlainCluster cluster = scenario.cluster();

    placer()
        .place(shown(cluster), scenario.job())
        .ifPresent(
            placement -> new PlacementJudge(cluster).requireStart(scenario.job(), placement));
  }

  /** So can one of a job parts of which have to be close together by themselves. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void whatItPlacesInPartsMayStart(@ForAll("scenariosInParts") PlacementScenario scenario) {
    whatItPlacesMayStart(scenario);
  }

  /** A job is rejected for good only if no assignment of its tasks to nodes keeps what it asks. */
  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  public void aJobOfSeveralRolesIsInfeasibleOnlyIfItFitsNowhere(
      @ForAll("mixedGangs") MixedGang gang) {
    PlainCluster idle = PlainCluster.of(gang.topology());
    Optional<Placement> placement = placer().place(shown(idle), gang.job());
    placement.ifPresent(found -> new PlacementJudge(idle).requireStart(gang.job(), found));
    boolean isInfeasible = placer().isInfeasible(shown(idle), gang.job());

    assertThat(isInfeasible && (placement.isPresent() || gang.fits())).isFalse();
  }

  /** A task of one GPU is placed on a cluster in which nothing runs. */
  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  public void anIdleGpuIsFound(@ForAll("scenarios") PlacementScenario scenario) {
    Assume.that(scenario.topology().gpuCount() > 0);
    JobSpec job = JobSpec.builder("job").gpus(1).build();

    assertThat(placer().place(shown(PlainCluster.of(scenario.topology())), job)).isPresent();
  }

  /** Asking changes nothing, so the same question has the same answer. */
  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  public void lookingForAPlacementChangesNothing(@ForAll("scenarios") PlacementScenario scenario) {
    ClusterView view = shown(scenario.cluster());
    List<Object> before = everythingFree(view);
    Optional<Placement> first = placer().place(view, scenario.job());

    assertThat(everythingFree(view)).isEqualTo(before);
    assertThat(placer().place(view, scenario.job())).isEqualTo(first);
  }

  /** What counts is what a view shows, not which class it is of. */
  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  public void anotherViewOfTheSameClusterGivesTheSamePlacement(
      @ForAll("scenarios") PlacementScenario scenario) {
    assertThat(placer().place(scenario.cluster(), scenario.job()))
        .isEqualTo(placer().place(shown(scenario.cluster()), scenario.job()));
  }

  /** Nothing is unmet exactly when the job fits. */
  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  public void anUnmetConstraintIsNamedExactlyWhenNothingFits(
      @ForAll("scenarios") PlacementScenario scenario) {
    ClusterView view = shown(scenario.cluster());

    assertThat(placer().unmetConstraints(view, scenario.job()).isEmpty())
        .isEqualTo(placer().place(view, scenario.job()).isPresent());
  }

  /** What is not there is more than what is. */
  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  public void ofWhatIsUnmetLessIsAvailableThanRequested(
      @ForAll("scenarios") PlacementScenario scenario) {
    assertThat(placer().unmetConstraints(shown(scenario.cluster()), scenario.job()))
        .allMatch(unmet -> unmet.available() < unmet.requested());
  }

  private static List<Object> everythingFree(ClusterView view) {
    List<Object> free = new ArrayList<>(view.runningJobs());
    for (Node node : view.topology().nodes()) {
      free.add(view.freeGpus(node.id()));
      free.add(view.freeCpu(node.id()));
      free.add(view.freeMemory(node.id()));
      for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
        free.add(view.residents(new GpuId(node.id(), gpu)));
      }
    }
    return free;
  }
}
