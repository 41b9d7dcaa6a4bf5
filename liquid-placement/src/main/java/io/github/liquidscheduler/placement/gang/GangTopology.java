package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.text.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The topology constraints of a job, by the positions of levels and nodes. */
public final class GangTopology {

  private final ClusterTopology topology;
  private final JobSpec job;
  private final int maxTasksInDomain;

  GangTopology(ClusterTopology topology, JobSpec job) {
    this.topology = topology;
    this.job = job;
    maxTasksInDomain =
        constraint().spread().map(TopologyConstraint.Spread::maxTasks).orElse(Integer.MAX_VALUE);
  }

  private TopologyConstraint constraint() {
    return job.topology();
  }

  /** Returns the names of all levels without which the job cannot be placed. */
  public List<String> requiredLevels() {
    List<String> levels = new ArrayList<>();
    for (JobSpec part : job.topologyParts()) {
      levels.addAll(new GangTopology(topology, part).requiredLevels());
    }
    constraint().required().ifPresent(levels::add);
    constraint().slices().ifPresent(slices -> levels.add(slices.level()));
    constraint().spread().ifPresent(spread -> levels.add(spread.level()));
    return levels;
  }

  /** Returns true if the cluster has all of them; most jobs require none. */
  boolean hasRequiredLevels() {
    boolean isFree = constraint().equals(TopologyConstraint.NONE) && job.topologyParts().isEmpty();
    return isFree || topology.levels().containsAll(requiredLevels());
  }

  /** Returns the constraints in words. */
  String describe() {
    Stream<String> ofParts =
        job.topologyParts().stream()
            .flatMap(
                part ->
                    part.topology().required().stream()
                        .map(level -> names(part) + " in one " + level));
    Stream<String> ofAll =
        Stream.of(
                constraint().required().map(level -> "all tasks in one " + level),
                constraint()
                    .slices()
                    .map(s -> "each " + Count.of(s.tasks(), "task") + " in one " + s.level()),
                constraint().spread().map(s -> "at most " + s.maxTasks() + " in one " + s.level()))
            .flatMap(Optional::stream);
    return Stream.concat(ofAll, ofParts).collect(Collectors.joining(", "));
  }

  private static String names(JobSpec part) {
    return part.roles().stream()
        .map(role -> "'" + role.name() + "'")
        .collect(Collectors.joining(" and "));
  }

  /** Returns the domain of the required level that a placement within it lies in, in words. */
  Optional<String> requiredDomain(Placement placement) {
    NodeId node = placement.tasks().getFirst().node();
    return constraint()
        .required()
        .map(
            level ->
                topology.domainOf(node, level).map(Domain::toString).orElse("node '" + node + "'"));
  }

  /** Returns the position of the widest level in one domain of which the gang must lie. */
  public int widestLevel() {
    return position(constraint().required());
  }

  /** Returns the position of the preferred level, or -1 if none is preferred. */
  public int preferredLevel() {
    return constraint().preferred().flatMap(topology::levelPosition).orElse(-1);
  }

  /**
   * Returns the position of the narrowest level a single domain of which may hold the whole gang,
   * as far as the spread allows.
   */
  int narrowestLevel() {
    for (TaskRole role : job.roles()) {
      if (role.count() > maxTasksInDomain) {
        return position(constraint().spread().map(TopologyConstraint.Spread::level)) - 1;
      }
    }
    return topology.levels().size() - 1;
  }

  /** Returns true if some consecutive tasks must stay together. */
  boolean hasSlices() {
    return constraint().slices().isPresent();
  }

  /**
   * Returns the number of consecutive tasks that must stay together; {@link Integer#MAX_VALUE} if
   * none.
   */
  int sliceOf(TaskShape task) {
    return constraint()
        .slices()
        .filter(slices -> task.role().name().equals(job.roles().getFirst().name()))
        .map(TopologyConstraint.Slices::tasks)
        .orElse(Integer.MAX_VALUE);
  }

  /** Returns the position of the level in one domain of which a slice must lie. */
  int sliceLevel() {
    return position(constraint().slices().map(TopologyConstraint.Slices::level));
  }

  /**
   * Returns the largest number of tasks of a role in one domain; {@link Integer#MAX_VALUE} if
   * unlimited.
   */
  int maxTasksInDomain() {
    return maxTasksInDomain;
  }

  /** Returns the nodes of the domain of the spread's level that the node is in. */
  NodeRange spreadDomain(int node) {
    String level =
        constraint().spread().map(TopologyConstraint.Spread::level).orElse(ClusterTopology.NODE);
    return domain(topology, topology.nodes().get(node).id(), level);
  }

  private int position(Optional<String> level) {
    return level.isEmpty() ? 0 : topology.levelPosition(level.get()).orElse(0);
  }

  /** Returns the nodes of the domain of the level around a node; itself if it is in none. */
  static NodeRange domain(ClusterTopology topology, NodeId node, String level) {
    int position = topology.position(node);
    return topology
        .domainOf(node, level)
        .map(domain -> topology.nodesOf(domain.id()))
        .orElse(new NodeRange(position, position + 1));
  }
}
