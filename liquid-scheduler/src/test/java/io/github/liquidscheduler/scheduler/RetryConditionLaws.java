package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.explanation.RetryCondition;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
import net.jqwik.api.lifecycle.AfterProperty;

/** What explanations say of the next try of a job, with any set of features. */
class RetryConditionLaws {

  private final Set<Class<?>> seen = new HashSet<>();
  private int tries;

  @Provide
  Arbitrary<AnyWorld> worlds() {
    return AnyWorld.any();
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void copiesAndRestoredSchedulersExplainEveryJobAlike(@ForAll("worlds") AnyWorld world) {
    play(
        world,
        (step, scheduler, playback, event) -> {
          if (step % 5 == 0) {
            List<Explanation> all = explanations(scheduler);
            assertThat(explanations(scheduler.copy())).isEqualTo(all);
            assertThat(
                    explanations(
                        world
                            .options(scheduler.view().topology(), new Fuse())
                            .restore(scheduler.snapshot())))
                .isEqualTo(all);
          }
          playback.take(event);
        });
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void noJobStartsBeforeOneOfItsConditionsHasComeTrue(@ForAll("worlds") AnyWorld world) {
    tries++;
    play(
        world,
        (step, scheduler, playback, event) -> {
          Map<JobId, Explanation> before = new LinkedHashMap<>();
          explanations(scheduler).forEach(each -> before.put(each.job(), each));
          Set<JobId> stopping = stopping(scheduler);
          Optional<Instant> wakeUp = scheduler.nextWakeUp();
          List<Decision> decisions = playback.take(event).decisions();
          Happened happened = new Happened(event, wakeUp, stopping, decisions, scheduler);
          for (Decision decision : decisions) {
            if (decision instanceof Decision.Start start && before.containsKey(start.job())) {
              Explanation explanation = Objects.requireNonNull(before.get(start.job()));
              assertThat(explanation.retryConditions())
                  .as("%s at %s", explanation, event)
                  .doesNotHaveDuplicates()
                  .anyMatch(condition -> happened.mayHelp(condition, start.job()));
            }
          }
          before
              .values()
              .forEach(each -> each.retryConditions().forEach(any -> seen.add(any.getClass())));
        });
  }

  /** Holds without end are not drawn. */
  @AfterProperty
  void everyConditionIsSeen() {
    if (tries >= 300) {
      Set<Class<?>> all =
          new LinkedHashSet<>(List.of(RetryCondition.class.getPermittedSubclasses()));
      all.remove(RetryCondition.JobUpdated.class);
      assertThat(seen).containsAll(all);
    }
  }

  /** An event and what followed from it. */
  private record Happened(
      ClusterEvent event,
      Optional<Instant> wakeUp,
      Set<JobId> stopping,
      List<Decision> decisions,
      LiquidScheduler scheduler) {

    /** Returns true unless it is certain that a condition of a job has not come true. */
    boolean mayHelp(RetryCondition condition, JobId job) {
      if (event instanceof ClusterEvent.PlanProposed
          || event instanceof ClusterEvent.QueuesChanged
          || (event instanceof ClusterEvent.AboutJob about && about.job().equals(job))
          || mayHaveStopped(job)) {
        return true;
      }
      return switch (condition) {
        case RetryCondition.AtTime time -> !event.at().isBefore(time.instant());
        case RetryCondition.AfterPlan plan -> isInOrder(job);
        case RetryCondition.HeadChanged first ->
            !scheduler.waiting().contains(first.head()) || mayReorder(first.head());
        case RetryCondition.JobUpdated update -> false;
        case RetryCondition.JobReleased release -> false;
        case RetryCondition.CapacityReleased capacity -> mayRelease();
        case RetryCondition.QuotaReleased quota -> mayRelease();
        case RetryCondition.CoRunnerAccepted coRunner -> mayRelease();
        case RetryCondition.VictimsChanged victims -> true;
        case RetryCondition.AnyChange any -> true;
      };
    }

    /** Returns true if a stopping job may have lost its last tasks. */
    private boolean mayHaveStopped(JobId job) {
      return stopping.contains(job)
          && (event instanceof ClusterEvent.NodeLost || event instanceof ClusterEvent.GpuLost);
    }

    /** Returns true if no job bypasses a job, so that it may have to start before a later one. */
    private boolean isInOrder(JobId job) {
      JobEntry entry = scheduler.state().jobs().get(job);
      return !scheduler.state().jobs().policy().allowsBypass() || entry.queue().isStrict();
    }

    /** Returns true if a head may stand behind others now. */
    private boolean mayReorder(JobId head) {
      boolean isAboutIt = event instanceof ClusterEvent.AboutJob about && about.job().equals(head);
      boolean isByArrival = scheduler.state().jobs().policy().name().equals("fifo");
      return isAboutIt || (!isByArrival && !isPlainArrival());
    }

    /** Returns true if a job arrives and nothing else was due. */
    private boolean isPlainArrival() {
      return event instanceof ClusterEvent.JobSubmitted
          && wakeUp.filter(at -> !at.isAfter(event.at())).isEmpty();
    }

    /** Returns false for an arrival at which nobody leaves, shrinks or moves. */
    private boolean mayRelease() {
      return !isPlainArrival()
          || decisions.stream()
              .anyMatch(
                  decision ->
                      decision instanceof Decision.Preempt
                          || decision instanceof Decision.Resize
                          || decision instanceof Decision.Migrate);
    }
  }

  private interface Taking {
    void take(int step, LiquidScheduler scheduler, Playback playback, ClusterEvent event);
  }

  private static void play(AnyWorld world, Taking taking) {
    LiquidScheduler scheduler = world.options(world.cluster(), new Fuse()).build();
    Playback playback = new Playback(scheduler, new StalePlans());
    List<ClusterStep> steps = world.steps();
    for (int step = 0; step < steps.size() && comes(steps.get(step), playback); step++) {
      int number = step;
      Instant now = playback.now();
      world
          .treeBefore(step)
          .ifPresent(tree -> playback.take(new ClusterEvent.QueuesChanged(now, tree)));
      HoldStep.of(world, step, steps.get(step), scheduler, playback)
          .or(() -> AdoptStep.of(world, number, steps.get(number), scheduler, playback))
          .or(() -> event(world, steps.get(number), scheduler, playback))
          .ifPresent(event -> taking.take(number, scheduler, playback, event));
    }
  }

  /** Returns false if a step would come after the last instant, to which a wake-up may have led. */
  private static boolean comes(ClusterStep step, Playback playback) {
    return GpuTime.after(playback.now(), Duration.ofSeconds(step.seconds())).isPresent();
  }

  private static Optional<ClusterEvent> event(
      AnyWorld world, ClusterStep step, LiquidScheduler scheduler, Playback playback) {
    return step.kind() == ClusterStep.Kind.PLAN && !world.has(Feature.WINDOW)
        ? Optional.of(ProposedMoves.of(scheduler.view(), step.pick(), playback.now()))
        : playback.event(step).map(world::dressed);
  }

  private static Set<JobId> stopping(Scheduler scheduler) {
    return scheduler.waiting().stream()
        .filter(job -> scheduler.status(job).orElseThrow() instanceof JobStatus.Stopping)
        .collect(Collectors.toSet());
  }

  private static List<Explanation> explanations(Scheduler scheduler) {
    return scheduler.waiting().stream().map(scheduler::explain).toList();
  }
}
