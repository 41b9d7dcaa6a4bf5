package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ElasticOptions;
import io.github.liquidscheduler.elastic.ScalingAnswer;
import io.github.liquidscheduler.elastic.ScalingRequest;
import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.protocol.ToWorker.LedgerUpdate;
import io.github.liquidscheduler.elastic.protocol.ToWorker.Proceed;
import io.github.liquidscheduler.elastic.protocol.ToWorker.Stop;
import io.github.liquidscheduler.elastic.protocol.ToWorker.StopReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The shared state of a leader's parts: the job, the open mini-batch, and what is to be done. */
final class LeaderContext {
  private final ElasticOptions options;
  private final long term;
  private final JobProgress job;
  private final StepBarrier barrier;
  private final MiniBatchTimes times = new MiniBatchTimes();
  private final List<LeaderOutput> outputs = new ArrayList<>();
  private List<ScalingRequest> requests = List.of();
  private Set<WorkerId> joining = Set.of();
  private Set<WorkerId> waiting = Set.of();
  private Instant lastSave;
  private StopReason end = StopReason.FINISHED;
  private boolean ended;

  LeaderContext(ElasticOptions options, long term, JobProgress job, Instant now) {
    this.options = options;
    this.term = term;
    this.job = job;
    barrier = new StepBarrier(options.suspectAfter());
    lastSave = now;
  }

  ElasticOptions options() {
    return options;
  }

  long term() {
    return term;
  }

  JobProgress job() {
    return job;
  }

  StepBarrier barrier() {
    return barrier;
  }

  MiniBatchTimes times() {
    return times;
  }

  boolean hasEnded() {
    return ended;
  }

  /** Notes what is under way: requests are saved with the rest, new workers hear of the end. */
  void underWay(List<ScalingRequest> scaling, Set<WorkerId> candidates) {
    requests = scaling;
    joining = candidates;
  }

  /** Notes who waits for the next switch to join, and is told of the end too. */
  void waiting(Set<WorkerId> candidates) {
    waiting = new LinkedHashSet<>(candidates);
  }

  void answer(ScalingAnswer answer) {
    outputs.add(new LeaderOutput.Answer(answer));
  }

  void send(WorkerId to, ToWorker message) {
    outputs.add(new LeaderOutput.Send(to, message));
  }

  void stop(WorkerId worker, StopReason reason) {
    send(worker, new Stop(term, reason, job.step()));
  }

  /**
   * Tells a worker that asks after the end how it ended. Who trained, and was no member any more
   * when the job finished, does not have the model that the others have.
   */
  void stopAfterEnd(WorkerId worker, boolean hasTrained) {
    boolean isBehind = end == StopReason.FINISHED && hasTrained && !job.has(worker);
    stop(worker, isBehind ? StopReason.EVICTED : end);
  }

  /** Opens the mini-batch for all members. */
  void proceed(Instant now, LedgerUpdate update) {
    barrier.begin(now);
    job.members().forEach(member -> proceed(member, update));
  }

  /** Opens the mini-batch for all members and brings their copies of the ledger up to date. */
  void proceedWithWholeLedger(Instant now) {
    job.ledger().takeChanges();
    proceed(now, new LedgerUpdate.Full(job.ledger().snapshot()));
  }

  void proceed(WorkerId member, LedgerUpdate update) {
    send(member, new Proceed(term, job.topology(), job.step(), update));
  }

  void end(StopReason reason) {
    ended = true;
    end = reason;
    save();
    job.members().forEach(member -> stop(member, reason));
    joining.forEach(worker -> stop(worker, reason));
    waiting.forEach(worker -> stop(worker, reason));
  }

  void save() {
    boolean finished = ended && end == StopReason.FINISHED;
    outputs.add(new LeaderOutput.Save(new LeaderState(job.replica(), requests, finished)));
  }

  void saveIfDue(Instant now) {
    boolean due = !now.isBefore(lastSave.plus(options.snapshotInterval()));
    if (due && job.isFormed() && !ended) {
      save();
    }
  }

  List<LeaderOutput> takeOutputs(Instant now) {
    List<LeaderOutput> taken = List.copyOf(outputs);
    outputs.clear();
    if (taken.stream().anyMatch(LeaderOutput.Save.class::isInstance)) {
      lastSave = now;
    }
    return taken;
  }
}
