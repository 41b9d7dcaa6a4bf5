package io.github.liquidscheduler.lab.reference;

import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.List;

/** Traces in few words. Times are seconds. */
final class TestTraces {

  private TestTraces() {}

  static Trace of(TraceJob... jobs) {
    return Trace.of("test", List.of(jobs));
  }

  static TraceJob job(String id, int gpus, long submit, long duration) {
    return TraceJob.builder(id)
        .gpus(gpus)
        .submit(Duration.ofSeconds(submit))
        .duration(Duration.ofSeconds(duration))
        .build();
  }
}
