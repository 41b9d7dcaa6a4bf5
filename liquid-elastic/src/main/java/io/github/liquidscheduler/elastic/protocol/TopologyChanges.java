package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ScalingAnswer;
import io.github.liquidscheduler.elastic.ScalingRequest;
import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.protocol.ToWorker.Prepare;
import io.github.liquidscheduler.elastic.protocol.ToWorker.StopReason;
import io.github.liquidscheduler.elastic.protocol.ToWorker.Switch;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The scaling operation in flight, and the loss of workers: everything that ends in a topology of
 * another number.
 *
 * <p>Members train on while new workers prepare. When all are ready the switch is decided for the
 * mini-batch that begins when every worker has had time to hear of it. At that mini-batch one
 * member broadcasts the model, those who leave give their remainders back, and all go on. When
 * workers are lost, the others repeat the open mini-batch in a topology of their own, at once. If
 * all who hold the model are to leave, they stay for one topology more and broadcast it.
 */
final class TopologyChanges {
  private final LeaderContext context;
  private final Set<WorkerId> departed = new LinkedHashSet<>();
  private Consumer<Instant> afterSwitch = now -> {};
  private ScalingOperation operation = new ScalingOperation();

  TopologyChanges(LeaderContext context) {
    this.context = context;
  }

  /** Sets what is done after each switch. */
  void afterSwitch(Consumer<Instant> action) {
    afterSwitch = action;
  }

  /** Returns the scaling operation in flight. */
  ScalingOperation operation() {
    return operation;
  }

  /** Returns true if a worker may not come back. */
  boolean hasDeparted(WorkerId worker) {
    return departed.contains(worker);
  }

  void ready(Instant now, WorkerId worker) {
    operation.ready(worker);
    advance(now);
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
    lost.forEach(worker -> context.answer(new ScalingAnswer.Evicted(worker)));
    departed.addAll(lost);
    goOnWithout(now, lost);
    lost.forEach(worker -> context.stop(worker, StopReason.EVICTED));
  }

  /** Lets all members train the open mini-batch again. */
  void repeatStep(Instant now) {
    goOnWithout(now, List.of());
  }

  private void goOnWithout(Instant now, Collection<WorkerId> lost) {
    switchNow(now, lost, context.job()::goOnWith);
  }

  /** Switches if that was agreed for the mini-batch that is next; returns true if it was. */
  boolean switchIfDue(Instant now) {
    boolean due = operation.isDueAt(context.job().step());
    if (due) {
      switchNow(now, List.of(), context.job()::switchTo);
    }
    return due;
  }

  void dismiss(WorkerId worker) {
    departed.add(worker);
    context.stop(worker, StopReason.REMOVED);
  }

  private void giveUpOn(WorkerId worker) {
    operation.drop(worker).forEach(id -> context.answer(new ScalingAnswer.TimedOut(id, worker)));
    noteUnderWay();
  }

  /** Goes as far as the new workers let it: announce, decide, and switch if nobody trains yet. */
  void advance(Instant now) {
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
      switchNow(now, List.of(), context.job()::switchTo);
    }
  }

  void prepareIfRegistered(WorkerId worker) {
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
  private void switchNow(Instant now, Collection<WorkerId> lost, Consumer<List<WorkerId>> begin) {
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
    begin.accept(after);
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
    afterSwitch.accept(now);
  }

  private void answerSwitched(ScalingRequest request, JobProgress job) {
    context.answer(new ScalingAnswer.Switched(request.id(), job.topology().number(), job.step()));
  }

  void noteUnderWay() {
    context.underWay(operation.requests(), operation.joining());
  }
}
