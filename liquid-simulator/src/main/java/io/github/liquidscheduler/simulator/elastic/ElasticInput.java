package io.github.liquidscheduler.simulator.elastic;

import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** Elastic jobs as a simulation with a scheduler takes them. Immutable. */
public final class ElasticInput {

  private final String source;
  private final Map<String, ElasticJob> jobs = new LinkedHashMap<>();

  /** Takes the jobs of a trace, which messages call {@code source}. */
  public ElasticInput(String source, ElasticTrace trace) {
    this.source = source;
    trace.jobs().forEach(job -> jobs.put(Long.toString(job.id()), job));
  }

  /** Returns the jobs, which ask for the GPUs that they were submitted with. */
  public Trace trace() {
    List<TraceJob> all = jobs.values().stream().map(ElasticInput::traceJob).toList();
    return Trace.of(source, all);
  }

  /**
   * Returns the sizes that a job may have: what its user allows, up to where its curve is highest;
   * always the submitted one.
   *
   * @param mostTimes the most GPUs, as a multiple of those submitted
   * @param isMeasured whether only measured sizes are allowed, and the submitted one
   * @throws NullPointerException if there is no such job
   */
  public Parallelism sizes(TraceJob job, int mostTimes, boolean isMeasured) {
    ElasticJob found = Objects.requireNonNull(jobs.get(job.id()), () -> "no " + job);
    int submitted = found.sizes().submitted();
    long most = Math.min((long) mostTimes * submitted, found.work().curve().peak());
    int max = (int) Math.max(submitted, Math.min(found.sizes().maximum(), most));
    int min = Math.min(submitted, found.sizes().minimum());
    IntStream all = IntStream.rangeClosed(min, max);
    IntStream allowed =
        isMeasured
            ? all.filter(
                size -> size == submitted || found.work().curve().measuredFrom(size) == size)
            : all;
    return new Parallelism(allowed.boxed().toList(), submitted);
  }

  private static TraceJob traceJob(ElasticJob job) {
    return TraceJob.builder(Long.toString(job.id()))
        .submit(Duration.ofSeconds(job.arrival()))
        .gpus(job.sizes().submitted())
        .iterations(job.work().iterations())
        .model(job.work().model())
        .build();
  }
}
