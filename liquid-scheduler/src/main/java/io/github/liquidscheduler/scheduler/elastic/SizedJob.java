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
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.PolicyState;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A running job of several sizes, as a policy of sizes sees it at one instant. */
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

  /** Returns whether a job gets larger without any GPU. */
  static boolean needsNoGpus(JobSpec job) {
    for (TaskRole role : job.sizedRoles()) {
      if (role.request().gpus() > 0) {
        return false;
      }
    }
    return true;
  }

  /** Speeds are predicted for GPUs. */
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

  /** Returns the speed, which is asked for at each step of each comparison, and stays the same. */
  @Override
  public double speed(int tasks) {
    @Nullable Double known = speeds.get(tasks);
    if (known == null) {
      known = entry.speeds().at(tasks, this::expected);
      speeds.put(tasks, known);
    }
    return known;
  }

  /** Returns the speed as it is known without having seen the job at any size. */
  double expected(int tasks) {
    if (predictor == null) {
      return tasks;
    }
    double predicted = predicted(predictor, tasks);
    return predicted > 0 && Double.isFinite(predicted) ? predicted : tasks;
  }

  /** Returns the speed predicted for as few nodes as so many tasks can be on. */
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
   * Returns how many times as fast it is predicted to be where it would have another size, beside
   * where it is. Both places may be wider than they have to be, which costs speed.
   */
  double acceleration(Placement to) {
    double change = retained(to) / retained(entry.placement().orElseThrow());
    return speed(entry.size(to)) / speed(tasks()) * change;
  }

  /**
   * Returns the part of its {@linkplain #speed speed} at as many tasks that the job is predicted to
   * have at a placement, which may be wider than it has to be; 1 where nothing is predicted.
   */
  private double retained(Placement placement) {
    if (predictor == null) {
      return 1;
    }
    double best = predicted(predictor, entry.size(placement));
    double there = predicted(predictor, placement.gpus(), widestLevel(placement));
    double part = there / best;
    return part > 0 && part < 1 ? part : 1;
  }

  /** Returns the position of the narrowest level one domain of which holds all of a placement. */
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

  /** Returns the GPUs of the tasks that come with a larger size. */
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
  public PolicyState standing() {
    return view.standing();
  }
}
