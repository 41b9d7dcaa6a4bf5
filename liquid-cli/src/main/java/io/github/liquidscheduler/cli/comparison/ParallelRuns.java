package io.github.liquidscheduler.cli.comparison;

import io.github.liquidscheduler.cli.output.TerminalBar;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Runs that do not know of each other, several at a time. */
public final class ParallelRuns {

  private ParallelRuns() {}

  /**
   * Returns the results of the runs, in order, for any number of threads.
   *
   * @throws RuntimeException the exception of the first run that threw; the others are then
   *     abandoned
   */
  public static <T> List<T> of(List<? extends Callable<T>> runs, int threads) {
    try (TerminalBar bar = TerminalBar.of("Comparing", " runs");
        ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<T>> pending = new ArrayList<>();
      runs.forEach(run -> pending.add(executor.submit(run)));
      List<T> results = new ArrayList<>();
      try {
        for (Future<T> each : pending) {
          results.add(each.get());
          bar.progress(results.size(), runs.size());
        }
        return results;
      } catch (ExecutionException e) {
        throw thrown(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      } finally {
        executor.shutdownNow();
      }
    }
  }

  private static RuntimeException thrown(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException unchecked
        ? unchecked
        : new IllegalStateException(cause);
  }
}
