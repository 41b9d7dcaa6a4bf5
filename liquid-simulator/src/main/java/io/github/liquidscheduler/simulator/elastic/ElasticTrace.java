package io.github.liquidscheduler.simulator.elastic;

import static java.util.Comparator.comparingLong;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Elastic jobs in the order of arrival and, of one instant, of their ids. Immutable. */
public final class ElasticTrace {

  /** The name of the format. */
  public static final String FORMAT = "elastic";

  private static final String JOB = "job";
  private static final String ARRIVAL = "arrival";
  private static final String MODEL = "model";
  private static final String SIZE = "size";
  private static final String ITERATIONS = "iterations";
  private static final String MIN = "min";
  private static final String MAX = "max";

  private static final long LATEST = 36_500L * 86_400;
  private static final long MOST_ITERATIONS = 1_000_000_000_000_000L;

  private final List<ElasticJob> jobs;

  private ElasticTrace(List<ElasticJob> jobs) {
    this.jobs = jobs;
  }

  /**
   * Returns the trace of {@code jobs}.
   *
   * @throws IllegalArgumentException if there is no job, or two have the same id
   */
  public static ElasticTrace of(Collection<ElasticJob> jobs) {
    if (jobs.isEmpty()) {
      throw new IllegalArgumentException("a trace must have at least one job, but had none");
    }
    if (jobs.stream().map(ElasticJob::id).distinct().count() < jobs.size()) {
      throw new IllegalArgumentException("a job id must come once, but one came again");
    }
    return new ElasticTrace(
        jobs.stream()
            .sorted(comparingLong(ElasticJob::arrival).thenComparingLong(ElasticJob::id))
            .toList());
  }

  /**
   * Reads a CSV file with the columns {@code job,arrival,model,size,iterations,min,max}: a number
   * as identity, whole seconds, the name of a curve, GPUs, iterations, GPUs, GPUs.
   *
   * @throws InputFormatException if there is no such file, it cannot be read or a row is wrong
   */
  public static ElasticTrace read(Path file, ThroughputCurves curves) {
    List<Row> rows = Rows.read(file, JOB, ARRIVAL, MODEL, SIZE, ITERATIONS, MIN, MAX);
    if (rows.isEmpty()) {
      throw new InputFormatException(file + ": a trace must have at least one job, but had none");
    }
    List<ElasticJob> jobs = new ArrayList<>();
    Set<Long> seen = new HashSet<>();
    for (Row row : rows) {
      ElasticJob job = job(row, curves);
      if (!seen.add(job.id())) {
        throw row.error(JOB, "must come once");
      }
      jobs.add(job);
    }
    return of(jobs);
  }

  /** Returns the jobs in their order; at least one. */
  public List<ElasticJob> jobs() {
    return jobs;
  }

  private static ElasticJob job(Row row, ThroughputCurves curves) {
    ThroughputCurve curve =
        curves
            .of(row.text(MODEL))
            .orElseThrow(() -> row.error(MODEL, "must be the model of a curve"));
    int size = (int) row.whole(SIZE, 1, curve.largest());
    int minimum = (int) row.whole(MIN, 1, curve.largest());
    int maximum = (int) row.whole(MAX, Math.max(size, minimum), ThroughputCurves.MOST_GPUS);
    return new ElasticJob(
        row.whole(JOB, 0, Long.MAX_VALUE),
        row.whole(ARRIVAL, 0, LATEST),
        new ElasticJob.Work(row.text(MODEL), curve, row.whole(ITERATIONS, 1, MOST_ITERATIONS)),
        new ElasticJob.Sizes(size, minimum, maximum));
  }
}
