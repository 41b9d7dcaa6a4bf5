package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The first line of a journal: what a scheduler has to be made of before the events are replayed.
 * Made by {@link #builder}.
 *
 * @param policy the name of the policy
 * @param recordsDecisions whether what was decided after each event is recorded too
 * @param settings what else the embedder needs to make the same scheduler (the placer, parameters
 *     of the policy), in the order of the names
 * @param cluster what the cluster is made of
 * @param start the state before the first event, or empty if the cluster was idle
 */
public record JournalHeader(
    String policy,
    boolean recordsDecisions,
    Map<String, String> settings,
    ClusterTopology cluster,
    Optional<SchedulerSnapshot> start) {

  /** The version of the format that this release writes, and the only one it reads. */
  public static final int VERSION = 1;

  /** Checks that nothing is null and copies the settings. */
  public JournalHeader {
    Objects.requireNonNull(policy, "policy");
    settings = Collections.unmodifiableMap(new TreeMap<>(settings));
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(start, "start");
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
    private Optional<SchedulerSnapshot> start = Optional.empty();

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
      this.start = Optional.of(start);
      return this;
    }

    /** Returns the header. */
    public JournalHeader build() {
      return new JournalHeader(policy, decisions, settings, cluster, start);
    }
  }
}
