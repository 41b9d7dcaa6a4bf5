package io.github.liquidscheduler.queue;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.text.Text;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a cluster and what each may hold. Jobs stand in the leaves; a queue with children
 * holds what these hold together. Among equals the queue that was named first goes first.
 *
 * <p>A resource for which a queue has no {@link QueueQuota} is guaranteed to it as far as to its
 * children, is not limited, and divided by a weight of 1.
 */
public final class QueueTree {

  /** How many queues, one in another, there are at most. */
  public static final int MAX_DEPTH = 100;

  private final List<QueueSpec> queues;
  private final Map<QueueName, QueueSpec> byName = new LinkedHashMap<>();
  // Never iterated.
  private final Map<Optional<QueueName>, List<QueueSpec>> children = new HashMap<>();
  private final List<QuotaResource> resources;
  private final Reclaiming reclaiming;
  private final Optional<DecayedUsage> decayedUsage;
  private final boolean rejects;

  private QueueTree(
      List<QueueSpec> queues,
      Reclaiming reclaiming,
      Optional<DecayedUsage> decayedUsage,
      boolean rejects) {
    this.rejects = rejects;
    this.queues = List.copyOf(queues);
    this.reclaiming = Objects.requireNonNull(reclaiming, "reclaiming");
    this.decayedUsage = decayedUsage;
    if (decayedUsage.isPresent() && reclaiming.lends()) {
      throw new IllegalArgumentException(
          "what queues have used of late counts where shares are computed, but reclaiming is "
              + reclaiming);
    }
    if (queues.isEmpty()) {
      throw new IllegalArgumentException("a tree must have a queue, but has none");
    }
    Set<QuotaResource> counted = new TreeSet<>(List.of(QuotaResource.GPUS));
    for (QueueSpec queue : queues) {
      if (byName.putIfAbsent(queue.name(), queue) != null) {
        throw new IllegalArgumentException("there are two queues '" + queue.name() + "'");
      }
      children.computeIfAbsent(queue.parent(), each -> new ArrayList<>()).add(queue);
      counted.addAll(queue.quotas().keySet());
    }
    resources = List.copyOf(counted);
    queues.forEach(this::requireAncestors);
  }

  /**
   * Returns the tree of these queues, in any order.
   *
   * @throws IllegalArgumentException if there is none, two have one name, a parent is missing, a
   *     queue is a part of itself, or more than {@value #MAX_DEPTH} deep
   */
  public static QueueTree of(QueueSpec... queues) {
    return of(List.of(queues));
  }

  /**
   * Returns the tree of these queues, in any order.
   *
   * @throws IllegalArgumentException if there is none, two have one name, a parent is missing, a
   *     queue is a part of itself, or more than {@value #MAX_DEPTH} deep
   */
  public static QueueTree of(List<QueueSpec> queues) {
    return new QueueTree(queues, Reclaiming.COMPUTED_SHARES, Optional.empty(), false);
  }

  /**
   * Returns the same queues, which take back by other rules what they have lent.
   *
   * @throws IllegalArgumentException if they lend each other quota, and what they have used counts
   */
  public QueueTree with(Reclaiming rules) {
    return new QueueTree(queues, rules, decayedUsage, rejects);
  }

  /**
   * Returns the same queues, for whose shares counts what they have used of late.
   *
   * @throws IllegalArgumentException if they lend each other quota, so that shares are not computed
   */
  public QueueTree withDecayedUsage(DecayedUsage counted) {
    return new QueueTree(queues, reclaiming, Optional.of(counted), rejects);
  }

  /**
   * Returns the same queues, with jobs rejected that ask for more than these quotas ever allow:
   * more than a limit on the path to the root, or, if they may not be pre-empted, than a guarantee.
   * Otherwise they wait for other quotas.
   */
  public QueueTree rejectingBeyondQuotas() {
    return new QueueTree(queues, reclaiming, decayedUsage, true);
  }

  /** Returns true if jobs are rejected that ask for more than these quotas ever allow. */
  public boolean rejectsBeyondQuotas() {
    return rejects;
  }

  /** Returns the weight of past usage; empty if only current usage counts. */
  public Optional<DecayedUsage> decayedUsage() {
    return decayedUsage;
  }

  /**
   * Returns by which rules queues take back what they have lent; by computed shares if not said.
   */
  public Reclaiming reclaiming() {
    return reclaiming;
  }

  /** Returns all queues as they were named. */
  public List<QueueSpec> queues() {
    return queues;
  }

  /** Returns GPUs and every other resource for which some queue has a quota, in order. */
  public List<QuotaResource> resources() {
    return resources;
  }

  /** Returns the queue of that name, if there is one. */
  public Optional<QueueSpec> find(QueueName name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Returns the queues at the top. */
  public List<QueueSpec> roots() {
    return childrenOf(Optional.empty());
  }

  /** Returns the queues that are a part of this one, directly. */
  public List<QueueSpec> children(QueueName queue) {
    return childrenOf(Optional.of(queue));
  }

  private List<QueueSpec> childrenOf(Optional<QueueName> queue) {
    return Collections.unmodifiableList(children.getOrDefault(queue, List.of()));
  }

  /** Returns true if jobs may stand in the queue: it is there, and has no children. */
  public boolean isLeaf(QueueName queue) {
    return byName.containsKey(queue) && children(queue).isEmpty();
  }

  /** Returns the quota of a queue for a resource. */
  public QueueQuota quota(QueueSpec queue, QuotaResource resource) {
    @Nullable QueueQuota own = queue.quotas().get(resource);
    if (own != null) {
      return own;
    }
    double guaranteed = 0;
    for (QueueSpec child : children(queue.name())) {
      guaranteed += quota(child, resource).guaranteed();
    }
    return QueueQuota.guaranteed(guaranteed);
  }

  private void requireAncestors(QueueSpec queue) {
    Set<QueueName> path = new LinkedHashSet<>(List.of(queue.name()));
    QueueSpec at = queue;
    while (at.parent().isPresent()) {
      @Nullable QueueSpec parent = byName.get(at.parent().get());
      if (parent == null) {
        throw new IllegalArgumentException(
            "the parent of a queue must be a queue, but that of '%s' is '%s', which is none"
                .formatted(at.name(), at.parent().get()));
      }
      at = parent;
      if (!path.add(at.name())) {
        throw new IllegalArgumentException(
            "a queue must not be a part of itself, but is %s"
                .formatted(Text.ring(path, at.name())));
      }
    }
    if (path.size() > MAX_DEPTH) {
      throw new IllegalArgumentException(
          "queues must be at most %d deep, but '%s' is %d deep"
              .formatted(MAX_DEPTH, queue.name(), path.size()));
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof QueueTree that
        && queues.equals(that.queues)
        && reclaiming == that.reclaiming
        && decayedUsage.equals(that.decayedUsage)
        && rejects == that.rejects;
  }

  @Override
  public int hashCode() {
    return Objects.hash(queues, reclaiming, decayedUsage, rejects);
  }

  @Override
  public String toString() {
    return queues
        + (reclaiming == Reclaiming.COMPUTED_SHARES ? "" : " by " + reclaiming)
        + decayedUsage.map(counted -> " with " + counted).orElse("")
        + (rejects ? " rejecting beyond quotas" : "");
  }
}
