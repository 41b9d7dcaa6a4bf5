package io.github.liquidscheduler.elastic.runtime;

import io.github.liquidscheduler.elastic.ElasticOptions;
import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.SampleRange;
import io.github.liquidscheduler.elastic.ScalingAnswer;
import io.github.liquidscheduler.elastic.ScalingRequest;
import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.lease.Lease;
import io.github.liquidscheduler.elastic.lease.LeaseStore;
import io.github.liquidscheduler.elastic.protocol.Leader;
import io.github.liquidscheduler.elastic.protocol.LeaderElection;
import io.github.liquidscheduler.elastic.protocol.LeaderOutput;
import io.github.liquidscheduler.elastic.protocol.LeaderState;
import io.github.liquidscheduler.elastic.protocol.ToLeader;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This agent's candidacy, and the leader machine while it holds the lease. */
final class Leadership {
  private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
  private final LeaseStore store;
  private final String key;
  private final ElasticOptions options;
  private final Partitioning partitioning;
  private final LeaderElection election;
  private final InstantSource clock;
  private final JsonLines json;
  private final Map<WorkerId, LineConnection> workers = new LinkedHashMap<>();
  private final Set<LineConnection> agents = new LinkedHashSet<>();
  private @Nullable Leader leader;
  private @Nullable Lease lease;
  private List<SampleRange> seenTwice = List.of();

  Leadership(TrainingJob job, String holder, InstantSource clock, JsonLines json) {
    store = job.store();
    key = job.key();
    options = job.options();
    partitioning = job.partitioning();
    this.clock = clock;
    this.json = json;
    election =
        new LeaderElection(store, key, holder, options.leaseTimeToLive(), options.leaseRenewal());
  }

  /** Acquires or renews the lease if that is due. */
  void elect() {
    Lease held = election.tick(clock.instant()).orElse(null);
    if (held == null) {
      lose();
    } else if (!held.equals(lease)) {
      LeaderState saved = store.load(key).map(this::state).orElse(null);
      lease = held;
      workers.clear();
      leader = new Leader(options, partitioning, held.token(), saved, clock.instant());
      LOG.info("Leads {} from now on, by lease {}", key, held.token());
    }
  }

  private LeaderState state(String saved) {
    try {
      return json.state(saved);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          ("what was saved of %s cannot be read, so that it cannot go on;"
                  + " delete it to start from a checkpoint: %s")
              .formatted(key, e.getMessage()),
          e);
    }
  }

  void tick() {
    perform(current -> current.tick(clock.instant()));
  }

  /** Another agent has connected, and is told all answers. */
  void greet(LineConnection agent) {
    agents.add(agent);
  }

  /**
   * Checks what an agent says of a worker against what is known.
   *
   * @throws IllegalArgumentException if it cannot be true, in one sentence
   */
  void check(ToLeader message) {
    if (leader != null) {
      leader.check(message);
    }
  }

  void on(LineConnection agent, ToLeader message) {
    workers.put(message.worker(), agent);
    perform(current -> current.on(clock.instant(), message));
  }

  void on(ScalingRequest request) {
    perform(current -> current.on(clock.instant(), request));
  }

  /** An agent is gone, and with it its workers. */
  void closed(LineConnection agent) {
    agents.remove(agent);
    List<WorkerId> lost =
        workers.entrySet().stream()
            .filter(entry -> entry.getValue().equals(agent))
            .map(Map.Entry::getKey)
            .toList();
    lost.forEach(workers::remove);
    lost.forEach(
        worker -> perform(current -> current.on(clock.instant(), new ToLeader.Lost(worker))));
  }

  /** Saves the state for the next leader and resigns. */
  void handOver() {
    perform(current -> current.handOver(clock.instant()));
    stepDown();
    election.resign();
  }

  /** Resigns without saving anything: what this one knows may be wrong. */
  void abandon() {
    stepDown();
    election.resign();
  }

  boolean isLeading() {
    return leader != null;
  }

  /** Returns the samples that crashed workers may have read unreported, as far as saved. */
  List<SampleRange> mayBeSeenTwice() {
    return seenTwice;
  }

  private void lose() {
    if (leader != null) {
      LOG.warn("The lease of {} was lost: another agent takes over", key);
    }
    stepDown();
  }

  private void stepDown() {
    leader = null;
    lease = null;
  }

  private void perform(Function<Leader, List<LeaderOutput>> input) {
    Leader current = leader;
    Instant now = clock.instant();
    if (current == null || election.held(now).isEmpty()) {
      return;
    }
    for (LeaderOutput output : input.apply(current)) {
      if (!perform(output)) {
        lose();
        return;
      }
    }
    seenTwice = current.mayBeSeenTwice();
  }

  private boolean perform(LeaderOutput output) {
    switch (output) {
      case LeaderOutput.Send send ->
          Optional.ofNullable(workers.get(send.to()))
              .ifPresent(agent -> agent.send(new Frame.ForWorker(send.to(), send.message())));
      case LeaderOutput.Answer answer -> tellAll(answer.answer());
      case LeaderOutput.Save save -> {
        return lease != null && store.save(lease, json.write(save.state()));
      }
    }
    return true;
  }

  private void tellAll(ScalingAnswer answer) {
    agents.forEach(agent -> agent.send(new Frame.Answer(answer)));
  }
}
