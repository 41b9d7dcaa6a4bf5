package io.github.liquidscheduler.lab.reference.elastic;

import io.github.liquidscheduler.lab.reference.elastic.sizing.AfsCandidate;
import java.util.ArrayList;
import java.util.List;

/** AFS-L (Hwang et al., NSDI 2021): every GPU goes to the winner of pairwise comparisons. */
public final class AfsL implements ElasticPolicy {

  @Override
  public String name() {
    return "afs";
  }

  @Override
  public JobOrder newOrder() {
    return SortedOrder.byArrival();
  }

  @Override
  public int[] sizes(List<ElasticJobState> jobs, int gpus, double now) {
    AfsCandidate[] candidates = jobs.stream().map(AfsL::candidate).toArray(AfsCandidate[]::new);
    int[] sizes = new int[candidates.length];
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < candidates.length; i++) {
      open.add(i);
    }
    int free = gpus;
    while (free > 0 && !open.isEmpty()) {
      Integer winner = winner(open, candidates);
      if (candidates[winner].gain() <= 0) {
        open.remove(winner);
        continue;
      }
      candidates[winner] = candidates[winner].grown();
      sizes[winner]++;
      free--;
      if (sizes[winner] >= most(jobs.get(winner))) {
        open.remove(winner);
      }
    }
    return sizes;
  }

  private static Integer winner(List<Integer> open, AfsCandidate[] candidates) {
    Integer best = open.get(0);
    for (Integer other : open.subList(1, open.size())) {
      best = candidates[best].yieldsTo(candidates[other]) ? other : best;
    }
    return best;
  }

  private static AfsCandidate candidate(ElasticJobState job) {
    if (job.job().sizes().minimum() > 1) {
      throw new IllegalArgumentException(
          "AFS-L gives GPUs one at a time, so that minima must be 1, but that of job %d is %d"
              .formatted(job.job().id(), job.job().sizes().minimum()));
    }
    return new AfsCandidate(job.curve(), job.left() / job.curve().throughput(1), 0);
  }

  private static int most(ElasticJobState job) {
    return MarginalGain.bounds(job, false).most();
  }
}
