package io.github.liquidscheduler.simulator.reference.elastic;

/**
 * What became of an elastic job. Times are seconds from the start of the trace.
 *
 * @param job the job
 * @param firstStart when it first got GPUs
 * @param end when it finished
 * @param running how long it held GPUs
 * @param gpuSeconds the GPUs it held, by how long it held them
 * @param preemptions how often it lost all its GPUs
 */
public record FinishedJob(
    ElasticJob job,
    double firstStart,
    double end,
    double running,
    double gpuSeconds,
    int preemptions) {

  static FinishedJob of(ElasticJobState state) {
    return new FinishedJob(
        state.job(),
        state.firstStart(),
        state.end(),
        state.held(),
        state.attainedService(),
        state.preemptions());
  }

  /** Returns the seconds from arrival to end (JCT). */
  public double completion() {
    return end - job.arrival();
  }
}
