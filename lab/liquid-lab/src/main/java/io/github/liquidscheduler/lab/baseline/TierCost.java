package io.github.liquidscheduler.lab.baseline;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.cost.CostBreakdown;
import io.github.liquidscheduler.placement.network.RolePair;
import io.github.liquidscheduler.placement.network.TaskCounts;
import java.util.List;
import java.util.Objects;
import java.util.function.IntUnaryOperator;

/**
 * The cost that the released program of Liquid computes: for each pair of a parameter server and a
 * worker 0 on one node, {@value #SAME_RACK} in one rack, {@value #SAME_DOMAIN} in one domain and
 * {@value #ACROSS_DOMAINS} beyond, times the bandwidth of the job in units of about 100 MB/s; minus
 * the mean load of the nodes; plus the number of nodes used for each task.
 *
 * <p>The released evaluator clears what it knows of all jobs whenever a job's first task comes, so
 * that its value depends on the order of evaluation. Here every job has totals of its own.
 */
public final class TierCost implements PlacementCost {

  /** What a pair in one rack costs. */
  public static final int SAME_RACK = 1;

  /** What a pair in one domain costs. */
  public static final int SAME_DOMAIN = 4;

  /** What a pair in two domains costs. */
  public static final int ACROSS_DOMAINS = 40;

  private static final String BANDWIDTH = "bandwidth-units/";

  private final ClusterTopology topology;
  private final IntUnaryOperator usedGpus;
  private final NodeTiers tiers;

  private TierCost(ClusterTopology topology, IntUnaryOperator usedGpus) {
    this.topology = topology;
    this.usedGpus = Objects.requireNonNull(usedGpus, "usedGpus");
    tiers = new NodeTiers(topology);
  }

  /**
   * Returns the cost.
   *
   * @param topology the cluster; its narrowest level plays the rack, the next wider one, or the
   *     cluster, the domain
   * @param usedGpus for the position of a node, how many of its GPUs are in use
   */
  public static TierCost of(ClusterTopology topology, IntUnaryOperator usedGpus) {
    return new TierCost(topology, usedGpus);
  }

  @Override
  public JobCost forJob(JobSpec job) {
    return new Score(RolePair.of(job), NodeCountCost.gpusByRole(job), bandwidthUnits(job));
  }

  /** Has each task of a role count as one that sends {@code units} times 100 MB/s. */
  public static void setBandwidth(JobSpec.Builder job, String role, int units) {
    job.label(BANDWIDTH + role, Integer.toString(units));
  }

  /** Returns the bandwidth of each task of a role, in units of 100 MB/s; 1 unless it was set. */
  static int bandwidthUnits(JobSpec job, TaskRole role) {
    return Integer.parseInt(job.labels().getOrDefault(BANDWIDTH + role.name(), "1"));
  }

  /** Returns the largest bandwidth of a role. */
  private static long bandwidthUnits(JobSpec job) {
    return job.roles().stream().mapToInt(role -> bandwidthUnits(job, role)).max().orElse(1);
  }

  static int tier(NodeTiers tiers, int a, int b) {
    return switch (tiers.nearness(a, b)) {
      case SAME_NODE -> 0;
      case SAME_RACK -> SAME_RACK;
      case SAME_DOMAIN -> SAME_DOMAIN;
      case FAR -> ACROSS_DOMAINS;
    };
  }

  private final class Score implements JobCost {
    private final RolePair roles;
    private final int[] gpusByRole;
    private final long bandwidth;

    Score(RolePair roles, int[] gpusByRole, long bandwidth) {
      this.roles = roles;
      this.gpusByRole = gpusByRole;
      this.bandwidth = bandwidth;
    }

    @Override
    public double of(TaskCounts counts) {
      int tasks = tasks(counts);
      return tasks == 0 ? 0 : network(counts) + (counts.size() - load(counts)) / tasks;
    }

    @Override
    public CostBreakdown explain(TaskCounts counts) {
      return new CostBreakdown(
          of(counts),
          List.of(
              new CostBreakdown.Quantity("tiers between servers and workers", network(counts)),
              new CostBreakdown.Quantity("load of nodes, summed over tasks", load(counts)),
              new CostBreakdown.Quantity("nodes used", counts.size()),
              new CostBreakdown.Quantity("tasks", tasks(counts))));
    }

    private double network(TaskCounts counts) {
      return bandwidth * NodeTiers.sum(roles, counts, (a, b) -> tier(tiers, a, b));
    }

    /** Returns the sum over tasks, role by role, of how full a task finds its node, and 1 more. */
    private double load(TaskCounts counts) {
      double sum = 0;
      for (int slot = 0; slot < counts.size(); slot++) {
        int node = counts.node(slot);
        int gpus = Math.max(1, topology.nodes().get(node).gpus().size());
        int used = usedGpus.applyAsInt(node);
        for (int role = 0; role < counts.roles(); role++) {
          for (int task = 0; task < counts.tasks(slot, role); task++) {
            used += gpusByRole[role];
            sum += (1.0 + used) / gpus;
          }
        }
      }
      return sum;
    }

    private int tasks(TaskCounts counts) {
      int sum = 0;
      for (int slot = 0; slot < counts.size(); slot++) {
        for (int role = 0; role < counts.roles(); role++) {
          sum += counts.tasks(slot, role);
        }
      }
      return sum;
    }
  }
}
