package io.github.liquidscheduler.elastic.runtime;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread that does what it is told, in order, and some things again and again. */
final class EventLoop {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);
  private final BlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
  private final List<Recurring> recurring = new ArrayList<>();
  private final Consumer<Throwable> failed;
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private volatile boolean stopped;
  private volatile @Nullable Thread thread;

  /** Whether nothing is done any more; guarded by this. */
  private boolean ended;

  private static final class Recurring {
    private final long nanos;
    private final Runnable action;
    private long next = System.nanoTime();
    private boolean works = true;

    Recurring(Duration period, Runnable action) {
      nanos = period.toNanos();
      this.action = action;
    }
  }

  /** Returns a loop that is not started; {@code failed} is told of a mistake that ended it. */
  EventLoop(Consumer<Throwable> failed) {
    this.failed = failed;
  }

  /** Does something again and again; to be said before the loop starts. */
  void every(Duration period, Runnable action) {
    recurring.add(new Recurring(period, action));
  }

  void start(String name) {
    Thread.ofPlatform().daemon().name(name).start(this::run);
  }

  /** Has something done, in its turn; returns false if the loop has ended, so that it never is. */
  synchronized boolean submit(Runnable action) {
    return !ended && inbox.add(action);
  }

  /**
   * Has something done, in its turn, and waits until it is; not on the loop's own thread. Returns
   * false if the loop has ended, so that it never is.
   */
  boolean perform(Runnable action) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    boolean submitted =
        submit(
            () -> {
              try {
                action.run();
              } finally {
                done.complete(null);
              }
            });
    if (submitted) {
      done.join();
    }
    return submitted;
  }

  /**
   * Does something and waits for what it returns. On the loop's own thread, and once the loop has
   * ended and changes nothing any more, it is done at once.
   */
  <T> T ask(Supplier<T> question) {
    if (isOwnThread()) {
      return question.get();
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    if (submit(() -> answer.completeAsync(question, Runnable::run))) {
      return answer.join();
    }
    awaitEnd();
    return question.get();
  }

  /** Returns true if this is called by what the loop does. */
  boolean isOwnThread() {
    return Thread.currentThread().equals(thread);
  }

  /** Ends the loop after what was submitted before. */
  void stop() {
    stopped = true;
  }

  /** Waits until the loop has ended; not on its own thread. */
  void awaitEnd() {
    over.join();
  }

  private void run() {
    thread = Thread.currentThread();
    try {
      while (!stopped) {
        step();
      }
    } finally {
      finish();
    }
  }

  private void step() {
    try {
      attempt(inbox.poll(untilNext(), TimeUnit.NANOSECONDS));
      if (!stopped) {
        recurring.forEach(this::performIfDue);
      }
    } catch (InterruptedException interrupted) {
      stopped = true;
    } catch (RuntimeException | Error mistake) {
      stopped = true;
      failed.accept(mistake);
    }
  }

  /** Does what is left, so that nobody who has submitted something waits for ever. */
  private void finish() {
    for (Runnable left = leftOrEnd(); left != null; left = leftOrEnd()) {
      try {
        left.run();
      } catch (RuntimeException mistake) {
        LOG.debug("Failed after the end", mistake);
      }
    }
    over.complete(null);
  }

  private synchronized @Nullable Runnable leftOrEnd() {
    Runnable left = inbox.poll();
    ended = left == null;
    return left;
  }

  private long untilNext() {
    long now = System.nanoTime();
    return recurring.stream().mapToLong(each -> each.next - now).min().orElse(0);
  }

  private void performIfDue(Recurring each) {
    if (System.nanoTime() - each.next >= 0) {
      boolean worked = attempt(each.action);
      if (worked && !each.works) {
        LOG.info("The lease store can be reached again");
      } else if (!worked && each.works) {
        LOG.warn("The lease store cannot be reached, and is asked again");
      }
      each.works = worked;
      each.next = System.nanoTime() + each.nanos;
    }
  }

  /** Returns false if the store cannot be reached; nothing else is expected to fail. */
  private static boolean attempt(@Nullable Runnable action) {
    try {
      if (action != null) {
        action.run();
      }
      return true;
    } catch (UncheckedIOException unreachable) {
      LOG.debug("The lease store failed", unreachable);
      return false;
    }
  }
}
