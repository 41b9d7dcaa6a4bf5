package io.github.liquidscheduler.planner;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.planner.NetworkOracle.Placed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What a plan costs by {@code docs/batch-planning.md}, worked out from its placements alone.
 *
 * @param network the network
 * @param sharesLinks whether jobs meet on links
 * @param weight what it costs that a task stands still beside another, by {@link
 *     PlanScenario.ByFamily}
 */
record CostOracle(
    ClusterTopology topology, NetworkOracle network, boolean sharesLinks, double weight) {

  private static final double PER_FREE_GPU = 0.001;
  private static final double PER_PREFERENCE = 1;

  /**
   * Returns the cost.
   *
   * @param fixed the running jobs that stay where they are
   * @param planned the running jobs that may move, and then those that start, in the order of the
   *     policy
   */
  double of(List<Placed> fixed, List<Placed> planned) {
    List<Placed> all = new ArrayList<>(fixed);
    double sum = 0;
    for (Placed job : planned) {
      sum += sharesLinks ? network.beside(job, all) : network.alone(job);
      sum += violations(job) * PER_PREFERENCE;
      for (Placed other : all) {
        sum += interference(job, other);
      }
      all.add(job);
    }
    return sum + fragments(all) * PER_FREE_GPU;
  }

  private double interference(Placed one, Placed other) {
    double lost = (family(one.job()) + family(other.job())) / 5.0;
    double pairs = 0;
    for (NodeId node : one.nodes()) {
      pairs += (double) one.tasksIn(Set.of(node)).size() * other.tasksIn(Set.of(node)).size();
    }
    return weight * lost * pairs;
  }

  private static int family(JobSpec job) {
    return job.workload().family().length();
  }

  private int violations(Placed job) {
    return job.job().topology().preferred().filter(level -> !isWithin(job, level)).isPresent()
        ? 1
        : 0;
  }

  private boolean isWithin(Placed job, String level) {
    List<String> levels = topology.levels();
    List<String> narrower = levels.subList(levels.indexOf(level), levels.size());
    return job.nodes().size() == 1
        || narrower.stream().anyMatch(each -> isInOneDomain(job.nodes(), each));
  }

  private boolean isInOneDomain(Set<NodeId> nodes, String level) {
    return nodes.stream().map(node -> domain(node, level)).distinct().count() == 1
        && domain(nodes.iterator().next(), level).isPresent();
  }

  private Optional<Domain> domain(NodeId node, String level) {
    return level.equals(ClusterTopology.NODE) ? Optional.empty() : topology.domainOf(node, level);
  }

  /** Returns the free GPUs of nodes partly in use, model by model. */
  private int fragments(List<Placed> jobs) {
    Map<NodeId, Map<Gpu, Integer>> used = new LinkedHashMap<>();
    for (Placed job : jobs) {
      for (TaskPlacement task : job.placement().tasks()) {
        Node node = topology.node(task.node());
        for (int gpu : task.gpus()) {
          Gpu alike = Gpu.of(node.gpus().get(gpu).model(), node.gpus().get(gpu).memory());
          used.computeIfAbsent(node.id(), any -> new LinkedHashMap<>())
              .merge(alike, 1, (a, b) -> a + b);
        }
      }
    }
    int sum = 0;
    for (Node node : topology.nodes()) {
      Map<Gpu, Integer> here = used.getOrDefault(node.id(), Map.of());
      for (Map.Entry<Gpu, Integer> taken : here.entrySet()) {
        int there =
            (int)
                node.gpus().stream()
                    .filter(gpu -> Gpu.of(gpu.model(), gpu.memory()).equals(taken.getKey()))
                    .count();
        sum += there - taken.getValue();
      }
    }
    return sum;
  }

  /** Returns jobs with their placements. */
  static List<Placed> placed(List<JobSpec> jobs, List<Placement> placements) {
    Map<String, JobSpec> byName = new LinkedHashMap<>();
    jobs.forEach(job -> byName.put(job.id().value(), job));
    return placements.stream()
        .map(each -> new Placed(Objects.requireNonNull(byName.get(each.job().value())), each))
        .toList();
  }
}
