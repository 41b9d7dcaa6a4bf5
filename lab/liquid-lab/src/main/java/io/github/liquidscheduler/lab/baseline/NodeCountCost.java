package io.github.liquidscheduler.lab.baseline;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.CostBreakdown;
import io.github.liquidscheduler.placement.network.RolePair;
import io.github.liquidscheduler.placement.network.TaskCounts;
import java.util.List;
import java.util.Objects;
import java.util.function.IntUnaryOperator;

/**
 * The cost that the paper on Liquid prints (Gu et al., TPDS 33(11), 2022, equations 2 to 6): for
 * each pair of a parameter server and a worker the number of nodes that share the way between them,
 * weighed against how full the nodes get.
 *
 * <p>Equation 2 knows racks in domains. Here the narrowest level of the topology plays the rack and
 * the next wider one, or the cluster, plays the domain. For a way between two domains the paper has
 * no value but "avoid"; it counts {@value #ACROSS_DOMAINS} times the nodes of the larger domain
 * here. Equations 4 and 6 as printed reward touching more nodes in part, because every node adds a
 * negative term; {@link Fitness#MEAN} does not.
 */
public final class NodeCountCost implements PlacementCost {

  /** How many times the nodes of a domain a way out of it costs. */
  public static final int ACROSS_DOMAINS = 10;

  /** How the fitness of nodes is put together. */
  public enum Fitness {
    /** The sum over the nodes used, as printed. */
    SUM,
    /** The mean over the nodes used. */
    MEAN
  }

  private final ClusterTopology topology;
  private final IntUnaryOperator usedGpus;
  private final double lambda;
  private final Fitness fitness;
  private final NodeTiers tiers;

  private NodeCountCost(
      ClusterTopology topology, IntUnaryOperator usedGpus, double lambda, Fitness fitness) {
    this.topology = topology;
    this.usedGpus = Objects.requireNonNull(usedGpus, "usedGpus");
    this.lambda = lambda;
    this.fitness = Objects.requireNonNull(fitness, "fitness");
    tiers = new NodeTiers(topology);
  }

  /**
   * Returns the cost with the paper's weight.
   *
   * @param topology the cluster
   * @param usedGpus for the position of a node, how many of its GPUs are in use
   * @param lambda the weight of the way against the fitness of nodes, from 0 to 1; the paper does
   *     not say which it uses
   * @param fitness how the fitness of nodes is put together
   * @throws IllegalArgumentException if {@code lambda} is not from 0 to 1
   */
  public static NodeCountCost of(
      ClusterTopology topology, IntUnaryOperator usedGpus, double lambda, Fitness fitness) {
    if (!(lambda >= 0 && lambda <= 1)) {
      throw new IllegalArgumentException("lambda must be from 0 to 1, but was " + lambda);
    }
    return new NodeCountCost(topology, usedGpus, lambda, fitness);
  }

  @Override
  public JobCost forJob(JobSpec job) {
    return new Score(RolePair.of(job), gpusByRole(job));
  }

  static int[] gpusByRole(JobSpec job) {
    return job.roles().stream().mapToInt(role -> role.request().gpus()).toArray();
  }

  /** Returns the cost of the way between two nodes (equation 2). */
  double way(int a, int b) {
    return switch (tiers.nearness(a, b)) {
      case SAME_NODE -> 0;
      case SAME_RACK -> tiers.rackNodes(a);
      case SAME_DOMAIN -> tiers.domainNodes(a);
      case FAR -> (double) ACROSS_DOMAINS * Math.max(tiers.domainNodes(a), tiers.domainNodes(b));
    };
  }

  private final class Score implements JobCost {
    private final RolePair roles;
    private final int[] gpusByRole;

    Score(RolePair roles, int[] gpusByRole) {
      this.roles = roles;
      this.gpusByRole = gpusByRole;
    }

    @Override
    public double of(TaskCounts counts) {
      return lambda * ways(counts) + (1 - lambda) * fitness(counts);
    }

    @Override
    public CostBreakdown explain(TaskCounts counts) {
      return new CostBreakdown(
          of(counts),
          List.of(
              new CostBreakdown.Quantity("nodes between servers and workers", ways(counts)),
              new CostBreakdown.Quantity("fitness of nodes", fitness(counts)),
              new CostBreakdown.Quantity("lambda", lambda)));
    }

    /** Returns the sum over all pairs of a server and a worker (equation 5). */
    private double ways(TaskCounts counts) {
      return NodeTiers.sum(roles, counts, NodeCountCost.this::way);
    }

    /** Returns how full the nodes get, negative (equation 6). */
    private double fitness(TaskCounts counts) {
      double sum = 0;
      for (int slot = 0; slot < counts.size(); slot++) {
        int node = counts.node(slot);
        int gpus = usedGpus.applyAsInt(node);
        for (int role = 0; role < counts.roles(); role++) {
          gpus += counts.tasks(slot, role) * gpusByRole[role];
        }
        sum -= (double) gpus / Math.max(1, topology.nodes().get(node).gpus().size());
      }
      return fitness == Fitness.SUM ? sum : sum / Math.max(1, counts.size());
    }
  }
}
