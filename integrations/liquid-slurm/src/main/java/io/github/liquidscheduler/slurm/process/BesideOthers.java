package io.github.liquidscheduler.slurm.process;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Something that is read beside other things, by a thread of its own. */
public final class BesideOthers<T> implements AutoCloseable {

  /** What reads. */
  public interface Reading<T> {
    /**
     * Returns what was read.
     *
     * @throws IOException if it could not be read
     */
    T read() throws IOException;
  }

  private final CompletableFuture<T> result = new CompletableFuture<>();

  private BesideOthers() {}

  /** Begins to read. */
  public static <T> BesideOthers<T> begin(Reading<T> reading) {
    BesideOthers<T> beside = new BesideOthers<>();
    Thread.ofVirtual()
        .name("liquid-slurm-look")
        .start(
            () -> {
              try {
                beside.result.complete(reading.read());
              } catch (IOException | RuntimeException | Error e) {
                beside.result.completeExceptionally(e);
              }
            });
    return beside;
  }

  /**
   * Waits for what was read.
   *
   * @throws IOException if it could not be read
   */
  public T get() throws IOException {
    try {
      return result.join();
    } catch (CompletionException e) {
      Throwable cause = Objects.requireNonNull(e.getCause());
      throw new IOException(cause.getMessage(), e);
    }
  }

  /** Waits until nothing is read any more. */
  @Override
  public void close() {
    result.handle((read, failure) -> true).join();
  }
}
