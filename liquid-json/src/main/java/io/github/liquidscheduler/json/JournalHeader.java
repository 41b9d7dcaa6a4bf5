package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The first line of a journal: what a scheduler has to be made of before the events are replayed.
 * Immutable.
 */
public final class JournalHeader {

  /** The version of the format that this release writes, and the only one it reads. */
  public static final int VERSION = 1;

  private final String policy;
  private final ClusterTopology cluster;
  private final boolean decisions;
  private final Map<String, String> settings;
  private final @Nullable SchedulerSnapshot start;

  private JournalHeader(Builder builder) {
    policy = builder.policy;
    cluster = builder.cluster;
    decisions = builder.decisions;
    settings = Collections.unmodifiableMap(new TreeMap<>(builder.settings));
    start = builder.start;
  }

  /**
   * Returns a builder of the header of a journal that begins with an idle cluster and records
   * events only.
   *
   * @param policy the name of the policy
   * @param cluster what the cluster is made of
   */
  public static Builder builder(String policy, ClusterTopology cluster) {
    return new Builder(policy, cluster);
  }

  /** Returns the name of the policy. */
  public String policy() {
    return policy;
  }

  /** Returns what the cluster is made of. */
  public ClusterTopology cluster() {
    return cluster;
  }

  /** Returns whether what was decided after each event is recorded too. */
  public boolean recordsDecisions() {
    return decisions;
  }

  /**
   * Returns what else the embedder needs to make the same scheduler (the placer, parameters of the
   * policy), in the order of the names.
   */
  public Map<String, String> settings() {
    return settings;
  }

  /** Returns the state before the first event, or empty if the cluster was idle. */
  public Optional<SchedulerSnapshot> start() {
    return Optional.ofNullable(start);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JournalHeader that
        && policy.equals(that.policy)
        && cluster.equals(that.cluster)
        && decisions == that.decisions
        && settings.equals(that.settings)
        && Objects.equals(start, that.start);
  }

  @Override
  public int hashCode() {
    return Objects.hash(policy, cluster, decisions, settings, start);
  }

  /** Returns the policy and the cluster. */
  @Override
  public String toString() {
    return "journal of policy " + policy + " on a " + cluster;
  }

  /** Builds a {@link JournalHeader}. Not thread-safe. */
  public static final class Builder {
    private final String policy;
    private final ClusterTopology cluster;
    private boolean decisions;
    private final Map<String, String> settings = new TreeMap<>();
    private @Nullable SchedulerSnapshot start;

    private Builder(String policy, ClusterTopology cluster) {
      this.policy = Objects.requireNonNull(policy, "policy");
      this.cluster = Objects.requireNonNull(cluster, "cluster");
    }

    /** Sets whether what was decided after each event is recorded too. */
    public Builder recordDecisions(boolean decisions) {
      this.decisions = decisions;
      return this;
    }

    /** Sets something else that is needed to make the same scheduler. */
    public Builder setting(String name, String value) {
      settings.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
      return this;
    }

    /** Sets the state before the first event. */
    public Builder start(SchedulerSnapshot start) {
      this.start = Objects.requireNonNull(start, "start");
      return this;
    }

    /** Returns the header. */
    public JournalHeader build() {
      return new JournalHeader(this);
    }
  }
}
