package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.reconcile.Reconciler.Counts;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What operators should know: counts of what is done, and lines about what goes wrong. A failure is
 * told the first time, and then once a minute at most, with how often it was meanwhile.
 * Thread-safe.
 */
final class Supervision {
  private static final long BETWEEN_LINES = Duration.ofMinutes(1).toNanos();

  /** How often something has failed, and when that was said last. */
  private record Failures(long count, long said, long saidAt) {}

  private final LongSupplier stopwatch;
  private final Consumer<String> operator;
  private final Map<String, Failures> failures = new TreeMap<>();
  private final Map<String, Long> events = new TreeMap<>();
  private final Map<String, Long> commands = new TreeMap<>();
  private final Map<String, Long> refused = new TreeMap<>();
  private long passes;
  private Duration listing = Duration.ZERO;
  private long completeAt;
  private String lastFailure = "it has not started";
  private @Nullable Long awaySince;

  Supervision(LongSupplier stopwatch, Consumer<String> operator) {
    this.stopwatch = stopwatch;
    this.operator = operator;
    completeAt = stopwatch.getAsLong();
  }

  void failed(String what, Throwable failure) {
    failed(what, "" + failure.getMessage());
  }

  synchronized void failed(String what, String why) {
    long now = stopwatch.getAsLong();
    Failures before = failures.getOrDefault(what, new Failures(0, 0, 0));
    long count = before.count() + 1;
    lastFailure = what + " failed: " + why;
    if (count == 1 || now - before.saidAt() >= BETWEEN_LINES) {
      long more = count - before.said() - 1;
      say(lastFailure + (more == 0 ? "" : " (and %d times before)".formatted(more)));
      failures.put(what, new Failures(count, count, now));
    } else {
      failures.put(what, new Failures(count, before.said(), before.saidAt()));
    }
  }

  /** Says a line, of any text. */
  void say(String line) {
    operator.accept(line.replaceAll("\\p{Cntrl}+", " "));
  }

  synchronized void notObserved(Throwable failure) {
    awaySince = awaySince == null ? Long.valueOf(stopwatch.getAsLong()) : awaySince;
    failed("observing", failure);
  }

  synchronized void observed(long nanos) {
    listing = Duration.ofNanos(nanos);
    if (awaySince != null) {
      long seconds = Duration.ofNanos(stopwatch.getAsLong() - awaySince).toSeconds();
      say("the cluster manager answers again after %d s".formatted(seconds));
      awaySince = null;
    }
  }

  synchronized void passed() {
    passes++;
    completeAt = stopwatch.getAsLong();
  }

  synchronized void told(List<? extends ClusterEvent> some) {
    for (ClusterEvent event : some) {
      events.merge(event.getClass().getSimpleName(), 1L, Long::sum);
      switch (event) {
        case ClusterEvent.JobAdopted it ->
            say(
                "job %s, which was not started here, holds %d GPUs"
                    .formatted(it.job(), it.spec().gpus()));
        case ClusterEvent.NodeLost it -> say("node %s is lost".formatted(it.node()));
        default -> {}
      }
    }
  }

  synchronized void commanded(Collection<Command> some) {
    for (Command command : some) {
      commands.merge(command.getClass().getSimpleName(), 1L, Long::sum);
      if (command instanceof Command.GiveUp it) {
        say("job %s is given up: %s".formatted(it.job(), it.text()));
      }
    }
  }

  void refused(Command command, String why) {
    String kind = command.getClass().getSimpleName();
    synchronized (this) {
      refused.merge(kind, 1L, Long::sum);
    }
    failed(kind, command.job() + ": " + why);
  }

  /** Returns what is wrong if no pass was complete for some time; null if one was. */
  synchronized @Nullable String ill(Duration since) {
    Duration age = Duration.ofNanos(stopwatch.getAsLong() - completeAt);
    return age.compareTo(since) < 0
        ? null
        : "no pass was complete for %d s: %s".formatted(age.toSeconds(), lastFailure);
  }

  synchronized Counts counts() {
    Map<String, Long> failed = new TreeMap<>();
    failures.forEach((what, each) -> failed.put(what, each.count()));
    return new Counts(passes, copy(events), copy(commands), copy(refused), copy(failed), listing);
  }

  private static Map<String, Long> copy(Map<String, Long> counts) {
    return Collections.unmodifiableMap(new TreeMap<>(counts));
  }
}
