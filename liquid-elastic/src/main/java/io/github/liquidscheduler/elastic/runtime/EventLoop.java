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

/** One thread that does what it is told, in order, and some things again and again. */
final class EventLoop {
  private final BlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
  private final List<Recurring> recurring = new ArrayList<>();
  private final Consumer<Throwable> failed;
  private volatile boolean stopped;

  private static final class Recurring {
    private final long nanos;
    private final Runnable action;
    private long next = System.nanoTime();

    Recurring(Duration period, Runnable action) {
      nanos = period.toNanos();
      this.action = action;
    }
  }

  /**
   * Returns a loop that is not started.
   *
   * @param failed is told what ended the loop, if that was a mistake of ours
   */
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

  void submit(Runnable action) {
    inbox.add(action);
  }

  /** Does something and waits for what it returns. */
  <T> T ask(Supplier<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    submit(() -> answer.complete(question.get()));
    return answer.join();
  }

  /** Ends the loop after what it does now. */
  void stop() {
    stopped = true;
  }

  private void run() {
    while (!stopped) {
      try {
        perform(inbox.poll(untilNext(), TimeUnit.NANOSECONDS));
        recurring.forEach(this::performIfDue);
      } catch (InterruptedException interrupted) {
        return;
      } catch (RuntimeException | Error mistake) {
        stopped = true;
        failed.accept(mistake);
      }
    }
  }

  private long untilNext() {
    long now = System.nanoTime();
    return recurring.stream().mapToLong(each -> each.next - now).min().orElse(0);
  }

  private void performIfDue(Recurring each) {
    if (System.nanoTime() - each.next >= 0) {
      perform(each.action);
      each.next = System.nanoTime() + each.nanos;
    }
  }

  /** A store that cannot be reached is asked again; nothing else is expected to fail. */
  private static void perform(@Nullable Runnable action) {
    if (action == null) {
      return;
    }
    try {
      action.run();
    } catch (UncheckedIOException unreachable) {
      System.getLogger(EventLoop.class.getName())
          .log(System.Logger.Level.DEBUG, "Will be tried again", unreachable);
    }
  }
}
