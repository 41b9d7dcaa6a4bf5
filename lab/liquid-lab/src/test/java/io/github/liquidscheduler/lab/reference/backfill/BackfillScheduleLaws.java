package io.github.liquidscheduler.lab.reference.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.timeline.Reservation;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for every cluster, with and without racks, and every number of reservations. */
class BackfillScheduleLaws {

  @Provide
  Arbitrary<BackfillCase> upperLimits() {
    return BackfillCase.any(0, 9);
  }

  @Provide
  Arbitrary<BackfillCase> exact() {
    return BackfillCase.any(0, 0);
  }

  @Provide
  Arbitrary<BackfillCase> anyPredictions() {
    return BackfillCase.any(-14, 9);
  }

  @Provide
  Arbitrary<BackfillRule> rules() {
    return Arbitraries.of(
        BackfillRule.fifo(),
        BackfillRule.bestEffortFifo(),
        BackfillRule.easy(),
        BackfillRule.reserving(2),
        BackfillRule.reserving(4),
        BackfillRule.conservative());
  }

  @Property(tries = 1500, edgeCases = EdgeCasesMode.NONE)
  void nobodyStartsAfterItsFirstPromise(
      @ForAll("upperLimits") BackfillCase scenario, @ForAll("rules") BackfillRule rule) {
    assertThat(run(scenario, rule).starts().values())
        .allSatisfy(
            start ->
                assertThat(start.slot().window().start())
                    .isLessThanOrEqualTo(start.promised().orElse(TimeWindow.FOREVER)));
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void noReservationIsDelayedOrMovedButToAnEarlierStart(
      @ForAll("upperLimits") BackfillCase scenario, @ForAll("rules") BackfillRule rule) {
    ScheduleRun run = run(scenario, rule);
    run.starts();

    Map<JobId, Slot<GpusOnNodes>> last = new LinkedHashMap<>();
    for (List<Reservation<GpusOnNodes>> reservations : run.history()) {
      assertThat(reservations.size()).isLessThanOrEqualTo(rule.reservations());
      for (Reservation<GpusOnNodes> reservation : reservations) {
        Slot<GpusOnNodes> before = last.getOrDefault(reservation.job(), reservation.slot());
        if (!reservation.slot().equals(before)) {
          assertThat(reservation.start()).isLessThan(before.window().start());
        }
        last.put(reservation.job(), reservation.slot());
      }
    }
  }

  @Property(tries = 600, edgeCases = EdgeCasesMode.NONE)
  void exactDurationsLeaveReservationsWhereTheyAre(
      @ForAll("exact") BackfillCase scenario, @ForAll("rules") BackfillRule rule) {
    assertThat(run(scenario, rule).starts().values())
        .allSatisfy(
            start ->
                assertThat(start.promised())
                    .isIn(OptionalLong.empty(), OptionalLong.of(start.slot().window().start())));
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void noNodeIsEverTakenTwiceAndGangsAreWholeAndInOneRack(
      @ForAll("anyPredictions") BackfillCase scenario, @ForAll("rules") BackfillRule rule) {
    ScheduleRun run = run(scenario, rule);
    Map<JobId, StartedJob<GpusOnNodes>> starts = run.starts();
    SecondsTimeline truth = new SecondsTimeline(scenario.cluster());

    for (BackfillCase.Job job : scenario.jobs()) {
      StartedJob<GpusOnNodes> start = Objects.requireNonNull(starts.get(job.waiting().id()));
      Slot<GpusOnNodes> slot =
          new Slot<>(
              TimeWindow.of(start.slot().window().start(), job.duration()),
              start.slot().placement());
      assertThat(start.slot().window().start()).isGreaterThanOrEqualTo(job.submit());
      assertThat(truth.fits(slot)).as("%s", start).isTrue();
      assertGang(scenario.cluster(), job.waiting().gang(), slot.placement());
      truth.hold(slot);
    }
  }

  private static void assertGang(NodeRacks cluster, int gpus, GpusOnNodes placement) {
    List<Integer> nodes = placement.nodes();
    assertThat(nodes).doesNotHaveDuplicates().isSorted();
    if (gpus <= cluster.gpusPerNode()) {
      assertThat(placement.gpus()).isEqualTo(gpus);
    } else {
      assertThat(placement.gpusEach()).isEqualTo(cluster.gpusPerNode());
      assertThat(placement.gpus() - gpus).isBetween(0, cluster.gpusPerNode() - 1);
      if (nodes.size() <= cluster.nodesPerRack()) {
        assertThat(nodes.stream().map(node -> node / cluster.nodesPerRack()).distinct()).hasSize(1);
      }
    }
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void startsAreTheSameOnATimelineOfSeconds(
      @ForAll("anyPredictions") BackfillCase scenario, @ForAll("rules") BackfillRule rule) {
    assertThat(run(scenario, rule).starts())
        .isEqualTo(
            new ScheduleRun(scenario, new SecondsTimeline(scenario.cluster()), rule).starts());
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void onANumberOfGpusOneReservationIsTextbookEasy(@ForAll("upperLimits") BackfillCase scenario) {
    int gpus = scenario.cluster().gpus();
    BackfillCase counted = new BackfillCase(NodeRacks.ofGpus(gpus), scenario.jobs());

    Map<JobId, Long> starts = new LinkedHashMap<>();
    run(counted, BackfillRule.easy())
        .starts()
        .forEach((job, start) -> starts.put(job, start.slot().window().start()));

    assertThat(starts).isEqualTo(new TextbookEasy(gpus).run(counted.jobs()));
  }

  private static ScheduleRun run(BackfillCase scenario, BackfillRule rule) {
    return new ScheduleRun(scenario, new NodeTimeline(scenario.cluster()), rule);
  }
}
