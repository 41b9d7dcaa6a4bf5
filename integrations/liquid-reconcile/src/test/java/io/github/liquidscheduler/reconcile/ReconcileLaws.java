package io.github.liquidscheduler.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.reconcile.History.Kind;
import io.github.liquidscheduler.reconcile.History.Step;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

/**
 * Whatever goes wrong between a scheduler and a manager, no job runs twice or gets lost. The
 * manager itself watches that no job's processes run in two places, that none begins after an end
 * that the journal knows, that no node is over-full, and that nothing is commanded about a job that
 * is not owned.
 */
class ReconcileLaws {

  @Property(tries = 1000)
  void noJobRunsTwiceOrGetsLost(
      @ForAll("histories") List<Step> steps,
      @ForAll boolean checksRoom,
      @ForAll boolean keepsEnded,
      @ForAll boolean preempts) {
    noneRunsTwiceOrGetsLost(new FakeManager(3, checksRoom, keepsEnded), preempts, steps);
  }

  /** Users requeue jobs that have just ended, and the manager is killed before it saves that. */
  @Property(tries = 300)
  void whatHasEndedIsNotStartedAgainByAManagerThatForgetsIt(
      @ForAll("reruns") List<Step> steps,
      @ForAll @IntRange(min = 1, max = 3) int nodes,
      @ForAll boolean preempts) {
    noneRunsTwiceOrGetsLost(new FakeManager(nodes, false, true), preempts, steps);
  }

  private static void noneRunsTwiceOrGetsLost(
      FakeManager manager, boolean preempts, List<Step> steps) {
    try (History history = new History(manager, preempts)) {
      steps.forEach(history::happens);
      history.comesToRest();
      assertThat(history.manager.broken).as(() -> story(history)).isEmpty();
      for (FakeManager.Job job : history.manager.jobs()) {
        assertThat(job.is == FakeManager.Is.ENDED || !job.text.isEmpty())
            .as(() -> "job " + job + " must end or be refused\n" + story(history))
            .isTrue();
      }
      List<JobId> live = history.live();
      assertThat(live).as(() -> "nobody knows these any more\n" + story(history)).isEmpty();
    }
  }

  private static String story(History history) {
    List<String> log = history.manager.log;
    return String.join("\n", log.subList(Math.max(0, log.size() - 400), log.size()))
        + "\n"
        + history.reconciler.counts();
  }

  /**
   * It hears of each job's submission and end, once, starts it once, and decides as a scheduler
   * that is told the same events directly.
   */
  @Property(tries = 300)
  void withoutFaultsTheSchedulerHearsWhatHappenedAndNothingElse(
      @ForAll("submissions") List<Step> steps, @ForAll @IntRange(max = 9) int latency) {
    try (History history = new History(new FakeManager(3, true, true), false)) {
      history.happens(new Step(Kind.SLOW, 0, latency, 0));
      steps.forEach(history::happens);
      history.comesToRest();
      LiquidScheduler direct = history.scheduler(history.manager.cluster(), Optional.empty());
      for (int i = 0; i < history.events.size(); i++) {
        assertThat(direct.on(history.events.get(i))).isEqualTo(history.decisions.get(i));
      }
      for (FakeManager.Job job : history.manager.jobs()) {
        List<String> told =
            history.events.stream()
                .flatMap(event -> event.events().stream())
                .filter(
                    event -> event instanceof ClusterEvent.AboutJob it && it.job().equals(job.id))
                .map(event -> event.getClass().getSimpleName())
                .filter(name -> !name.equals("JobStarted"))
                .toList();
        if (job.text.isEmpty()) {
          String end = job.outcome == ObservedState.Outcome.FINISHED ? "JobFinished" : "JobFailed";
          assertThat(told).as(() -> story(history)).containsExactly("JobSubmitted", end);
          assertThat(history.manager.starts(job.id)).as(() -> story(history)).isEqualTo(1);
        } else {
          assertThat(told).as(() -> story(history)).doesNotContain("JobStarted").hasSizeLessThan(2);
        }
      }
    }
  }

  /** What was decided and is not seen is commanded again by the next process, at once. */
  @Property(tries = 300)
  void whatAKilledAdapterHasDecidedIsStarted(
      @ForAll("submissionsAndKills") List<Step> steps, @ForAll @IntRange(max = 9) int latency) {
    try (History history = new History(new FakeManager(3, true, true), false)) {
      history.happens(new Step(Kind.SLOW, 0, latency, 0));
      steps.forEach(history::happens);
      history.comesToRest();
      assertThat(history.manager.broken).as(() -> story(history)).isEmpty();
      assertThat(history.events.stream().flatMap(event -> event.events().stream()))
          .as(() -> story(history))
          .noneMatch(
              event ->
                  event instanceof ClusterEvent.JobFailed it
                      && it.failure().equals(Failure.NOT_STARTED));
    }
  }

  @Provide
  Arbitrary<List<Step>> histories() {
    Arbitrary<Kind> kinds =
        Arbitraries.frequency(
            Tuple.of(12, Kind.SUBMIT),
            Tuple.of(2, Kind.SUBMIT_FOREIGN),
            Tuple.of(1, Kind.CANCEL),
            Tuple.of(1, Kind.USER_HOLDS),
            Tuple.of(1, Kind.USER_RELEASES),
            Tuple.of(1, Kind.BY_HAND),
            Tuple.of(3, Kind.REQUEUE),
            Tuple.of(1, Kind.HIDE),
            Tuple.of(1, Kind.DRAIN),
            Tuple.of(2, Kind.RESUME),
            Tuple.of(1, Kind.NODE_DOWN),
            Tuple.of(3, Kind.KILL_MANAGER),
            Tuple.of(1, Kind.FAIL_OBSERVATIONS),
            Tuple.of(2, Kind.LOSE_COMMANDS),
            Tuple.of(2, Kind.DELAY_COMMANDS),
            Tuple.of(2, Kind.MISS_COMMANDS),
            Tuple.of(2, Kind.SLOW),
            Tuple.of(4, Kind.KILL_ADAPTER),
            Tuple.of(2, Kind.LOSE_LEASE));
    return steps(kinds).list().ofMinSize(1).ofMaxSize(40);
  }

  @Provide
  Arbitrary<List<Step>> reruns() {
    Arbitrary<List<Step>> rerun =
        Combinators.combine(
                step(Kind.SUBMIT, 10, 25),
                step(Kind.REQUEUE, 0, 30),
                step(Kind.KILL_MANAGER, 0, 130))
            .as(List::of);
    return rerun
        .list()
        .ofMinSize(1)
        .ofMaxSize(10)
        .map(reruns -> reruns.stream().flatMap(List::stream).toList());
  }

  /** Something that happens to a job that runs for as short as one does, and to the last one. */
  private static Arbitrary<Step> step(Kind kind, int fromTenths, int toTenths) {
    return Combinators.combine(
            Arbitraries.integers().between(0, 1000),
            Arbitraries.integers().between(0, 29),
            Arbitraries.integers().between(fromTenths, toTenths))
        .as((which, how, waits) -> new Step(kind, which, 34 * how, 100 * waits));
  }

  @Provide
  Arbitrary<List<Step>> submissions() {
    return steps(Arbitraries.just(Kind.SUBMIT)).list().ofMinSize(1).ofMaxSize(15);
  }

  @Provide
  Arbitrary<List<Step>> submissionsAndKills() {
    Arbitrary<Kind> kinds =
        Arbitraries.frequency(
            Tuple.of(3, Kind.SUBMIT), Tuple.of(2, Kind.KILL_ADAPTER), Tuple.of(1, Kind.LOSE_LEASE));
    return steps(kinds).list().ofMinSize(1).ofMaxSize(20);
  }

  private static Arbitrary<Step> steps(Arbitrary<Kind> kinds) {
    return Combinators.combine(
            kinds,
            Arbitraries.integers().between(0, 1000),
            Arbitraries.integers().between(0, 1000),
            Arbitraries.frequencyOf(
                Tuple.of(1, Arbitraries.integers().between(0, 5)),
                Tuple.of(1, Arbitraries.integers().between(0, 40))))
        .as((kind, which, how, waits) -> new Step(kind, which, how, 100 * waits));
  }
}
