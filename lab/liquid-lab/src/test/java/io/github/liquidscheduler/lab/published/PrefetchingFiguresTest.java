package io.github.liquidscheduler.lab.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.simulator.RunSummary;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.conditions.Overheads;
import io.github.liquidscheduler.simulator.storage.LaunchReport;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The simulator and the experiment of prefetching come to the same figures. */
class PrefetchingFiguresTest {

  @Test
  void theExperimentOfPrefetchingGivesTheSameFigures() {
    ReadingLoad load = ReadingLoad.liquid(.9, .25, 100, 3);
    for (Optional<Prefetching> rules :
        List.of(
            Optional.<Prefetching>empty(),
            Optional.of(Prefetching.over(load.path()).launch(load.processes()).build()))) {
      DataFirst.Outcome expected = DataFirst.run(load, rules);

      LaunchReport found = simulated(load, rules);

      assertThat(found.gpuSeconds()).isCloseTo(expected.idle(), within(1e-6));
      assertThat(found.prefetchedBytes()).isEqualTo(expected.brought());
      assertThat(found.wastedBytes()).isEqualTo(expected.wasted());
    }
  }

  private static LaunchReport simulated(ReadingLoad load, Optional<Prefetching> rules) {
    Map<String, JobSpec> specs = new HashMap<>();
    load.jobs().forEach(each -> specs.put(each.job().id().value(), each.job()));
    List<TraceJob> jobs =
        load.jobs().stream()
            .map(
                each ->
                    TraceJob.builder(each.job().id().value())
                        .submit(each.at())
                        .gpus(each.job().gpus())
                        .duration(each.length())
                        .build())
            .toList();
    LiquidScheduler.Builder scheduler =
        LiquidScheduler.builder(load.cluster()).policy(Policies.bestEffortFifo());
    rules.ifPresent(scheduler::prefetch);
    RunSummary summary =
        Simulation.builder(Trace.of("drawn", jobs), scheduler.build())
            .submittedAs(job -> Objects.requireNonNull(specs.get(job.id())))
            .overheads(new Overheads(load.processes(), Duration.ZERO))
            .storage(load.path())
            .build()
            .summarize();
    return summary.counts().launches().orElseThrow();
  }
}
