package io.github.liquidscheduler.simulator.fairness;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The fairness of a run to queues and jobs.
 *
 * @param queues the share of each queue, in the order of the tree
 * @param jain Jain's index of {@link QueueUse#heldOfDue}: 1 if every queue had the same fraction of
 *     its due, 1/n if one of n had all (Jain, Chiu and Hawe, DEC-TR-301, 1984)
 * @param shareError the fraction of the GPU time due to queues that they did not hold, from 0 to 1
 * @param finishTimes finish-time fairness of the finished jobs, or empty if none finished
 */
public record FairnessReport(
    List<QueueUse> queues,
    double jain,
    double shareError,
    Optional<FinishTimeFairness> finishTimes) {

  /** Copies the queues. */
  public FairnessReport {
    queues = List.copyOf(queues);
    Objects.requireNonNull(finishTimes, "finishTimes");
  }

  /** Returns the report of a run on at least one GPU that {@code meter} has watched. */
  public static FairnessReport of(QueueMeter meter, SimulationResult result, int gpus) {
    List<JobOutcome> outcomes =
        result.finished().stream().map(finished -> finished.outcome()).toList();
    List<QueueUse> queues = new ArrayList<>();
    for (int queue = 0; queue < meter.leaves().size(); queue++) {
      QueueName name = meter.leaves().get(queue);
      queues.add(new QueueUse(name, times(outcomes, name), meter.held(queue), meter.due(queue)));
    }
    boolean hasRun = outcomes.stream().anyMatch(job -> !job.running().isZero());
    return new FairnessReport(
        queues,
        jain(queues),
        meter.shareError(),
        hasRun ? Optional.of(FinishTimeFairness.of(outcomes, gpus)) : Optional.empty());
  }

  private static Optional<JctStatistics> times(List<JobOutcome> outcomes, QueueName queue) {
    List<JobOutcome> own =
        outcomes.stream().filter(job -> queueOf(job).equals(queue.value())).toList();
    return own.isEmpty() ? Optional.empty() : Optional.of(JctStatistics.of(own));
  }

  private static String queueOf(JobOutcome job) {
    return job.job().virtualCluster().orElse(QueueName.DEFAULT.value());
  }

  private static double jain(List<QueueUse> queues) {
    double[] parts =
        queues.stream()
            .filter(queue -> queue.dueGpuSeconds() > 0)
            .mapToDouble(QueueUse::heldOfDue)
            .toArray();
    double sum = 0;
    double squares = 0;
    for (double part : parts) {
      sum += part;
      squares += part * part;
    }
    return squares > 0 ? sum * sum / (parts.length * squares) : 1;
  }
}
