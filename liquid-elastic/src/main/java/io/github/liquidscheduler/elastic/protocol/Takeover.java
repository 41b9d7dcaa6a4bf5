package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.protocol.ToWorker.StopReason;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The beginning of a term: the workers register, and the job goes on where they left it. */
final class Takeover {
  private final LeaderContext context;
  private final TopologyChanges changes;
  private final ScalingRequests requests;
  private final Instant begun;
  private @Nullable Recovery recovery;

  Takeover(
      LeaderContext context,
      TopologyChanges changes,
      ScalingRequests requests,
      @Nullable LeaderState saved,
      Instant now) {
    this.context = context;
    this.changes = changes;
    this.requests = requests;
    begun = now;
    recovery = saved == null ? null : new Recovery(saved, now, context.options().suspectAfter());
    if (saved != null && saved.finished()) {
      context.job().restore(saved.replica(), List.of());
      context.end(StopReason.FINISHED);
      recovery = null;
    }
  }

  boolean isUnderWay() {
    return recovery != null;
  }

  /** Checks that the job can be where a worker says that it is. */
  void check(ToLeader.Register register) {
    Recovery current = recovery;
    if (current != null && register.replica() != null) {
      current.check(register.worker(), register.replica());
    }
  }

  void on(Instant now, ToLeader message) {
    Recovery current = recovery;
    if (current == null) {
      return;
    }
    switch (message) {
      case ToLeader.Register register -> current.add(register);
      case ToLeader.Lost lost -> current.lose(lost.worker());
      case ToLeader.Ready ready -> {}
      case ToLeader.BatchEnd report -> {}
      case ToLeader.BatchFailed failure -> {}
      case ToLeader.Leave leave -> {}
    }
    if (current.isComplete()) {
      finish(now, current);
    }
  }

  void tick(Instant now) {
    Recovery current = recovery;
    if (current == null || !current.isOver(now)) {
      return;
    }
    List<WorkerId> present = current.loaded();
    boolean canGoOn =
        current.furthest().topology().members().stream().anyMatch(present::contains)
            || (current.furthest().step() == 1 && !current.registered().isEmpty());
    if (canGoOn || !now.isBefore(begun.plus(context.options().joinTimeout()))) {
      finish(now, current);
    }
  }

  private void finish(Instant now, Recovery over) {
    recovery = null;
    List<WorkerId> missing = over.missing();
    context.job().restore(over.furthest(), over.loaded());
    requests.restore(now, over.saved().requests());
    if (missing.isEmpty()) {
      context.proceedWithWholeLedger(now);
    } else {
      context.job().mayHaveProceeded(missing);
      changes.evict(now, missing);
    }
    over.registered().stream()
        .filter(register -> !context.job().has(register.worker()))
        .forEach(register -> requests.register(now, register));
  }
}
