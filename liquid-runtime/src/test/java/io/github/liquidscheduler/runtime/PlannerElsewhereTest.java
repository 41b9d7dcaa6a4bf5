package io.github.liquidscheduler.runtime;

import static io.github.liquidscheduler.runtime.LoopFixture.scheduler;
import static io.github.liquidscheduler.runtime.LoopFixture.submission;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans are made elsewhere, and the loop goes on meanwhile. */
class PlannerElsewhereTest {

  private final LoopFixture fixture = new LoopFixture();
  private final Deque<Runnable> planning = new ArrayDeque<>();
  private final List<Throwable> failures = new ArrayList<>();

  private SchedulerLoop loop(BatchPlanner planner) {
    BatchWindow pairs =
        BatchWindow.of(Duration.ofSeconds(15)).maxJobs(2).planTimeout(Duration.ofSeconds(30));
    LiquidScheduler scheduler = scheduler().batch(pairs).build();
    return fixture.loop(scheduler).planner(planner, planning::add).failures(failures::add).start();
  }

  @Test
  void aPlanComesBackAsAnEvent() {
    SchedulerLoop loop = loop(BatchPlanners.greedy());
    loop.offer(submission("a", 2));
    loop.offer(submission("b", 2));
    fixture.time.settle();
    assertThat(fixture.recorder.handled).isEmpty();
    assertThat(planning).hasSize(1);

    planning.remove().run();
    fixture.time.settle();

    assertThat(fixture.recorder.events().getLast()).isInstanceOf(ClusterEvent.PlanProposed.class);
    assertThat(fixture.recorder.handled).hasSize(2).allMatch(Decision.Start.class::isInstance);
  }

  @Test
  void eventsAreTakenWhileAPlanIsMade() {
    SchedulerLoop loop = loop(BatchPlanners.greedy());
    loop.offer(submission("a", 2));
    loop.offer(submission("b", 2));
    fixture.time.settle();

    loop.offer(submission("c", 1));
    fixture.time.settle();

    assertThat(fixture.recorder.journal).hasSize(3);
  }

  @Test
  void withoutAPlanTheSchedulerGoesOnByItself() {
    SchedulerLoop loop =
        loop(
            request -> {
              throw new IllegalStateException("no solver");
            });
    loop.offer(submission("a", 2));
    loop.offer(submission("b", 2));
    fixture.time.settle();
    planning.remove().run();

    fixture.time.pass(Duration.ofSeconds(30));

    assertThat(failures).singleElement().isInstanceOf(IllegalStateException.class);
    assertThat(fixture.recorder.handled).hasSize(2);
  }
}
