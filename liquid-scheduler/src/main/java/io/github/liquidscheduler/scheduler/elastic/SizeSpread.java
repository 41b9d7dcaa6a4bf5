package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * How large jobs should get, by the number of free GPUs alone: one size after the other goes to the
 * job that the policy prefers.
 */
final class SizeSpread {

  private final SizingPolicy policy;

  SizeSpread(SizingPolicy policy) {
    this.policy = policy;
  }

  /** A job's next larger size, and what it is worth for each GPU. */
  private record Step(SizedJob job, SizingPolicy.Growth growth, double gain) {

    static final Comparator<Step> BEST_FIRST =
        Comparator.comparingDouble(Step::gain)
            .reversed()
            .thenComparingLong(step -> step.job().entry().sequence());
  }

  /** Returns the sizes of those who should get larger, in the order of their last steps. */
  Map<SizedJob, Integer> over(List<SizedJob> candidates, int freeGpus) {
    Map<SizedJob, Integer> sizes = new LinkedHashMap<>();
    int free = freeGpus;
    Steps steps = policy.isByGain() ? new ByGain() : new Pairwise();
    for (SizedJob job : free == 0 ? List.<SizedJob>of() : candidates) {
      next(job, job.tasks()).ifPresent(steps::add);
    }
    while (free > 0 && !steps.isEmpty()) {
      Step step = steps.takeBest();
      SizingPolicy.Growth growth = step.growth();
      int gpus = (growth.to() - growth.from()) * step.job().gpusPerTask();
      if (gpus <= free) {
        free -= gpus;
        sizes.put(step.job(), growth.to());
        next(step.job(), growth.to()).ifPresent(steps::add);
      }
    }
    return sizes;
  }

  private Optional<Step> next(SizedJob job, int from) {
    List<Integer> sizes = job.job().parallelism().allowedSizes();
    int at = Collections.binarySearch(sizes, from) + 1;
    if (at == sizes.size()) {
      return Optional.empty();
    }
    SizingPolicy.Growth growth = new SizingPolicy.Growth(job, from, sizes.get(at));
    double gain = policy.gain(job, from, growth.to()) / job.gpusPerTask();
    return gain > 0 ? Optional.of(new Step(job, growth, gain)) : Optional.empty();
  }

  /** The steps that may be next, one for each job. */
  private interface Steps {

    void add(Step step);

    boolean isEmpty();

    Step takeBest();
  }

  private static final class ByGain implements Steps {

    private final PriorityQueue<Step> steps = new PriorityQueue<>(Step.BEST_FIRST);

    @Override
    public void add(Step step) {
      steps.add(step);
    }

    @Override
    public boolean isEmpty() {
      return steps.isEmpty();
    }

    @Override
    public Step takeBest() {
      return steps.remove();
    }
  }

  /** Each step is compared with the best of those before it, in the order of submission. */
  private final class Pairwise implements Steps {

    private final List<Step> steps = new ArrayList<>();

    @Override
    public void add(Step step) {
      int at = Collections.binarySearch(steps, step, Comparator.comparingLong(Pairwise::order));
      steps.add(-1 - at, step);
    }

    private static long order(Step step) {
      return step.job().entry().sequence();
    }

    @Override
    public boolean isEmpty() {
      return steps.isEmpty();
    }

    @Override
    public Step takeBest() {
      int best = 0;
      for (int at = 1; at < steps.size(); at++) {
        if (policy.prefersLater(steps.get(best).growth(), steps.get(at).growth())) {
          best = at;
        }
      }
      return steps.remove(best);
    }
  }
}
