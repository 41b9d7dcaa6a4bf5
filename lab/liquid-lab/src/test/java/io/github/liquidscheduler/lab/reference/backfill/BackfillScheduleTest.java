package io.github.liquidscheduler.lab.reference.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.timeline.BackfillSchedule;
import io.github.liquidscheduler.placement.timeline.Reservation;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.placement.timeline.WaitingJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class BackfillScheduleTest {

  private static final NodeRacks FOUR_GPUS = NodeRacks.ofGpus(4);

  private BackfillRule rule = BackfillRule.easy();

  private static WaitingJob<Integer> job(String id, int gpus, long length) {
    return new WaitingJob<>(JobId.of(id), gpus, length);
  }

  private static Slot<GpusOnNodes> slot(long start, long end, int gpus, Integer... nodes) {
    return new Slot<>(new TimeWindow(start, end), new GpusOnNodes(Arrays.asList(nodes), gpus));
  }

  private BackfillSchedule<Integer, GpusOnNodes> schedule(NodeRacks cluster, BackfillRule rule) {
    this.rule = rule;
    return new BackfillSchedule<>(new NodeTimeline(cluster));
  }

  @SafeVarargs
  private final List<String> pass(
      BackfillSchedule<Integer, GpusOnNodes> schedule, long now, WaitingJob<Integer>... waiting) {
    List<WaitingJob<Integer>> inOrder = new ArrayList<>();
    for (WaitingJob<Integer> job : waiting) {
      inOrder.add(job);
    }
    return rule.pass(schedule, now, inOrder).stream().map(start -> start.job().value()).toList();
  }

  private static long start(BackfillSchedule<Integer, GpusOnNodes> schedule, String job) {
    return schedule.reservation(JobId.of(job)).orElseThrow().start();
  }

  @Test
  void theHeadIsPromisedItsShadowTimeAndSpareGpusAreForOthers() {
    NodeTimeline timeline = new NodeTimeline(FOUR_GPUS);
    BackfillSchedule<Integer, GpusOnNodes> schedule = new BackfillSchedule<>(timeline);
    schedule.started(JobId.of("long"), slot(0, 10, 2, 0));

    assertThat(pass(schedule, 0, job("head", 3, 5), job("spare", 1, 99), job("late", 1, 99)))
        .containsExactly("spare");
    assertThat(start(schedule, "head")).isEqualTo(10);
    assertThat(BackfillRule.nextStart(schedule)).hasValue(10);
    assertThat(timeline.freeGpus(new TimeWindow(10, 15))).isZero();
    assertThat(timeline.freeGpus(new TimeWindow(0, 10))).isEqualTo(1);
  }

  /** Who was to end then runs on, so that the place is not free at the reserved start. */
  @Test
  void aReservedStartThatWasMissedIsRepairedAndNeverInThePast() {
    BackfillSchedule<Integer, GpusOnNodes> schedule = schedule(FOUR_GPUS, BackfillRule.easy());
    schedule.started(JobId.of("long"), slot(0, 10, 2, 0));
    pass(schedule, 0, job("head", 3, 5));
    List<WaitingJob<Integer>> head = List.of(job("head", 3, 5));

    assertThat(rule.pass(schedule, 10, head, place -> false)).isEmpty();
    assertThat(start(schedule, "head")).isEqualTo(10);

    assertThat(rule.pass(schedule, 12, head))
        .singleElement()
        .satisfies(start -> assertThat(start.slot().window()).isEqualTo(new TimeWindow(12, 17)));
  }

  /** Two racks of four hosts: free at 0, 0, 10 and 30, and at 0, 20, 20 and 25. */
  @Test
  void jobsGoAroundAGangThatWaitsForARack() {
    BackfillSchedule<Integer, GpusOnNodes> schedule =
        schedule(new NodeRacks(8, 1, 4), BackfillRule.easy());
    long[] freeAt = {0, 0, 10, 30, 0, 20, 20, 25};
    for (int host = 0; host < freeAt.length; host++) {
      if (freeAt[host] > 0) {
        schedule.started(JobId.of("on-" + host), slot(0, freeAt[host], 1, host));
      }
    }

    List<StartedJob<GpusOnNodes>> started =
        rule.pass(
            schedule,
            0,
            List.of(job("gang", 3, 60), job("a", 1, 8), job("b", 1, 15), job("c", 1, 15)));

    Reservation<GpusOnNodes> gang = schedule.reservation(JobId.of("gang")).orElseThrow();
    assertThat(gang.slot()).isEqualTo(slot(10, 70, 1, 0, 1, 2));
    assertThat(started)
        .extracting(start -> start.job() + " on " + start.slot().placement().nodes())
        .containsExactly("a on [0]", "b on [4]");
  }

  @Test
  void anEarlyEndMovesReservationsForwardOnly() {
    BackfillSchedule<Integer, GpusOnNodes> schedule =
        schedule(FOUR_GPUS, BackfillRule.conservative());
    schedule.started(JobId.of("a"), slot(0, 10, 2, 0));
    schedule.started(JobId.of("b"), slot(0, 20, 2, 0));
    WaitingJob<Integer> two = job("two", 2, 5);
    WaitingJob<Integer> four = job("four", 4, 5);
    pass(schedule, 0, two, four);
    assertThat(start(schedule, "two")).isEqualTo(10);
    assertThat(start(schedule, "four")).isEqualTo(20);

    schedule.ended(JobId.of("b"), 3);

    assertThat(pass(schedule, 3, two, four)).containsExactly("two");
    assertThat(start(schedule, "four")).isEqualTo(10);
    schedule.ended(JobId.of("two"), 8);
    pass(schedule, 8, four);
    schedule.ended(JobId.of("a"), 9);
    List<StartedJob<GpusOnNodes>> started = rule.pass(schedule, 9, List.of(four));
    assertThat(started.getFirst().promised()).isEqualTo(OptionalLong.of(20));
  }

  @Test
  void anOverrunMovesWhatItMakesImpossibleAndWhatIsBehind() {
    BackfillSchedule<Integer, GpusOnNodes> schedule =
        schedule(FOUR_GPUS, BackfillRule.conservative());
    schedule.started(JobId.of("a"), slot(0, 10, 2, 0));
    schedule.started(JobId.of("b"), slot(0, 20, 2, 0));
    WaitingJob<Integer> two = job("two", 2, 5);
    WaitingJob<Integer> four = job("four", 4, 5);
    pass(schedule, 0, two, four);

    schedule.predictedEnd(JobId.of("a"), 30);

    assertThat(pass(schedule, 10, two, four)).isEmpty();
    assertThat(start(schedule, "two")).isEqualTo(20);
    assertThat(start(schedule, "four")).isEqualTo(30);
    assertThat(schedule.reservation(JobId.of("two")).orElseThrow().promised()).isEqualTo(10);
  }

  @Test
  void jobsBehindAnImpossibleReservationAreReplannedToo() {
    BackfillSchedule<Integer, GpusOnNodes> schedule =
        schedule(NodeRacks.ofGpus(5), BackfillRule.conservative());
    schedule.started(JobId.of("a"), slot(0, 10, 2, 0));
    schedule.started(JobId.of("b"), slot(0, 20, 2, 0));
    WaitingJob<Integer> three = job("three", 3, 5);
    WaitingJob<Integer> one = job("one", 1, 12);
    pass(schedule, 0, three, one);
    assertThat(start(schedule, "one")).isEqualTo(15);

    schedule.predictedEnd(JobId.of("a"), 20);

    assertThat(pass(schedule, 10, three, one)).containsExactly("one");
    assertThat(start(schedule, "three")).isEqualTo(20);
  }

  @Test
  void aMissedReservationIsReplanned() {
    BackfillSchedule<Integer, GpusOnNodes> schedule = schedule(FOUR_GPUS, BackfillRule.easy());
    schedule.started(JobId.of("a"), slot(0, 10, 4, 0));
    pass(schedule, 0, job("head", 4, 5));

    schedule.ended(JobId.of("a"), 12);

    assertThat(pass(schedule, 12, job("head", 4, 5))).containsExactly("head");
  }

  @Test
  void aCancelledJobsReservationIsForOthers() {
    BackfillSchedule<Integer, GpusOnNodes> schedule =
        schedule(FOUR_GPUS, BackfillRule.conservative());
    schedule.started(JobId.of("a"), slot(0, 10, 3, 0));
    pass(schedule, 0, job("first", 4, 5), job("second", 2, 5));
    assertThat(start(schedule, "second")).isEqualTo(15);

    schedule.cancelled(JobId.of("first"));

    pass(schedule, 1, job("second", 2, 5));
    assertThat(start(schedule, "second")).isEqualTo(10);
  }

  @Test
  void aJobThatFitsAtNoInstantDelaysNoneAndGetsNone() {
    BackfillSchedule<Integer, GpusOnNodes> schedule = schedule(FOUR_GPUS, BackfillRule.easy());

    assertThat(pass(schedule, 0, job("huge", 5, 5), job("small", 1, 5))).containsExactly("small");
    assertThat(schedule.reservation(JobId.of("huge"))).isEqualTo(Optional.empty());
    assertThat(BackfillRule.nextStart(schedule)).isEmpty();
  }

  @Test
  void whatIsNotTrueIsRefused() {
    BackfillSchedule<Integer, GpusOnNodes> schedule = schedule(FOUR_GPUS, BackfillRule.easy());
    schedule.started(JobId.of("a"), slot(0, 10, 1, 0));

    assertThatThrownBy(() -> schedule.started(JobId.of("a"), slot(0, 10, 1, 0)))
        .hasMessage("job 'a' runs already");
    assertThatThrownBy(() -> schedule.ended(JobId.of("b"), 1)).hasMessage("job 'b' does not run");
    assertThatThrownBy(() -> schedule.predictedEnd(JobId.of("a"), 0))
        .hasMessageContaining("a window must end after its start");
    assertThatThrownBy(() -> job("c", 1, 0)).hasMessageContaining("must be at least 1");
  }
}
