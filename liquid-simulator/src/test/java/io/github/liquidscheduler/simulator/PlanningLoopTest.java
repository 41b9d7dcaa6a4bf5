package io.github.liquidscheduler.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.planner.PlanCost;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanningLoopTest {

  private static final PlanOptions OPTIONS = PlanOptions.builder().steps(500).build();
  private static final BatchWindow WINDOW =
      BatchWindow.of(Duration.ofSeconds(15)).planTimeout(Duration.ofSeconds(10));

  private final List<ClusterEvent> events = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(strings = {"timefold", "greedy"})
  void plansThatAreAskedForComeAfterTheirDelay(String planner) {
    SimulationResult result =
        run(
            new PlanningLoop(
                BatchPlanners.named(planner, PlanCost.physical()), OPTIONS, Duration.ofSeconds(3)));

    assertThat(result.finished()).hasSize(12);
    assertThat(events.stream().filter(ClusterEvent.PlanProposed.class::isInstance).findFirst())
        .map(ClusterEvent::at)
        .contains(Instant.ofEpochSecond(18));
  }

  @Test
  void theSameStepsGiveTheSameDecisions() {
    PlanningLoop planning =
        new PlanningLoop(BatchPlanners.timefold(), OPTIONS, Duration.ofSeconds(3));

    assertThat(run(planning).decisionsDigest()).isEqualTo(run(planning).decisionsDigest());
  }

  @Test
  void withoutAPlannerJobsArePlacedWhenTheTimeForThePlanIsOver() {
    List<Instant> starts = new ArrayList<>();
    Simulation.builder(trace(), scheduler())
        .listener(
            heard(
                (event, decisions) ->
                    decisions.stream()
                        .filter(Decision.Start.class::isInstance)
                        .forEach(start -> starts.add(event.at()))))
        .build()
        .run();

    assertThat(starts).hasSize(12).first().isEqualTo(Instant.ofEpochSecond(25));
  }

  @Test
  void aDelayIsNotNegative() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PlanningLoop(BatchPlanners.greedy(), OPTIONS, Duration.ofSeconds(-1)))
        .withMessage("the delay of plans must not be negative, but was PT-1S");
  }

  private SimulationResult run(PlanningLoop planning) {
    events.clear();
    return Simulation.builder(trace(), scheduler())
        .planning(planning)
        .strict()
        .listener(heard((event, decisions) -> events.add(event)))
        .build()
        .run();
  }

  private static SimulationListener heard(BiConsumer<ClusterEvent, List<Decision>> listener) {
    return new SimulationListener() {
      @Override
      public void decided(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
        listener.accept(event, decisions);
      }
    };
  }

  private static LiquidScheduler scheduler() {
    return LiquidScheduler.builder(Runs.cluster(4, 4))
        .policy(Policies.bestEffortFifo())
        .batch(WINDOW)
        .build();
  }

  /** Twelve jobs of 1 to 4 GPUs that come within 6 s and run for 100 s. */
  private static Trace trace() {
    return Trace.of(
        "twelve",
        IntStream.range(0, 12)
            .mapToObj(
                i ->
                    TraceJob.builder("j" + i)
                        .submit(Duration.ofMillis(500L * i))
                        .gpus(1 + i % 4)
                        .duration(Duration.ofSeconds(100))
                        .build())
            .toList());
  }
}
