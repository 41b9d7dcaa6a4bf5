package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;

/**
 * Distributes free GPUs over elastic jobs by count alone: one size step at a time to the job that
 * the policy prefers.
 */
final class SizeSpread {

  private final SizingPolicy policy;
  private final boolean someNeedNone;
  private final List<Step> first;

  /** Makes the spread; each candidate grows once. */
  SizeSpread(SizingPolicy policy, List<SizedJob> candidates) {
    this.policy = policy;
    someNeedNone = candidates.stream().anyMatch(job -> SizedJob.needsNoGpus(job.job()));
    first = new ArrayList<>(candidates.size());
    for (SizedJob job : candidates) {
      next(job, job.tasks()).ifPresent(first::add);
    }
    first.sort(policy.isByGain() ? Comparator.naturalOrder() : Pairwise.IN_ORDER);
  }

  /** A job's next size step and its gain per GPU. */
  private record Step(SizedJob job, SizingPolicy.Growth growth, double gain)
      implements Comparable<Step> {

    /** Orders by largest gain, then by submission. */
    @Override
    public int compareTo(Step other) {
      int byGain = Double.compare(other.gain, gain);
      return byGain == 0 ? Long.compare(order(), other.order()) : byGain;
    }

    long order() {
      return job.entry().sequence();
    }
  }

  /**
   * Returns the new sizes of the jobs that should grow, in order of their first steps, and removes
   * them from the candidates; empty if none is left.
   */
  Map<SizedJob, Integer> next(int freeGpus) {
    Map<SizedJob, Integer> sizes = new LinkedHashMap<>();
    int free = freeGpus;
    Steps steps = policy.isByGain() ? new ByGain(first) : new Pairwise(first);
    while ((free > 0 || someNeedNone) && !steps.isEmpty()) {
      Step step = steps.takeBest();
      SizingPolicy.Growth growth = step.growth();
      int gpus = step.job().moreGpus(growth.from(), growth.to());
      if (gpus <= free) {
        free -= gpus;
        sizes.put(step.job(), growth.to());
        next(step.job(), growth.to()).ifPresent(steps::add);
      }
    }
    if (!sizes.isEmpty()) {
      first.removeIf(step -> sizes.containsKey(step.job()));
    }
    return sizes;
  }

  private Optional<Step> next(SizedJob job, int from) {
    OptionalInt larger = job.job().parallelism().next(from);
    if (larger.isEmpty()) {
      return Optional.empty();
    }
    SizingPolicy.Growth growth = new SizingPolicy.Growth(job, from, larger.getAsInt());
    double perTask = (double) job.moreGpus(from, growth.to()) / (growth.to() - from);
    double gain = policy.gain(job, from, growth.to()) / perTask;
    return gain > 0 ? Optional.of(new Step(job, growth, gain)) : Optional.empty();
  }

  /** The candidate steps, one per job. */
  private interface Steps {

    void add(Step step);

    boolean isEmpty();

    Step takeBest();
  }

  /** Keeps first steps sorted and merges later steps, which are few, from a heap. */
  private static final class ByGain implements Steps {

    private final List<Step> first;
    private int taken;
    private final PriorityQueue<Step> later = new PriorityQueue<>();

    ByGain(List<Step> first) {
      this.first = first;
    }

    @Override
    public void add(Step step) {
      later.add(step);
    }

    @Override
    public boolean isEmpty() {
      return taken == first.size() && later.isEmpty();
    }

    @Override
    public Step takeBest() {
      boolean isLater =
          taken == first.size()
              || (!later.isEmpty() && later.element().compareTo(first.get(taken)) < 0);
      return isLater ? later.remove() : first.get(taken++);
    }
  }

  /**
   * Compares each step with the best of those before it, in order of submission. The policy need
   * not be transitive, so a heap will not do; prefix winners before the first changed step stay
   * valid.
   */
  private final class Pairwise implements Steps {

    private static final Comparator<Step> IN_ORDER = Comparator.comparingLong(Step::order);

    private final List<Step> steps;
    private final int[] bestUpTo;
    private int compared;

    Pairwise(List<Step> first) {
      steps = new ArrayList<>(first);
      bestUpTo = new int[steps.size()];
    }

    @Override
    public void add(Step step) {
      int at = -1 - Collections.binarySearch(steps, step, IN_ORDER);
      steps.add(at, step);
      compared = Math.min(compared, at);
    }

    @Override
    public boolean isEmpty() {
      return steps.isEmpty();
    }

    @Override
    public Step takeBest() {
      while (compared < steps.size()) {
        bestUpTo[compared] = betterOf(compared == 0 ? 0 : bestUpTo[compared - 1], compared);
        compared++;
      }
      int best = bestUpTo[steps.size() - 1];
      compared = best;
      return steps.remove(best);
    }

    private int betterOf(int best, int next) {
      return best < next && policy.prefersLater(steps.get(best).growth(), steps.get(next).growth())
          ? next
          : best;
    }
  }
}
