package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.JobNames;
import io.github.liquidscheduler.testkit.Ledger;
import io.github.liquidscheduler.testkit.PlainCluster;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Invariants of every policy on every cluster. */
class SchedulerLaws {

  private final Placer placer = placer();

  Placer placer() {
    return BestFitPlacer.bestFit();
  }

  /** Returns jobs of any kind. */
  Arbitrary<JobDraft> jobs() {
    return JobDraft.any();
  }

  /** Returns jobs that are placed whenever there is a place for them. */
  Arbitrary<JobDraft> jobsPlacedExactly() {
    return JobDraft.ofOneRole();
  }

  @Provide
  Arbitrary<EventSequence> sequences() {
    return EventSequence.sequences(jobs(), EventSequence.POLICIES);
  }

  @Provide
  Arbitrary<EventSequence> sequencesOfOneRole() {
    return EventSequence.sequences(jobsPlacedExactly(), EventSequence.POLICIES);
  }

  @Provide
  Arbitrary<EventSequence> fifoSequences() {
    return EventSequence.sequences(jobs(), List.of(Policies.fifo()));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void whatRunsIsWholeAllowedAndNeverTooMuch(@ForAll("sequences") EventSequence sequence) {
    Ledger ledger = new Ledger(sequence.cluster());

    sequence
        .play(sequence.options().placer(placer))
        .forEach(turn -> ledger.enter(turn.event(), turn.decisions()));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void everySubmittedJobIsInExactlyOneState(@ForAll("sequences") EventSequence sequence) {
    LiquidScheduler scheduler = sequence.options().placer(placer).build();
    Playback playback = EventSequence.playback(scheduler);
    Ledger ledger = new Ledger(sequence.cluster());

    for (ClusterStep step : sequence.steps()) {
      playback.play(step).ifPresent(turn -> ledger.enter(turn.event(), turn.decisions()));

      assertThat(scheduler.waiting()).containsExactlyInAnyOrderElementsOf(ledger.waiting());
      assertThat(scheduler.view().runningJobs())
          .containsExactlyElementsOf(ledger.running().keySet());
      ledger.waiting().forEach(job -> assertThat(isWaiting(scheduler, job)).isTrue());
      ledger.running().forEach((job, place) -> assertThat(isAt(scheduler, job, place)).isTrue());
      ledger.ended().forEach(job -> assertThat(isOver(scheduler, job)).isTrue());
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void everyWaitingJobHasAReason(@ForAll("sequences") EventSequence sequence) {
    LiquidScheduler scheduler = sequence.options().placer(placer).build();
    Playback playback = EventSequence.playback(scheduler);
    sequence.steps().forEach(playback::play);

    for (JobId job : scheduler.waiting()) {
      Constraint first = scheduler.explain(job).unmetConstraints().get(0).constraint();
      assertThat(first == Constraint.BATCH_WINDOW || first == Constraint.BACK_OFF)
          .isEqualTo(!isTried(scheduler, job));
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void fifoStartsNobodyBeforeAnEarlierOneThatWaits(
      @ForAll("fifoSequences") EventSequence sequence) {
    LiquidScheduler scheduler = sequence.options().placer(placer).build();
    Playback playback = EventSequence.playback(scheduler);
    List<JobId> inOrder = new ArrayList<>();

    for (ClusterStep step : sequence.steps()) {
      Optional<Playback.Turn> turn = playback.play(step);
      List<JobId> waiting = scheduler.state().jobs().waiting().ids();
      for (Decision decision : turn.map(Playback.Turn::decisions).orElse(List.of())) {
        if (decision instanceof Decision.Start start && !waiting.isEmpty()) {
          assertThat(number(start.job())).isLessThan(number(waiting.get(0)));
        }
      }
      inOrder.clear();
      inOrder.addAll(waiting);
      inOrder.sort((a, b) -> Integer.compare(number(a), number(b)));
      assertThat(waiting).isEqualTo(inOrder);
      waiting.stream()
          .limit(1)
          .filter(job -> isTried(scheduler, job))
          .map(job -> spec(scheduler, job).atLeastSize())
          .filter(SchedulerLaws::isPlacedExactly)
          .forEach(job -> assertThat(placer.place(scheduler.view(), job)).isEmpty());
    }
  }

  private static Set<JobId> awaited(LiquidScheduler scheduler) {
    return scheduler.state().jobs().waiting().inOrder().stream()
        .filter(job -> scheduler.state().window().stage(job) == BatchedJobs.Membership.REQUESTED)
        .map(JobEntry::id)
        .collect(Collectors.toSet());
  }

  private static boolean isPlan(Optional<Playback.Turn> turn) {
    return turn.filter(taken -> taken.event() instanceof ClusterEvent.PlanProposed).isPresent();
  }

  private static boolean isTried(LiquidScheduler scheduler, JobId job) {
    JobEntry entry = scheduler.state().jobs().get(job);
    return entry.delayedUntil() == null && !scheduler.state().window().contains(entry);
  }

  /** For several roles the placer is a heuristic: it may find a placement when less is free. */
  private static boolean isPlacedExactly(JobSpec job) {
    return job.roles().size() == 1;
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void noWaitingJobCouldRun(@ForAll("sequencesOfOneRole") EventSequence sequence) {
    LiquidScheduler scheduler = sequence.options().placer(placer).build();
    Playback playback = EventSequence.playback(scheduler);

    for (ClusterStep step : sequence.steps()) {
      Set<JobId> awaited = awaited(scheduler);
      Optional<Playback.Turn> turn = playback.play(step);
      boolean planned = awaited(scheduler).isEmpty() && isPlan(turn);
      List<JobEntry> queue = scheduler.state().jobs().waiting().inOrder();
      List<JobEntry> inTurn =
          sequence.policy().allowsBypass() ? queue : queue.subList(0, Math.min(1, queue.size()));
      for (JobEntry waiting : inTurn) {
        JobId job = waiting.id();
        if (!isTried(scheduler, job) && !(planned && awaited.contains(job))) {
          continue;
        }
        assertThat(
                placer.place(
                    besideItsBetters(sequence, waiting, scheduler), waiting.job().atLeastSize()))
            .as("%s in %s", waiting.job(), scheduler.snapshot())
            .isEmpty();
      }
    }
  }

  /**
   * By plans, that is, and in capacity that it could have used itself. A job promoted as the plan
   * arrived is not checked, nor one of a queue that is first by then: it may have been ahead of the
   * other.
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void noJobIsBypassedByMoreThanTheWindowAllows(
      @ForAll("sequencesOfOneRole") EventSequence sequence) {
    int most = sequence.window().map(BatchWindow::bypassLimit).orElse(0);
    LiquidScheduler scheduler = sequence.options().placer(placer).build();
    Playback playback = EventSequence.playback(scheduler);
    Map<JobId, Integer> bypassed = new HashMap<>();

    for (ClusterStep step : sequence.steps()) {
      Set<JobId> awaited = awaited(scheduler);
      List<JobId> before = scheduler.waiting();
      Map<JobId, Long> ranksBefore = ranks(sequence, scheduler);
      List<JobId> planned = startedByPlan(playback.play(step));
      Map<JobId, Long> ranks = ranks(sequence, scheduler);
      for (JobId job : scheduler.waiting()) {
        List<JobId> behind =
            awaited.contains(job)
                ? planned.stream()
                    .filter(by -> isBehind(before, by, job))
                    .filter(by -> !isPromoted(ranksBefore, ranks, by))
                    .filter(by -> queuesAreOne(sequence, scheduler, by, job))
                    .toList()
                : List.of();
        if (bypassed.merge(job, behind.size(), Integer::sum) > most && !behind.isEmpty()) {
          ClusterState without = ClusterState.copyOf(scheduler.view());
          behind.forEach(without::release);
          assertThat(placer.place(without, spec(scheduler, job))).isEmpty();
        }
      }
    }
  }

  private static boolean isPromoted(Map<JobId, Long> before, Map<JobId, Long> after, JobId job) {
    return Objects.requireNonNull(after.get(job)) < Objects.requireNonNull(before.get(job));
  }

  private static boolean queuesAreOne(
      EventSequence sequence, LiquidScheduler scheduler, JobId one, JobId other) {
    return sequence.policy().queueOrder().isEmpty()
        || spec(scheduler, one).queue().equals(spec(scheduler, other).queue());
  }

  private static List<JobId> startedByPlan(Optional<Playback.Turn> turn) {
    return turn.map(Playback.Turn::decisions).orElse(List.of()).stream()
        .filter(decision -> decision.why() instanceof Reason.Planned)
        .filter(Decision.Start.class::isInstance)
        .map(decision -> ((Decision.Start) decision).job())
        .toList();
  }

  private static boolean isBehind(List<JobId> queue, JobId one, JobId other) {
    return queue.indexOf(one) > queue.indexOf(other);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void onlyPreemptibleJobsOfHigherRankArePreempted(@ForAll("sequences") EventSequence sequence) {
    LiquidScheduler scheduler = sequence.options().placer(placer).build();
    Playback playback = EventSequence.playback(scheduler);
    Ledger ledger = new Ledger(sequence.cluster());

    for (ClusterStep step : sequence.steps()) {
      playback.play(step).ifPresent(turn -> ledger.enter(turn.event(), turn.decisions()));
      Map<JobId, Long> ranks = ranks(sequence, scheduler);
      for (Ledger.Takeover takeover : ledger.takeovers()) {
        assertThat(sequence.policy().preempts()).isTrue();
        for (Placement victim : takeover.victims()) {
          assertThat(ranks.get(victim.job())).isGreaterThan(ranks.get(takeover.winner()));
          assertThat(ledger.job(victim.job()).isPreemptible()).isTrue();
        }
      }
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void noneOfTheVictimsCouldHaveStayed(@ForAll("sequencesOfOneRole") EventSequence sequence) {
    LiquidScheduler scheduler = sequence.options().placer(placer).build();
    Playback playback = EventSequence.playback(scheduler);
    Ledger ledger = new Ledger(sequence.cluster());
    for (ClusterStep step : sequence.steps()) {
      playback.play(step).ifPresent(turn -> ledger.enter(turn.event(), turn.decisions()));
      for (Ledger.Takeover takeover : ledger.takeovers()) {
        JobSpec winner = scheduler.job(takeover.winner()).orElseThrow().atLeastSize();
        for (Placement victim : takeover.victims()) {
          PlainCluster stayed = takeover.before().copy();
          stayed.start(ledger.job(victim.job()), victim);
          assertThat(placer.place(stayed, winner)).isEmpty();
        }
      }
    }
  }

  /** Returns the cluster without the jobs that would have to yield to the job. */
  private static ClusterState besideItsBetters(
      EventSequence sequence, JobEntry waiting, LiquidScheduler scheduler) {
    ClusterState state = ClusterState.copyOf(scheduler.view());
    if (sequence.policy().preempts()) {
      long rank = rank(sequence, waiting, scheduler);
      for (JobEntry running : scheduler.state().jobs().running().inOrder()) {
        if (mayBePreempted(running, sequence.rules(), scheduler)
            && rank(sequence, running, scheduler) > rank) {
          state.release(running.id());
        }
      }
    }
    return state;
  }

  private static boolean mayBePreempted(
      JobEntry job, PreemptionRules rules, LiquidScheduler scheduler) {
    JobView view = job.at(scheduler.state().jobs().now());
    Duration run = Duration.between(job.since(), scheduler.state().jobs().now());
    return job.job().isPreemptible()
        && !job.isPlacedAt(scheduler.state().jobs().now())
        && run.compareTo(rules.minRunTime()) >= 0
        && view.preemptions() < rules.mostPreemptions();
  }

  private static Map<JobId, Long> ranks(EventSequence sequence, LiquidScheduler scheduler) {
    JobTable jobs = scheduler.state().jobs();
    Map<JobId, Long> ranks = new HashMap<>();
    jobs.allWaiting().forEach(job -> ranks.put(job.id(), rank(sequence, job, scheduler)));
    jobs.running().inOrder().forEach(job -> ranks.put(job.id(), rank(sequence, job, scheduler)));
    return ranks;
  }

  private static long rank(EventSequence sequence, JobEntry job, LiquidScheduler scheduler) {
    return sequence
        .policy()
        .rank(new RecordedJob(job.save().values(), scheduler.state().jobs().now()));
  }

  private static JobSpec spec(LiquidScheduler scheduler, JobId job) {
    return scheduler.job(job).orElseThrow();
  }

  private static int number(JobId job) {
    return JobNames.number(job);
  }

  private static boolean isWaiting(LiquidScheduler scheduler, JobId job) {
    JobStatus status = scheduler.status(job).orElseThrow();
    return status instanceof JobStatus.Waiting || status instanceof JobStatus.Stopping;
  }

  private static boolean isAt(LiquidScheduler scheduler, JobId job, Placement placement) {
    Placement said =
        switch (scheduler.status(job).orElseThrow()) {
          case JobStatus.Starting starting -> starting.placement();
          case JobStatus.Running running -> running.placement();
          case JobStatus.Moving moving -> moving.next();
          default -> throw new AssertionError(job + " does not run");
        };
    return said.equals(placement)
        && scheduler.view().placement(job).orElseThrow().equals(placement);
  }

  private static boolean isOver(LiquidScheduler scheduler, JobId job) {
    return scheduler.status(job).orElseThrow() instanceof JobStatus.Ended;
  }
}
