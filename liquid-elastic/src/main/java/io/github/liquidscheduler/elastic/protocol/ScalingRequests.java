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
import io.github.liquidscheduler.elastic.protocol.ToWorker.StopReason;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The requests to join or to leave: of the cluster scheduler by scale out, scale in and migrate,
 * and of workers by themselves. What comes before a switch is decided is merged into one operation.
 * What comes later is answered with retry, or if a worker asks by itself, waits for the switch.
 */
final class ScalingRequests {
  private static final String JOIN = "join/";
  private static final String LEAVE = "leave/";

  private final LeaderContext context;
  private final TopologyChanges changes;
  private final Set<WorkerId> waitingToJoin = new LinkedHashSet<>();
  private final Set<WorkerId> waitingToLeave = new LinkedHashSet<>();
  private Predicate<WorkerId> dropPays = worker -> false;

  ScalingRequests(LeaderContext context, TopologyChanges changes) {
    this.context = context;
    this.changes = changes;
    changes.afterSwitch(this::resumeDeferred);
  }

  void dropWhenItPays(Predicate<WorkerId> pays) {
    dropPays = pays;
  }

  /** Takes up what was under way; workers that joined unasked will register again. */
  void restore(Instant now, List<ScalingRequest> requests) {
    requests.stream()
        .filter(request -> !request.id().startsWith(JOIN))
        .forEach(request -> changes.operation().add(request, now));
    changes.noteUnderWay();
  }

  void request(Instant now, ScalingRequest request, boolean takingOver) {
    if (changes.operation().has(request.id()) && !(request instanceof Cancel)) {
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

  /** A worker's process has ended. */
  void lost(Instant now, WorkerId worker) {
    waitingToJoin.remove(worker);
    context.waiting(waitingToJoin);
    changes.lost(now, worker);
  }

  void register(Instant now, ToLeader.Register register) {
    WorkerId worker = register.worker();
    if (context.hasEnded()) {
      context.stopAfterEnd(worker, register.replica() != null);
    } else if (context.job().has(worker)) {
      context.proceed(worker, new LedgerUpdate.Full(context.job().ledger().snapshot()));
    } else if (register.replica() != null || changes.hasDeparted(worker)) {
      context.stop(worker, StopReason.EVICTED);
    } else {
      join(now, worker);
    }
  }

  void leave(Instant now, WorkerId worker) {
    if (context.job().has(worker)) {
      ScaleIn request = new ScaleIn(LEAVE + worker, List.of(worker));
      if (changes.operation().canMerge(request)) {
        scale(now, request);
      } else {
        waitingToLeave.add(worker);
      }
    } else if (changes.operation().isJoining(worker) || waitingToJoin.contains(worker)) {
      waitingToLeave.add(worker);
    }
  }

  private void join(Instant now, WorkerId worker) {
    if (!changes.operation().isJoining(worker)) {
      ScaleOut request = new ScaleOut(JOIN + worker, List.of(worker));
      if (!changes.operation().canMerge(request)) {
        waitingToJoin.add(worker);
        context.waiting(waitingToJoin);
        return;
      }
      scale(now, request);
    }
    changes.operation().registered(worker);
    changes.prepareIfRegistered(worker);
    changes.advance(now);
  }

  private void scale(Instant now, ScalingRequest request) {
    JobProgress job = context.job();
    boolean changesNothing =
        job.members().containsAll(ScalingOperation.joins(request))
            && ScalingOperation.leaves(request).stream().noneMatch(job::has);
    if (changesNothing && job.isFormed()) {
      context.answer(new ScalingAnswer.Switched(request.id(), job.topology().number(), job.step()));
    } else if (leavesTooEarly(request) || !changes.operation().canMerge(request)) {
      context.answer(new ScalingAnswer.Retry(request.id()));
    } else if (ScalingOperation.joins(request).stream().anyMatch(this::cannotJoin)) {
      reject(request, "A worker that trains or has left cannot join");
    } else {
      changes.operation().add(request, now);
      if (changes.operation().membersAfter(job.members(), List.of()).isEmpty()) {
        changes.operation().remove(request.id());
        reject(request, "No worker would be left");
        return;
      }
      accept(now, request);
    }
  }

  /** Before the first topology nobody trains, and the job waits for any worker. */
  private boolean leavesTooEarly(ScalingRequest request) {
    return !context.job().isFormed() && !ScalingOperation.leaves(request).isEmpty();
  }

  private boolean cannotJoin(WorkerId worker) {
    return context.job().has(worker) || changes.hasDeparted(worker);
  }

  private void accept(Instant now, ScalingRequest request) {
    changes.noteUnderWay();
    if (context.job().isFormed()) {
      context.save();
    }
    context.answer(new ScalingAnswer.Accepted(request.id()));
    changes.advance(now);
  }

  private void cancel(Instant now, Cancel cancel) {
    if (!changes.operation().has(cancel.id())) {
      reject(cancel, "No such request is under way");
    } else if (changes.operation().isDecided()) {
      reject(cancel, "The switch is already decided");
    } else {
      changes.operation().remove(cancel.id()).forEach(changes::dismiss);
      changes.noteUnderWay();
      context.answer(new ScalingAnswer.Cancelled(cancel.id()));
      changes.advance(now);
    }
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

  private void resumeDeferred(Instant now) {
    List<WorkerId> leaving = List.copyOf(waitingToLeave);
    waitingToLeave.clear();
    leaving.forEach(worker -> leave(now, worker));
    List<WorkerId> joining = List.copyOf(waitingToJoin);
    waitingToJoin.clear();
    context.waiting(waitingToJoin);
    joining.forEach(worker -> join(now, worker));
  }
}
