package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ElasticOptions;
import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.SampleRange;
import io.github.liquidscheduler.elastic.ScalingRequest;
import io.github.liquidscheduler.elastic.ledger.PartitionLedger;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The leader of an elastic job: it hands out the data, commits mini-batches, changes the topology
 * and replaces lost workers.
 *
 * <p>A state machine without clock, thread or socket: each input comes with its time, and the
 * answers are to be carried out in their order. A leader is made for each term, which is the token
 * of its lease; it starts from the state that the leader before it saved, and from what the workers
 * tell it when they register. Not thread-safe.
 */
public final class Leader {
  private final LeaderContext context;
  private final TopologyChanges changes;
  private final ScalingRequests requests;
  private final Training training;
  private final Takeover takeover;
  private boolean retired;

  /** Returns the leader of a term above any before, with what was saved last, if anything. */
  public Leader(
      ElasticOptions options,
      Partitioning partitioning,
      long term,
      @Nullable LeaderState saved,
      Instant now) {
    JobProgress job =
        new JobProgress(
            PartitionLedger.of(partitioning), options.shardPrefetch(), options.epochs());
    context = new LeaderContext(options, term, job, now);
    changes = new TopologyChanges(context);
    requests = new ScalingRequests(context, changes);
    training = new Training(context, changes, requests);
    takeover = new Takeover(context, changes, requests, saved, now);
  }

  /**
   * Checks what a worker's message claims against what is known; late and repeated messages are not
   * refused.
   *
   * @throws IllegalArgumentException if it cannot be true, in one sentence
   */
  public void check(ToLeader message) {
    if (!retired && message instanceof ToLeader.Register register) {
      takeover.check(register);
    } else if (!retired && message instanceof ToLeader.BatchEnd report) {
      training.check(report);
    }
  }

  /** Takes a worker's message, and returns the resulting actions. */
  public List<LeaderOutput> on(Instant now, ToLeader message) {
    if (!retired) {
      handle(now, message);
    }
    return context.takeOutputs(now);
  }

  /** Takes a request of the cluster scheduler, and returns the resulting actions. */
  public List<LeaderOutput> on(Instant now, ScalingRequest request) {
    if (!retired) {
      requests.request(now, request, takeover.isUnderWay());
    }
    return context.takeOutputs(now);
  }

  /** Lets time pass, and returns the resulting actions; to be called about ten times a second. */
  public List<LeaderOutput> tick(Instant now) {
    if (!retired) {
      takeover.tick(now);
      changes.tick(now);
      training.tick(now);
      context.saveIfDue(now);
    }
    return context.takeOutputs(now);
  }

  /** Ends the term: returns the state to save for the next leader, and is silent from then on. */
  public List<LeaderOutput> handOver(Instant now) {
    if (!retired && context.job().isFormed()) {
      context.save();
    }
    retired = true;
    return context.takeOutputs(now);
  }

  /** Returns the number of the topology that trains, or 0 before the first. */
  public long topologyEpoch() {
    return context.job().nextNumber() - 1;
  }

  /** Returns the mini-batch that is being trained, from 1. */
  public long step() {
    return context.job().step();
  }

  /** Returns the samples that crashed workers may have read without reporting them. */
  public List<SampleRange> mayBeSeenTwice() {
    return context.job().ledger().mayBeSeenTwice();
  }

  private void handle(Instant now, ToLeader message) {
    if (takeover.isUnderWay()) {
      takeover.on(now, message);
      return;
    }
    switch (message) {
      case ToLeader.Register register -> requests.register(now, register);
      case ToLeader.Ready ready -> changes.ready(now, ready.worker());
      case ToLeader.BatchEnd report -> training.batchEnd(now, report);
      case ToLeader.BatchFailed failure -> training.batchFailed(now, failure);
      case ToLeader.Leave leave -> requests.leave(now, leave.worker());
      case ToLeader.Lost lost -> requests.lost(now, lost.worker());
    }
  }
}
