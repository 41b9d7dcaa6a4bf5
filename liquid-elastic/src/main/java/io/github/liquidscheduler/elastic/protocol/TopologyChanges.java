package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ScalingAnswer;
import io.github.liquidscheduler.elastic.ScalingRequest;
import io.github.liquidscheduler.elastic.ScalingRequest.Cancel;
import io.github.liquidscheduler.elastic.ScalingRequest.Migrate;
import io.github.liquidscheduler.elastic.ScalingRequest.NoReplacement;
import io.github.liquidscheduler.elastic.ScalingRequest.ScaleIn;
import io.github.liquidscheduler.elastic.ScalingRequest.ScaleOut;
import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.protocol.ToWorker.LedgerUpdate;
import io.github.liquidscheduler.elastic.protocol.ToWorker.Prepare;
import io.github.liquidscheduler.elastic.protocol.ToWorker.StopReason;
import io.github.liquidscheduler.elastic.protocol.ToWorker.Switch;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Scale out, scale in and migrate, and the loss of workers: everything that ends in a topology of
 * another number.
 *
 * <p>Members train on while new workers prepare. When all are ready the switch is decided for the
 * mini-batch that begins when every worker has had time to hear of it. At that mini-batch one
 * member broadcasts the model, those who leave give their remainders back, and all go on. When
 * workers are lost, the others repeat the open mini-batch in a topology of their own, at once. If
 * all who hold the model are to leave, they stay for one topology more and broadcast it.
 */
final class TopologyChanges {
  private static final String JOIN = "join/";
  private static final String LEAVE = "leave/";

  private final LeaderContext context;
  private final Set<WorkerId> departed = new LinkedHashSet<>();
  private final Set<WorkerId> waitingToJoin = new LinkedHashSet<>();
  private final Set<WorkerId> waitingToLeave = new LinkedHashSet<>();
  private Predicate<WorkerId> dropPays = worker -> false;
  private ScalingOperation operation = new ScalingOperation();

  TopologyChanges(LeaderContext context) {
    this.context = context;
  }

  void dropWhenItPays(Predicate<WorkerId> pays) {
    dropPays = pays;
  }

  /** Takes up what was under way; workers that joined unasked will register again. */
  void restore(Instant now, List<ScalingRequest> requests) {
    requests.stream()
        .filter(request -> !request.id().startsWith(JOIN))
        .forEach(request -> operation.add(request, now));
    noteUnderWay();
  }

  void request(Instant now, ScalingRequest request, boolean takingOver) {
    if (operation.has(request.id()) && !(request instanceof Cancel)) {
      return;
    }
    if (takingOver) {
      context.answer(new ScalingAnswer.Retry(request.id()));
    } else if (context.hasEnded()) {
      reject(request, "The job has ended");
    } else {
      switch (request) {
        case Cancel cancel -> cancel(now, cancel);
        case NoReplacement none -> drop(now, none);
        case ScaleOut out -> scale(now, out);
        case ScaleIn in -> scale(now, in);
        case Migrate migrate -> scale(now, migrate);
      }
    }
  }

  void register(Instant now, ToLeader.Register register) {
    WorkerId worker = register.worker();
    if (context.hasEnded()) {
      context.stopAfterEnd(worker);
    } else if (context.job().has(worker)) {
      context.proceed(worker, new LedgerUpdate.Full(context.job().ledger().snapshot()));
    } else if (register.replica() != null || departed.contains(worker)) {
      context.stop(worker, StopReason.EVICTED);
    } else {
      join(now, worker);
    }
  }

  void ready(Instant now, WorkerId worker) {
    operation.ready(worker);
    advance(now);
  }

  void leave(Instant now, WorkerId worker) {
    if (context.job().has(worker)) {
      ScaleIn request = new ScaleIn(LEAVE + worker, List.of(worker));
      if (operation.canMerge(request)) {
        scale(now, request);
      } else {
        waitingToLeave.add(worker);
      }
    }
  }

  void lost(Instant now, WorkerId worker) {
    if (context.hasEnded()) {
      return;
    }
    departed.add(worker);
    if (context.job().has(worker)) {
      evict(now, List.of(worker));
    } else {
      giveUpOn(worker);
      advance(now);
    }
  }

  void tick(Instant now) {
    if (operation.isEmpty() || context.hasEnded()) {
      return;
    }
    for (WorkerId late : operation.late(now, context.options().joinTimeout())) {
      departed.add(late);
      giveUpOn(late);
      context.stop(late, StopReason.EVICTED);
    }
    advance(now);
  }

  /** Goes on without these workers, who may have read the open mini-batch. */
  void evict(Instant now, Collection<WorkerId> lost) {
    evict(now, lost, 1);
  }

  /**
   * Goes on without workers that were lost with the leader before: it may have let them proceed
   * without letting anybody know who is left.
   */
  void evictAtTakeover(Instant now, Collection<WorkerId> lost) {
    evict(now, lost, 2);
  }

  private void evict(Instant now, Collection<WorkerId> lost, int unreported) {
    lost.forEach(worker -> context.answer(new ScalingAnswer.Evicted(worker)));
    departed.addAll(lost);
    switchNow(now, lost, unreported);
    lost.forEach(worker -> context.stop(worker, StopReason.EVICTED));
  }

  /** Lets all members train the open mini-batch again. */
  void repeatStep(Instant now) {
    switchNow(now, List.of(), 1);
  }

  /** Switches if that was agreed for the mini-batch that is next; returns whether it was. */
  boolean switchIfDue(Instant now) {
    boolean due = operation.isDueAt(context.job().step());
    if (due) {
      switchNow(now, List.of(), 0);
    }
    return due;
  }

  private void join(Instant now, WorkerId worker) {
    if (!operation.isJoining(worker)) {
      ScaleOut request = new ScaleOut(JOIN + worker, List.of(worker));
      if (!operation.canMerge(request)) {
        waitingToJoin.add(worker);
        noteUnderWay();
        return;
      }
      scale(now, request);
    }
    operation.registered(worker);
    prepareIfRegistered(worker);
    advance(now);
  }

  private void scale(Instant now, ScalingRequest request) {
    JobProgress job = context.job();
    boolean changesNothing =
        job.members().containsAll(ScalingOperation.joins(request))
            && ScalingOperation.leaves(request).stream().noneMatch(job::has);
    if (changesNothing && job.isFormed()) {
      context.answer(new ScalingAnswer.Switched(request.id(), job.topology().number(), job.step()));
    } else if (!operation.canMerge(request)) {
      context.answer(new ScalingAnswer.Retry(request.id()));
    } else if (ScalingOperation.joins(request).stream().anyMatch(this::cannotJoin)) {
      reject(request, "A worker that trains or has left cannot join");
    } else {
      operation.add(request, now);
      if (operation.membersAfter(job.members(), List.of()).isEmpty()) {
        operation.remove(request.id());
        reject(request, "No worker would be left");
        return;
      }
      accept(now, request);
    }
  }

  private boolean cannotJoin(WorkerId worker) {
    return context.job().has(worker) || departed.contains(worker);
  }

  private void accept(Instant now, ScalingRequest request) {
    noteUnderWay();
    if (context.job().isFormed()) {
      context.save();
    }
    context.answer(new ScalingAnswer.Accepted(request.id()));
    advance(now);
  }

  private void cancel(Instant now, Cancel cancel) {
    if (!operation.has(cancel.id())) {
      reject(cancel, "No such request is under way");
    } else if (operation.isDecided()) {
      reject(cancel, "The switch is already decided");
    } else {
      operation.remove(cancel.id()).forEach(this::dismiss);
      noteUnderWay();
      context.answer(new ScalingAnswer.Cancelled(cancel.id()));
      advance(now);
    }
  }

  private void dismiss(WorkerId worker) {
    departed.add(worker);
    context.stop(worker, StopReason.REMOVED);
  }

  private void drop(Instant now, NoReplacement none) {
    if (context.job().has(none.worker()) && dropPays.test(none.worker())) {
      scale(now, new ScaleIn(none.id(), List.of(none.worker())));
    } else {
      reject(none, "The job would be slower without the worker");
    }
  }

  private void reject(ScalingRequest request, String reason) {
    context.answer(new ScalingAnswer.Rejected(request.id(), reason));
  }

  private void giveUpOn(WorkerId worker) {
    waitingToJoin.remove(worker);
    operation.drop(worker).forEach(id -> context.answer(new ScalingAnswer.TimedOut(id, worker)));
    noteUnderWay();
  }

  /** Goes as far as the new workers let it: announce, decide, and switch if nobody trains yet. */
  private void advance(Instant now) {
    if (operation.isEmpty() || operation.isDecided() || context.hasEnded()) {
      return;
    }
    JobProgress job = context.job();
    List<WorkerId> after = operation.membersAfter(job.members(), List.of());
    if (operation.allRegistered() && operation.announce(after)) {
      operation.joining().forEach(this::prepareIfRegistered);
    }
    if (!operation.allReady()) {
      return;
    }
    if (job.isFormed()) {
      decide(after);
    } else if (after.size() >= context.options().initialWorkers()) {
      switchNow(now, List.of(), 0);
    }
  }

  private void prepareIfRegistered(WorkerId worker) {
    if (operation.isJoining(worker) && operation.allRegistered()) {
      context.send(worker, new Prepare(context.term(), context.job().nextNumber()));
    }
  }

  private void decide(List<WorkerId> after) {
    long at = context.job().step() + context.times().batchesIn(context.options().allowance());
    operation.decide(at);
    Set<WorkerId> told = new LinkedHashSet<>(context.job().members());
    told.addAll(after);
    told.forEach(worker -> context.send(worker, new Switch(context.term(), at)));
  }

  /** Begins a topology now: of the operation if that is decided, else of those who are left. */
  private void switchNow(Instant now, Collection<WorkerId> lost, int unreported) {
    JobProgress job = context.job();
    List<WorkerId> before = job.members();
    ScalingOperation applied =
        operation.isDecided() || !job.isFormed() ? operation : new ScalingOperation();
    List<WorkerId> after = applied.membersAfter(before, lost);
    boolean inTwoSteps = !job.isHeldBy(after);
    if (inTwoSteps) {
      after = applied.membersBeforeAnyLeaves(before, lost);
    }
    if (!job.isHeldBy(after) || after.isEmpty()) {
      context.answer(new ScalingAnswer.ModelLost(job.step()));
      context.end(StopReason.MODEL_LOST);
      return;
    }
    job.switchTo(after, unreported);
    List<ScalingRequest> done = inTwoSteps ? List.of() : applied.requests();
    if (applied == operation) {
      operation = inTwoSteps ? applied.withoutJoins() : new ScalingOperation();
      noteUnderWay();
    }
    context.save();
    context.proceedWithWholeLedger(now);
    before.stream()
        .filter(worker -> !job.has(worker) && !lost.contains(worker))
        .forEach(this::dismiss);
    done.forEach(request -> answerSwitched(request, job));
    advance(now);
    resumeDeferred(now);
  }

  private void answerSwitched(ScalingRequest request, JobProgress job) {
    context.answer(new ScalingAnswer.Switched(request.id(), job.topology().number(), job.step()));
  }

  private void noteUnderWay() {
    Set<WorkerId> candidates = operation.joining();
    candidates.addAll(waitingToJoin);
    context.underWay(operation.requests(), candidates);
  }

  private void resumeDeferred(Instant now) {
    List<WorkerId> joining = List.copyOf(waitingToJoin);
    List<WorkerId> leaving = List.copyOf(waitingToLeave);
    waitingToJoin.clear();
    waitingToLeave.clear();
    leaving.forEach(worker -> leave(now, worker));
    joining.forEach(worker -> join(now, worker));
  }
}
