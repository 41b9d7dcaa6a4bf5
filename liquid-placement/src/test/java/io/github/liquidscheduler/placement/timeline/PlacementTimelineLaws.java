package io.github.liquidscheduler.placement.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.testkit.PlacementScenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** On clusters in zones and racks, with CPU, memory, shares, labels and nodes that are down. */
class PlacementTimelineLaws {

  private static final int HORIZON = 120;

  /** Names that jobs may have, whatever the timeline calls what it holds. */
  private static final List<String> NAMES =
      List.of("j", "held", "also held", "HELD", "reserved", "null", "a b", "0", "\u0000", "x");

  /** When a job is to run at the earliest, for how long, and which of the scenario's jobs. */
  record Request(int scenario, int from, int length) {}

  @Provide
  Arbitrary<List<PlacementScenario>> scenarios() {
    return PlacementScenario.any().list().ofMinSize(3).ofMaxSize(3);
  }

  @Provide
  Arbitrary<List<Request>> requests() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 2),
            Arbitraries.integers().between(0, 10),
            Arbitraries.integers().between(1, 10))
        .as(Request::new)
        .list()
        .ofMaxSize(10);
  }

  @Property(tries = 600, edgeCases = EdgeCasesMode.NONE)
  void aPlacedJobFitsAtEveryInstantAndNoneCouldStartEarlier(
      @ForAll("scenarios") List<PlacementScenario> scenarios,
      @ForAll("requests") List<Request> requests) {
    ClusterState idle = idle(scenarios.getFirst());
    ClusterState own = idle.copy();
    PlacementTimeline timeline = new PlacementTimeline(own, BestFitPlacer.bestFit());
    List<Slot<Placement>> held = new ArrayList<>();
    for (Request request : requests) {
      JobSpec job = scenarios.get(request.scenario()).job();
      Optional<Slot<Placement>> slot =
          timeline.earliest(job, request.length(), request.from(), HORIZON);

      assertThat(timeline.place(job, TimeWindow.of(request.from(), 1)).isPresent())
          .isEqualTo(fits(at(request.from(), idle, held), job));

      assertThat(slot.map(found -> found.window().start()))
          .isEqualTo(firstOfEverySecond(timeline, job, request));
      slot.ifPresent(
          found -> {
            assertFits(idle, held, found);
            Slot<Placement> named = named(NAMES.get(held.size()), found);
            assertThat(timeline.fits(named)).isTrue();
            timeline.hold(named);
            held.add(named);
          });
    }
    held.forEach(timeline::release);
    assertThat(timeline.nextRelease(0)).isEqualTo(TimeWindow.FOREVER);
    held.forEach(slot -> assertThat(timeline.fits(slot)).isTrue());
    assertThat(own.runningJobs()).isEmpty();
  }

  private static Optional<Long> firstOfEverySecond(
      PlacementTimeline timeline, JobSpec job, Request request) {
    for (long start = request.from(); start <= HORIZON; start++) {
      TimeWindow window = TimeWindow.of(start, request.length());
      if (timeline.place(job, window).isPresent()) {
        return Optional.of(start);
      }
    }
    return Optional.empty();
  }

  private static void assertFits(
      ClusterState idle, List<Slot<Placement>> held, Slot<Placement> found) {
    for (long second = found.window().start(); second < found.window().end(); second++) {
      assertThat(at(second, idle, held).fits(found.placement()))
          .as("%s at %d", found, second)
          .isTrue();
    }
  }

  /** Returns the cluster with those who hold something at an instant. */
  private static ClusterState at(long instant, ClusterState idle, List<Slot<Placement>> held) {
    ClusterState then = idle.copy();
    held.stream()
        .filter(slot -> slot.window().overlaps(TimeWindow.of(instant, 1)))
        .forEach(slot -> then.apply(slot.placement()));
    return then;
  }

  private static boolean fits(ClusterState cluster, JobSpec job) {
    return BestFitPlacer.bestFit().place(cluster, job).isPresent();
  }

  private static Slot<Placement> named(String job, Slot<Placement> slot) {
    return new Slot<>(slot.window(), new Placement(JobId.of(job), slot.placement().tasks()));
  }

  private static ClusterState idle(PlacementScenario scenario) {
    ClusterState state = ClusterState.copyOf(scenario.cluster());
    List.copyOf(state.runningJobs()).forEach(state::release);
    return state;
  }
}
