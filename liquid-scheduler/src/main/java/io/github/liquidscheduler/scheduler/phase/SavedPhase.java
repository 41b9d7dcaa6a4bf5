package io.github.liquidscheduler.scheduler.phase;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.scheduler.phase.JobPhase.Launching;
import io.github.liquidscheduler.scheduler.phase.JobPhase.Moving;
import io.github.liquidscheduler.scheduler.phase.JobPhase.Resizing;
import io.github.liquidscheduler.scheduler.phase.JobPhase.Running;
import io.github.liquidscheduler.scheduler.phase.JobPhase.Starting;
import io.github.liquidscheduler.scheduler.phase.JobPhase.Stopping;
import io.github.liquidscheduler.scheduler.phase.JobPhase.Waiting;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A phase as snapshots have it. */
public record SavedPhase(JobPhase phase) {

  /** Saves the phase. */
  public void save(SnapshotSection.Builder section) {
    switch (phase) {
      case Waiting waiting -> waiting.delay().ifPresent(at -> section.text("delayedUntil", at));
      case Stopping stopping -> {
        section.put("stopping", stopping.remaining());
        stopping.share().ifPresent(at -> section.text("delayedUntil", at));
        stopping.queue().ifPresent(queue -> section.text("ranIn", queue));
      }
      case Starting starting -> {
        section.put("placement", starting.placement()).texts("after", starting.after());
        section.text("startsBy", starting.by());
      }
      case Launching launching ->
          section.put("placement", launching.placement()).put("launching", true);
      case Running running -> section.put("placement", running.placement());
      case Resizing resizing -> {
        section.put("placement", resizing.to());
        section.put("running", resizing.running()).put("ready", resizing.ready());
        resizing.leaving().ifPresent(tasks -> section.put("leaving", tasks));
        if (!resizing.after().isEmpty()) {
          section.texts("after", resizing.after());
        }
      }
      case Moving moving -> {
        section.put("placement", moving.to()).put("movesFrom", moving.running());
        section.texts("after", moving.after());
      }
    }
    if (phase instanceof Running running && running.profiling()) {
      section.put("profiling", true);
    }
  }

  /** Loads a saved phase; {@code notBefore} is the saved end of a delay or grace period. */
  public static JobPhase load(SnapshotSection.Reader in, Optional<Instant> notBefore) {
    Optional<Placement> placement = in.optional("placement", Placement.class);
    Optional<Placement> running = in.optional("running", Placement.class);
    Optional<Placement> held = in.optional("stopping", Placement.class);
    List<JobId> after = in.texts("after", JobId::of);
    if (placement.isPresent() && running.isPresent()) {
      boolean ready = in.optional("ready", Boolean.class).orElse(false);
      Optional<Placement> leaving = in.optional("leaving", Placement.class);
      return new Resizing(running.get(), placement.get(), leaving, ready, after);
    }
    Optional<Placement> from = in.optional("movesFrom", Placement.class);
    if (placement.isPresent() && from.isPresent() && !after.isEmpty()) {
      return Moving.of(from.get(), placement.get(), after);
    }
    Optional<Instant> by = in.optionalText("startsBy", Instant::parse);
    if (placement.isPresent() && by.isPresent() && !after.isEmpty()) {
      return new Starting(placement.get(), after, by.get());
    }
    if (placement.isPresent() && in.optional("launching", Boolean.class).orElse(false)) {
      return new Launching(placement.get());
    }
    if (placement.isPresent()) {
      return new Running(placement.get(), in.optional("profiling", Boolean.class).orElse(false));
    }
    Optional<Instant> delay = in.optionalText("delayedUntil", Instant::parse);
    return held.isPresent() && notBefore.isPresent()
        ? new Stopping(held.get(), notBefore.get(), delay, in.optionalText("ranIn", QueueName::of))
        : new Waiting(delay, notBefore);
  }
}
