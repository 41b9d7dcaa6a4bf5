package io.github.liquidscheduler.lab.reference.backfill;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.timeline.WaitingJob;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * A small cluster and what is submitted to it.
 *
 * @param cluster the cluster
 * @param jobs the jobs in the order of their submission
 */
record BackfillCase(NodeRacks cluster, List<Job> jobs) {

  /**
   * A job.
   *
   * @param waiting what is known of it
   * @param submit when it comes
   * @param duration how long it runs in truth
   */
  record Job(WaitingJob<Integer> waiting, long submit, long duration) {}

  /** A job as it is drawn: the prediction differs from the duration by {@code error}. */
  private record Draft(int gap, int gpus, int duration, int error) {

    Job job(int number, long submit, NodeRacks cluster) {
      int most = cluster.gpus();
      int predicted = Math.max(1, duration + error);
      return new Job(
          new WaitingJob<>(JobId.of("j" + number), 1 + gpus % most, predicted), submit, duration);
    }
  }

  /** Returns cases in which predictions differ from durations by so much at most. */
  static Arbitrary<BackfillCase> any(int fromError, int toError) {
    Arbitrary<Draft> drafts =
        Combinators.combine(
                Arbitraries.integers().between(0, 6),
                Arbitraries.integers().between(0, 30),
                Arbitraries.integers().between(1, 15),
                Arbitraries.integers().between(fromError, toError))
            .as(Draft::new);
    Arbitrary<NodeRacks> clusters =
        Combinators.combine(
                Arbitraries.integers().between(1, 6),
                Arbitraries.integers().between(1, 4),
                Arbitraries.integers().between(1, 6))
            .as(NodeRacks::new);
    return Combinators.combine(clusters, drafts.list().ofMinSize(1).ofMaxSize(16))
        .as(BackfillCase::of);
  }

  private static BackfillCase of(NodeRacks cluster, List<Draft> drafts) {
    long submit = 0;
    List<Job> jobs = new ArrayList<>();
    for (Draft draft : drafts) {
      submit += draft.gap();
      jobs.add(draft.job(jobs.size(), submit, cluster));
    }
    return new BackfillCase(cluster, List.copyOf(jobs));
  }
}
