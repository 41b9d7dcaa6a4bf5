package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduler.rollback.BeforeImages;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Idea: what was told of nodes and GPUs, and which nodes are over-full, in one place beside the
 * cluster that it is applied to.
 * Invariants: the cluster has the health of all that is here, and no other; a node is over-full
 * here from the event that makes it so until one that finds that enough has been left.
 * JobAdoptedTest and AnyFeaturesLaws.
 * Cost: O(1) for a change, O(all that is here) for a rollback.
 */
/**
 * The nodes and GPUs that are draining or lost, in the order of the events, and the nodes that take
 * nothing since more was seen there than there is.
 */
public final class NodeFailures {

  private final ClusterState cluster;
  private final Set<NodeId> draining = new LinkedHashSet<>();
  private final Map<NodeId, Instant> deadlines = new LinkedHashMap<>();
  private final Set<NodeId> lostNodes = new LinkedHashSet<>();
  private final Set<GpuId> lostGpus = new LinkedHashSet<>();
  private final Set<NodeId> overfull = new LinkedHashSet<>();

  private final BeforeImages<NodeFailures> images = new BeforeImages<>();

  /** Makes failures of a cluster without any. */
  public NodeFailures(ClusterState cluster) {
    this.cluster = cluster;
  }

  /** Opens a mark, to which {@link #rollBack} returns. */
  public void mark() {
    images.mark();
  }

  /** Ends the innermost mark; the changes since stay. */
  public void commit() {
    images.commit();
  }

  /**
   * Returns to the innermost mark and ends it. The cluster has the nodes of then; no health of a
   * node or GPU has changed but by these failures. Returns true if any has changed since.
   */
  public boolean rollBack() {
    @Nullable NodeFailures then = images.rollBack();
    if (then == null) {
      return false;
    }
    draining.stream().filter(this::isThere).forEach(this::raise);
    lostNodes.stream().filter(this::isThere).forEach(this::raise);
    lostGpus.stream().filter(gpu -> isThere(gpu.node())).forEach(cluster::restore);
    overfull.stream().filter(this::isThere).forEach(node -> setClosed(node, false));
    draining.clear();
    deadlines.clear();
    lostNodes.clear();
    lostGpus.clear();
    overfull.clear();
    takeOver(then);
    draining.forEach(node -> cluster.setHealth(node, NodeHealth.DRAINING));
    lostNodes.forEach(node -> cluster.setHealth(node, NodeHealth.LOST));
    lostGpus.forEach(cluster::fail);
    overfull.forEach(node -> setClosed(node, true));
    return true;
  }

  private void takeOver(NodeFailures other) {
    draining.addAll(other.draining);
    deadlines.putAll(other.deadlines);
    lostNodes.addAll(other.lostNodes);
    lostGpus.addAll(other.lostGpus);
    overfull.addAll(other.overfull);
  }

  private boolean isThere(NodeId node) {
    return cluster.topology().contains(node);
  }

  private void raise(NodeId node) {
    cluster.setHealth(node, NodeHealth.UP);
  }

  private void setClosed(NodeId node, boolean isClosed) {
    cluster.index().setClosed(cluster.topology().position(node), isClosed);
  }

  /** Returns true if more is held of a node, or of one of its GPUs, than there is. */
  public boolean isOverfull(NodeId node) {
    return cluster.index().isOverfull(cluster.topology().position(node));
  }

  private void saveBefore() {
    images.save(() -> copy(cluster));
  }

  /** Returns a copy for a copied cluster, which has the failures already. */
  public NodeFailures copy(ClusterState copied) {
    NodeFailures copy = new NodeFailures(copied);
    copy.takeOver(this);
    return copy;
  }

  /**
   * Marks a node as draining, or changes the deadline of one that is: running tasks continue, until
   * the deadline if there is one; nothing starts there.
   */
  public void drain(NodeId node, Optional<Instant> deadline) {
    saveBefore();
    draining.add(node);
    deadlines.remove(node);
    deadline.ifPresent(time -> deadlines.put(node, time));
    cluster.setHealth(node, NodeHealth.DRAINING);
  }

  /** Marks a node as lost. The caller stops its jobs. */
  public void fail(NodeId node) {
    saveBefore();
    endDraining(node);
    lostNodes.add(node);
    cluster.setHealth(node, NodeHealth.LOST);
  }

  /** Marks a draining or lost node as up. Its lost GPUs stay lost. */
  public void restore(NodeId node) {
    saveBefore();
    endDraining(node);
    lostNodes.remove(node);
    cluster.setHealth(node, NodeHealth.UP);
  }

  /** Forgets a removed node and its GPUs. */
  public void forget(NodeId node) {
    saveBefore();
    endDraining(node);
    lostNodes.remove(node);
    overfull.remove(node);
    lostGpus.removeIf(gpu -> gpu.node().equals(node));
  }

  /** Closes a node on which more is held than there is. */
  public void close(NodeId node) {
    if (!overfull.contains(node)) {
      saveBefore();
      overfull.add(node);
      setClosed(node, true);
    }
  }

  /** Opens a closed node, of which enough has been left. */
  public void open(NodeId node) {
    saveBefore();
    overfull.remove(node);
    setClosed(node, false);
  }

  /** Returns the closed nodes, longest closed first. */
  public List<NodeId> overfull() {
    return List.copyOf(overfull);
  }

  /** Returns the closed nodes of which enough has been left. */
  public List<NodeId> left() {
    return overfull.isEmpty()
        ? List.of()
        : overfull.stream().filter(node -> !isOverfull(node)).toList();
  }

  private void endDraining(NodeId node) {
    draining.remove(node);
    deadlines.remove(node);
  }

  /** Returns the deadline of a draining node; empty if there is none or it has passed. */
  public Optional<Instant> deadline(NodeId node) {
    return Optional.ofNullable(deadlines.get(node));
  }

  /** Returns the earliest deadline of a draining node. */
  public Optional<Instant> nextDeadline() {
    return deadlines.isEmpty()
        ? Optional.empty()
        : deadlines.values().stream().min(Comparator.naturalOrder());
  }

  /** Returns the draining nodes whose deadline has passed, and removes their deadlines. */
  public List<NodeId> takeDue(Instant now) {
    if (deadlines.isEmpty()) {
      return List.of();
    }
    List<NodeId> due =
        draining.stream()
            .filter(node -> deadline(node).filter(time -> !time.isAfter(now)).isPresent())
            .toList();
    if (!due.isEmpty()) {
      saveBefore();
      due.forEach(deadlines::remove);
    }
    return due;
  }

  /** Marks a GPU as lost. The caller stops its jobs. */
  public void fail(GpuId gpu) {
    saveBefore();
    lostGpus.add(gpu);
    cluster.fail(gpu);
  }

  /** Marks a lost GPU as up. */
  public void restore(GpuId gpu) {
    saveBefore();
    lostGpus.remove(gpu);
    cluster.restore(gpu);
  }

  /** Returns the draining nodes, longest draining first. */
  public List<NodeId> draining() {
    return List.copyOf(draining);
  }

  /** Returns the lost nodes, longest lost first. */
  public List<NodeId> lostNodes() {
    return List.copyOf(lostNodes);
  }

  /** Returns the GPUs lost by themselves, longest lost first. */
  public List<GpuId> lostGpus() {
    return List.copyOf(lostGpus);
  }
}
