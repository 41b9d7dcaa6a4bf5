package io.github.liquidscheduler.cli.slurm;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * How long the jobs of a trial waited, in seconds.
 *
 * @param jobs the number of jobs that ended
 * @param completed the number of those that ran to their ends
 * @param mean the mean wait
 * @param p95 the 95th percentile of the waits
 * @param large the mean wait of jobs of at least 32 GPUs
 * @param makespan from the first submission to the last end
 * @param utilization the part of all GPU time of the makespan that jobs held
 */
record PhillyWaits(
    int jobs,
    int completed,
    double mean,
    double p95,
    double large,
    Duration makespan,
    double utilization) {

  static PhillyWaits of(List<TrialJob> jobs, List<TrialOutcome> ended) {
    Duration makespan = SlurmScene.makespan(ended);
    double held =
        ended.stream()
            .mapToDouble(
                job ->
                    (double) Duration.between(job.started(), job.ended()).toSeconds()
                        * drawn(jobs, job).allGpus())
            .sum();
    List<Long> waits = ended.stream().map(job -> job.waited().toSeconds()).sorted().toList();
    return new PhillyWaits(
        ended.size(),
        (int) ended.stream().filter(job -> job.state().equals("COMPLETED")).count(),
        mean(ended, job -> true),
        waits.get(Math.ceilDiv(95 * waits.size(), 100) - 1),
        mean(ended, job -> drawn(jobs, job).allGpus() >= PhillySlice.LARGE),
        makespan,
        held / makespan.toSeconds() / (PhillySlice.NODES * PhillySlice.GPUS_OF_NODE));
  }

  private static TrialJob drawn(List<TrialJob> jobs, TrialOutcome outcome) {
    return jobs.get(SlurmTrial.position(outcome.name()));
  }

  private static double mean(List<TrialOutcome> ended, Predicate<TrialOutcome> counts) {
    return ended.stream()
        .filter(counts)
        .mapToLong(job -> job.waited().toSeconds())
        .average()
        .orElse(0);
  }
}
