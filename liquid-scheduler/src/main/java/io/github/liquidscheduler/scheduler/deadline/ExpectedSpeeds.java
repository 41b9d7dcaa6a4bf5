package io.github.liquidscheduler.scheduler.deadline;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.scheduler.resize.SpeedCurve;
import org.jspecify.annotations.Nullable;

/**
 * The speeds of jobs at each size: as measured, else as predicted for the first node's GPUs and the
 * fewest nodes, else proportional to tasks.
 */
record ExpectedSpeeds(ClusterTopology topology, @Nullable PerformancePredictor predictor) {

  /** Returns the speed with {@code to} tasks relative to {@code from} tasks. */
  double ratio(JobSpec job, SpeedCurve seen, int from, int to) {
    return from == to ? 1 : at(job, seen, to) / at(job, seen, from);
  }

  private double at(JobSpec job, SpeedCurve seen, int tasks) {
    return seen.at(tasks, size -> expected(job, size));
  }

  private double expected(JobSpec job, int tasks) {
    Node node = topology.nodes().getFirst();
    if (predictor == null || node.gpus().isEmpty()) {
      return tasks;
    }
    int gpus = job.sizedGpus(tasks);
    int level = topology.levels().size() - (gpus <= node.gpus().size() ? 1 : 2);
    double predicted =
        predictor
            .throughput(
                job,
                node.gpus().getFirst().model(),
                gpus,
                topology.levels().get(Math.max(0, level)))
            .value();
    return predicted > 0 && Double.isFinite(predicted) ? predicted : tasks;
  }
}
