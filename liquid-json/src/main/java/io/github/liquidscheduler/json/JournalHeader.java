package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The first line of a journal: what a scheduler has to be made of before the events are replayed.
 * Made by {@link #builder(Scheduler)}.
 *
 * @param policy the name of the policy
 * @param recordsDecisions whether what was decided after each event is recorded too
 * @param settings what else the embedder needs to make the same scheduler (the placer, parameters
 *     of the policy), in the order of the names
 * @param parameters what the scheduler was made of, by name, as {@link Scheduler#parameters} says;
 *     empty if the journal does not say. A journal is replayed by a scheduler of the same only
 * @param cluster what the cluster is made of
 * @param start the state before the first event, or empty if the cluster was idle
 * @param attached the state of what stands beside the scheduler and remembers events, by name
 */
public record JournalHeader(
    String policy,
    boolean recordsDecisions,
    Map<String, String> settings,
    Map<String, String> parameters,
    ClusterTopology cluster,
    Optional<SchedulerSnapshot> start,
    Map<String, SnapshotSection> attached) {

  /** The version of the format that this release writes, and the only one it reads. */
  public static final int VERSION = 1;

  private static final String POLICY = "policy";

  /** Checks that nothing is null and copies the maps. */
  public JournalHeader {
    Objects.requireNonNull(policy, POLICY);
    settings = Collections.unmodifiableMap(new TreeMap<>(settings));
    parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(start, "start");
    attached = Collections.unmodifiableMap(new TreeMap<>(attached));
  }

  /**
   * Returns a builder of the header of a journal of {@code scheduler}: of its policy, parameters
   * and cluster. It begins with an idle cluster and records events only, unless told otherwise.
   */
  public static Builder builder(Scheduler scheduler) {
    Map<String, String> parameters = scheduler.parameters();
    Builder builder =
        new Builder(parameters.getOrDefault(POLICY, "unknown"), scheduler.view().topology());
    builder.parameters.putAll(parameters);
    return builder;
  }

  /**
   * Returns a builder of the header of a journal that does not say what the scheduler was made of,
   * begins with an idle cluster and records events only.
   */
  public static Builder builder(String policy, ClusterTopology cluster) {
    return new Builder(policy, cluster);
  }

  /**
   * Checks that a scheduler was made of what this journal says, so that it can decide the same.
   *
   * @throws IllegalArgumentException if a parameter is another one
   */
  void requireParameters(Map<String, String> actual) {
    if (parameters.isEmpty()) {
      return;
    }
    Set<String> names = new TreeSet<>(parameters.keySet());
    names.addAll(actual.keySet());
    for (String name : names) {
      if (!Objects.equals(parameters.get(name), actual.get(name))) {
        throw new IllegalArgumentException(
            "a journal must be replayed under its own parameters, but %s was %s and is %s"
                .formatted(name, shown(parameters.get(name)), shown(actual.get(name))));
      }
    }
  }

  private static String shown(@Nullable String value) {
    return value == null ? "not set" : "'" + value + "'";
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
    private final Map<String, String> parameters = new TreeMap<>();
    private Optional<SchedulerSnapshot> start = Optional.empty();
    private final Map<String, SnapshotSection> attached = new TreeMap<>();

    private Builder(String policy, ClusterTopology cluster) {
      this.policy = Objects.requireNonNull(policy, POLICY);
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

    /** Adds the state of something that stands beside the scheduler and remembers events. */
    public Builder attach(String name, SnapshotSection state) {
      attached.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(state, "state"));
      return this;
    }

    /** Returns the header. */
    public JournalHeader build() {
      return new JournalHeader(policy, decisions, settings, parameters, cluster, start, attached);
    }
  }
}
