package io.github.liquidscheduler.lab.published.elastic;

import io.github.liquidscheduler.shareddata.SharedData;
import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.elastic.ElasticTrace;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurves;

/** The two traces on which the numbers of the reference simulation are known. */
public enum ElasticTraces {
  A(20, 11, 8, DurationQuantiles.logUniform(600, 7200)),
  B(40, 12, 16, DurationQuantiles.philly(8));

  private static final double LOAD = 2;

  private final int jobs;
  private final int seed;
  private final int gpus;
  private final DurationQuantiles durations;

  ElasticTraces(int jobs, int seed, int gpus, DurationQuantiles durations) {
    this.jobs = jobs;
    this.seed = seed;
    this.gpus = gpus;
    this.durations = durations;
  }

  /** Returns the measured curves, or skips the test without them. */
  public static ThroughputCurves curves() {
    return ElasticFlowCurves.read(SharedData.file("elasticflow/throughputs_A100"));
  }

  public int gpus() {
    return gpus;
  }

  public ElasticTrace trace() {
    return new ElasticWorkload(curves(), durations, jobs, gpus, LOAD).trace(seed);
  }

  /** Returns the trace as the file that holds it. */
  public String csv() {
    StringBuilder csv = new StringBuilder("job,arrival,model,size,iterations,min,max\n");
    trace().jobs().forEach(job -> csv.append(line(job)));
    return csv.toString();
  }

  private static String line(ElasticJob job) {
    return "%d,%d,%s,%d,%d,%d,%d\n"
        .formatted(
            job.id(),
            job.arrival(),
            job.work().model(),
            job.sizes().submitted(),
            job.work().iterations(),
            job.sizes().minimum(),
            job.sizes().maximum());
  }
}
