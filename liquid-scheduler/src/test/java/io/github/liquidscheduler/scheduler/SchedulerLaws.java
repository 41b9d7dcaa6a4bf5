package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobRecord;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for every policy on every cluster, whatever happens. */
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
  Arbitrary<EventSequence> stories() {
    return EventSequence.stories(jobs(), EventSequence.POLICIES);
  }

  @Provide
  Arbitrary<EventSequence> storiesOfOneRole() {
    return EventSequence.stories(jobsPlacedExactly(), EventSequence.POLICIES);
  }

  @Provide
  Arbitrary<EventSequence> fifoStories() {
    return EventSequence.stories(jobs(), List.of(Policies.fifo()));
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void whatRunsIsWholeAllowedAndNeverTooMuch(@ForAll("stories") EventSequence story) {
    Ledger ledger = new Ledger(story.cluster());

    Playback.play(story.options().placer(placer).build(), story.moves()).forEach(ledger::enter);
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void everySubmittedJobIsInExactlyOneState(@ForAll("stories") EventSequence story) {
    LiquidScheduler scheduler = story.options().placer(placer).build();
    Playback playback = new Playback(scheduler);
    Ledger ledger = new Ledger(story.cluster());

    for (ClusterStep move : story.moves()) {
      playback.play(move).ifPresent(ledger::enter);

      assertThat(scheduler.waiting()).containsExactlyInAnyOrderElementsOf(ledger.waiting());
      assertThat(scheduler.view().runningJobs())
          .containsExactlyElementsOf(ledger.running().keySet());
      ledger.waiting().forEach(job -> assertThat(isWaiting(scheduler, job)).isTrue());
      ledger.running().forEach((job, place) -> assertThat(isAt(scheduler, job, place)).isTrue());
      ledger.over().forEach(job -> assertThat(isOver(scheduler, job)).isTrue());
    }
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void everyWaitingJobHasAReason(@ForAll("stories") EventSequence story) {
    LiquidScheduler scheduler = story.options().placer(placer).build();
    Playback playback = new Playback(scheduler);
    story.moves().forEach(playback::play);

    for (JobId job : scheduler.waiting()) {
      Constraint first = scheduler.explain(job).unmetConstraints().get(0).constraint();
      assertThat(first == Constraint.BATCH_WINDOW).isEqualTo(!isTried(scheduler.snapshot(), job));
    }
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void fifoStartsNobodyBeforeAnEarlierOneThatWaits(@ForAll("fifoStories") EventSequence story) {
    LiquidScheduler scheduler = story.options().placer(placer).build();
    Playback playback = new Playback(scheduler);
    List<JobId> inOrder = new ArrayList<>();

    for (ClusterStep move : story.moves()) {
      Optional<Playback.Step> step = playback.play(move);
      List<JobId> waiting = scheduler.waiting();
      for (Decision decision : step.map(Playback.Step::decisions).orElse(List.of())) {
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
          .filter(job -> isTried(scheduler.snapshot(), job))
          .map(job -> spec(scheduler, job))
          .filter(SchedulerLaws::isPlacedExactly)
          .forEach(job -> assertThat(placer.place(scheduler.view(), job)).isEmpty());
    }
  }

  private static Set<JobId> awaited(SchedulerSnapshot state) {
    return state.window().map(window -> Set.copyOf(window.requested())).orElse(Set.of());
  }

  private static boolean isPlan(Optional<Playback.Step> step) {
    return step.filter(taken -> taken.event() instanceof ClusterEvent.PlanProposed).isPresent();
  }

  private static boolean isTried(SchedulerSnapshot state, JobId job) {
    return state.window().map(window -> window.immediate().contains(job)).orElse(true);
  }

  /** For several roles the placer is a heuristic: it may find a place when there is less room. */
  private static boolean isPlacedExactly(JobSpec job) {
    return job.roles().size() == 1;
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void noWaitingJobCouldRun(@ForAll("storiesOfOneRole") EventSequence story) {
    LiquidScheduler scheduler = story.options().placer(placer).build();
    Playback playback = new Playback(scheduler);

    for (ClusterStep move : story.moves()) {
      Set<JobId> awaited = awaited(scheduler.snapshot());
      Optional<Playback.Step> step = playback.play(move);
      SchedulerSnapshot now = scheduler.snapshot();
      boolean planned = awaited(now).isEmpty() && isPlan(step);
      List<JobRecord> inTurn =
          story.policy().allowsBypass()
              ? now.waiting()
              : now.waiting().subList(0, Math.min(1, now.waiting().size()));
      for (JobRecord waiting : inTurn) {
        JobId job = waiting.job().id();
        if (!isTried(now, job) && !(planned && awaited.contains(job))) {
          continue;
        }
        assertThat(placer.place(besideItsBetters(story, now, waiting, scheduler), waiting.job()))
            .as("%s in %s", waiting.job(), now)
            .isEmpty();
      }
    }
  }

  /** By plans, that is, and in room that it could have used itself. */
  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void noJobIsOvertakenByMoreThanTheWindowAllows(@ForAll("storiesOfOneRole") EventSequence story) {
    int most = story.window().map(BatchWindow::bypassLimit).orElse(0);
    LiquidScheduler scheduler = story.options().placer(placer).build();
    Playback playback = new Playback(scheduler);
    Map<JobId, Integer> bypassed = new HashMap<>();

    for (ClusterStep move : story.moves()) {
      Set<JobId> awaited = awaited(scheduler.snapshot());
      List<JobId> before = scheduler.waiting();
      List<JobId> planned = startedByPlan(playback.play(move));
      for (JobId job : scheduler.waiting()) {
        List<JobId> behind =
            awaited.contains(job)
                ? planned.stream().filter(by -> isBehind(before, by, job)).toList()
                : List.of();
        if (bypassed.merge(job, behind.size(), Integer::sum) > most && !behind.isEmpty()) {
          ClusterState without = ClusterState.copyOf(scheduler.view());
          behind.forEach(without::release);
          assertThat(placer.place(without, spec(scheduler, job))).isEmpty();
        }
      }
    }
  }

  private static List<JobId> startedByPlan(Optional<Playback.Step> step) {
    return step.map(Playback.Step::decisions).orElse(List.of()).stream()
        .filter(decision -> decision.why() instanceof Reason.Planned)
        .filter(Decision.Start.class::isInstance)
        .map(decision -> ((Decision.Start) decision).job())
        .toList();
  }

  private static boolean isBehind(List<JobId> queue, JobId one, JobId other) {
    return queue.indexOf(one) > queue.indexOf(other);
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void onlyJobsOfHigherRankThatMayBeStoppedMakeRoom(@ForAll("stories") EventSequence story) {
    LiquidScheduler scheduler = story.options().placer(placer).build();
    Playback playback = new Playback(scheduler);
    Ledger ledger = new Ledger(story.cluster());

    for (ClusterStep move : story.moves()) {
      playback.play(move).ifPresent(ledger::enter);
      Map<JobId, Long> ranks = ranks(story, scheduler.snapshot());
      for (Ledger.Takeover takeover : ledger.takeovers()) {
        assertThat(story.policy().preempts()).isTrue();
        for (Placement victim : takeover.victims()) {
          assertThat(ranks.get(victim.job())).isGreaterThan(ranks.get(takeover.winner()));
          assertThat(ledger.job(victim.job()).isPreemptible()).isTrue();
        }
      }
    }
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void noneOfTheVictimsCouldHaveStayed(@ForAll("storiesOfOneRole") EventSequence story) {
    Ledger ledger = new Ledger(story.cluster());
    for (Playback.Step step :
        Playback.play(story.options().placer(placer).build(), story.moves())) {
      ledger.enter(step);
      for (Ledger.Takeover takeover : ledger.takeovers()) {
        for (Placement victim : takeover.victims()) {
          List<Placement> stayed = new ArrayList<>(takeover.others());
          stayed.add(victim);
          ClusterState state = ledger.state(stayed);
          assertThat(placer.place(state, ledger.job(takeover.winner()))).isEmpty();
        }
      }
    }
  }

  /** Returns the cluster without those who would have to make room for the job. */
  private static ClusterState besideItsBetters(
      EventSequence story, SchedulerSnapshot now, JobRecord waiting, LiquidScheduler scheduler) {
    ClusterState state = ClusterState.copyOf(scheduler.view());
    if (story.policy().preempts()) {
      long rank = rank(story, now, waiting);
      for (JobRecord running : now.running()) {
        if (running.job().isPreemptible() && rank(story, now, running) > rank) {
          state.release(running.job().id());
        }
      }
    }
    return state;
  }

  private static Map<JobId, Long> ranks(EventSequence story, SchedulerSnapshot now) {
    Map<JobId, Long> ranks = new HashMap<>();
    now.waiting().forEach(job -> ranks.put(job.job().id(), rank(story, now, job)));
    now.running().forEach(job -> ranks.put(job.job().id(), rank(story, now, job)));
    return ranks;
  }

  private static long rank(EventSequence story, SchedulerSnapshot now, JobRecord job) {
    return story.policy().rank(new JobEntry(job).at(now.now()));
  }

  private static JobSpec spec(LiquidScheduler scheduler, JobId job) {
    return scheduler.snapshot().waiting().stream()
        .map(JobRecord::job)
        .filter(spec -> spec.id().equals(job))
        .findFirst()
        .orElseThrow();
  }

  private static int number(JobId job) {
    return Integer.parseInt(job.value().substring(1));
  }

  private static boolean isWaiting(LiquidScheduler scheduler, JobId job) {
    return scheduler.status(job).orElseThrow() instanceof JobStatus.Waiting;
  }

  private static boolean isAt(LiquidScheduler scheduler, JobId job, Placement placement) {
    return scheduler.status(job).orElseThrow() instanceof JobStatus.Running running
        && running.placement().equals(placement)
        && scheduler.view().placement(job).orElseThrow().equals(placement);
  }

  private static boolean isOver(LiquidScheduler scheduler, JobId job) {
    return scheduler.status(job).orElseThrow() instanceof JobStatus.Ended;
  }
}
