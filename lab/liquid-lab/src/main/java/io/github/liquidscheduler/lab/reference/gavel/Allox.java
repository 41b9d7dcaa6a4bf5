package io.github.liquidscheduler.lab.reference.gavel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * AlloX (Le et al., EuroSys 2020) for jobs of one GPU: the assignment of jobs to places in the
 * queues of GPUs with the least sum of completion times. The first of each queue gets its GPU and
 * keeps it to its end; the others are assigned anew the next time.
 */
final class Allox implements SharePolicy {

  private final Map<GavelJob, Integer> placed = new LinkedHashMap<>();

  @Override
  public double[][] shares(List<Combination> jobs, int[] gpus) {
    placed.keySet().retainAll(jobs.stream().map(Combination::first).toList());
    int[] free = gpus.clone();
    placed.values().forEach(model -> free[model]--);
    List<GavelJob> waiting = new ArrayList<>();
    for (Combination job : jobs) {
      if (!placed.containsKey(job.first())) {
        waiting.add(job.first());
      }
    }
    placed.putAll(QueueAssignment.first(waiting, free));
    double[][] shares = new double[jobs.size()][gpus.length];
    for (int job = 0; job < shares.length; job++) {
      Integer model = placed.get(jobs.get(job).first());
      if (model != null) {
        shares[job][model] = 1;
      }
    }
    return shares;
  }
}
