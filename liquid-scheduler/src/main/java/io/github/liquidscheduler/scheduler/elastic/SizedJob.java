package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.PolicyState;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a snapshot view of one running elastic job for sizing policies, with speeds memoized per
 *   size: measured, else predicted for the fewest nodes, else proportional to tasks.
 * Invariants: speed(n) and remaining() are constant over the view's life, one turn at most; speeds
 *   are positive and finite; a placement wider than necessary only reduces the predicted speed.
 * Cost: speed is one predictor call per size, then O(1); acceleration up to four more calls and
 *   O(levels x nodes of the placement).
 */
/** A running elastic job at one instant, as sizing policies see it. */
final class SizedJob implements SizingPolicy.Candidate {

  private final JobEntry entry;
  private final JobView view;
  private final @Nullable PerformancePredictor predictor;
  private final ClusterTopology topology;
  private final Map<Integer, Double> speeds = new HashMap<>();
  private Optional<Duration> remaining = Optional.empty();
  private boolean isRemainingKnown;

  SizedJob(JobEntry entry, Instant now, Elasticity rules, ClusterTopology topology) {
    this.entry = entry;
    view = entry.at(now);
    predictor = hasNoGpus(entry) ? null : rules.predictor().orElse(null);
    this.topology = topology;
  }

  /** Returns true if larger sizes of a job need no GPUs. */
  static boolean needsNoGpus(JobSpec job) {
    for (TaskRole role : job.sizedRoles()) {
      if (role.request().gpus() > 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns true if the first task has no GPU; predictors know GPU speeds only. */
  private static boolean hasNoGpus(JobEntry entry) {
    return entry.placement().orElseThrow().tasks().getFirst().gpus().isEmpty();
  }

  JobEntry entry() {
    return entry;
  }

  @Override
  public int tasks() {
    return entry.size();
  }

  /** Returns the speed at a size; memoized, because each comparison of two jobs asks for it. */
  @Override
  public double speed(int tasks) {
    @Nullable Double known = speeds.get(tasks);
    if (known == null) {
      known = entry.history().speeds().at(tasks, this::expected);
      speeds.put(tasks, known);
    }
    return known;
  }

  /** Returns the prior speed at a size, without measurements of this job. */
  double expected(int tasks) {
    if (predictor == null) {
      return tasks;
    }
    double predicted = predicted(predictor, tasks);
    return predicted > 0 && Double.isFinite(predicted) ? predicted : tasks;
  }

  /** Returns the predicted speed on the fewest possible nodes. */
  private double predicted(PerformancePredictor predictor, int tasks) {
    int gpus = job().sizedGpus(tasks);
    TaskPlacement first = entry.placement().orElseThrow().tasks().getFirst();
    boolean isOnOneNode = gpus <= topology.node(first.node()).gpus().size();
    return predicted(predictor, gpus, topology.levels().size() - (isOnOneNode ? 1 : 2));
  }

  private double predicted(PerformancePredictor predictor, int gpus, int level) {
    TaskPlacement first = entry.placement().orElseThrow().tasks().getFirst();
    GpuModel model = topology.gpu(new GpuId(first.node(), first.gpus().getFirst())).model();
    String name = topology.levels().get(Math.max(0, level));
    return predictor.throughput(job(), model, gpus, name).value();
  }

  /**
   * Returns the predicted speed-up of a placement of another size over the current one. Both may
   * span wider levels than necessary, which costs speed.
   */
  double acceleration(Placement to) {
    double change = retained(to) / retained(entry.placement().orElseThrow());
    return speed(to.size(entry.job())) / speed(tasks()) * change;
  }

  /**
   * Returns the fraction of its {@linkplain #speed speed} that the job keeps at a placement wider
   * than necessary; 1 where nothing is predicted.
   */
  private double retained(Placement placement) {
    if (predictor == null) {
      return 1;
    }
    double best = predicted(predictor, placement.size(entry.job()));
    double there = predicted(predictor, placement.gpus(), widestLevel(placement));
    double part = there / best;
    return part > 0 && part < 1 ? part : 1;
  }

  /** Returns the index of the narrowest level of which one domain holds the placement. */
  private int widestLevel(Placement placement) {
    List<NodeId> nodes = List.copyOf(placement.nodes());
    int level = topology.levels().size() - 1;
    if (nodes.size() == 1) {
      return level;
    }
    level--;
    while (level > 0 && !isInOneDomain(nodes, topology.levels().get(level))) {
      level--;
    }
    return level;
  }

  private boolean isInOneDomain(List<NodeId> nodes, String level) {
    Optional<Domain> first = topology.domainOf(nodes.getFirst(), level);
    return first.isPresent()
        && nodes.stream().allMatch(node -> topology.domainOf(node, level).equals(first));
  }

  /** Returns the additional GPUs of a larger size. */
  int moreGpus(int from, int to) {
    return job().sizedGpus(to) - job().sizedGpus(from);
  }

  @Override
  public JobSpec job() {
    return view.job();
  }

  @Override
  public Instant now() {
    return view.now();
  }

  @Override
  public Instant submittedAt() {
    return view.submittedAt();
  }

  @Override
  public Instant since() {
    return view.since();
  }

  @Override
  public boolean isRunning() {
    return view.isRunning();
  }

  @Override
  public int gpus() {
    return view.gpus();
  }

  @Override
  public Duration executed() {
    return view.executed();
  }

  @Override
  public double gpuSpeed() {
    return view.gpuSpeed();
  }

  @Override
  public Optional<Instant> attains(Duration gpuTime) {
    return view.attains(gpuTime);
  }

  @Override
  public Duration attained() {
    return view.attained();
  }

  @Override
  public Optional<Duration> remaining() {
    if (!isRemainingKnown) {
      remaining = view.remaining();
      isRemainingKnown = true;
    }
    return remaining;
  }

  @Override
  public int preemptions() {
    return view.preemptions();
  }

  @Override
  public PolicyState policyState() {
    return view.policyState();
  }
}
