package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.PluginFailedException;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A scheduler says so when two threads use it at once, or when it is called by what it calls. */
class ConcurrentCallsTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @Test
  void aSecondThreadIsToldAndTheFirstGoesOn() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    Scheduler scheduler =
        scheduler(
            () -> {
              inside.countDown();
              await(asked);
            });

    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<List<Decision>> first = threads.submit(() -> scheduler.on(submission("a")));
      inside.await();
      assertThatThrownBy(() -> scheduler.on(submission("b")))
          .isInstanceOf(ConcurrentModificationException.class)
          .hasMessage(
              "a scheduler must be called by one thread at a time, and not by what it calls itself,"
                  + " but on was called while another call was under way");
      asked.countDown();
      assertThat(first.get()).hasSize(1);
    }
    assertThat(scheduler.on(submission("b"))).hasSize(1);
  }

  static List<Consumer<Scheduler>> calls() {
    JobId job = JobId.of("a");
    return List.of(
        scheduler -> scheduler.on(new ClusterEvent.TimePassed(NOON)),
        Scheduler::waiting,
        Scheduler::snapshot,
        Scheduler::copy,
        Scheduler::nextWakeUp,
        scheduler -> scheduler.explain(job),
        scheduler -> scheduler.queuePosition(job),
        scheduler -> scheduler.status(job),
        scheduler -> scheduler.job(job));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void aPlacerThatCallsTheSchedulerFailsAndNothingIsLost(Consumer<Scheduler> call) {
    List<Scheduler> itself = new ArrayList<>();
    Scheduler scheduler = scheduler(() -> itself.forEach(call));
    itself.add(scheduler);

    assertThatThrownBy(() -> scheduler.on(submission("a")))
        .isInstanceOf(PluginFailedException.class)
        .hasCauseInstanceOf(ConcurrentModificationException.class);
    itself.clear();
    assertThat(scheduler.on(submission("a"))).hasSize(1);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Places by best fit, and does something first. */
  private record Busy(Runnable first) implements Placer {
    @Override
    public Optional<Placement> place(ClusterView view, JobSpec job) {
      first.run();
      return Placers.bestFit().place(view, job);
    }

    @Override
    public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
      return List.of();
    }
  }

  private static Scheduler scheduler(Runnable first) {
    return LiquidScheduler.builder(Session.cluster(2))
        .policy(Policies.fifo())
        .placer(new Busy(first))
        .build();
  }

  private static ClusterEvent submission(String job) {
    return new ClusterEvent.JobSubmitted(NOON, Session.aJob(job, 1).build());
  }
}
