package io.github.liquidscheduler.slurm.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a process costs several times the update that it sends. Updates that wait for their turn
 * are the lines of one scontrol, between lines that it does not know, which it says.
 * Invariants: an update was done if nothing is said between the words around it, and refused if
 * something is. No update is sent twice: one of a job that runs by now would resize it.
 * Rejected: one answer for all lines, since what failed would not be known by job.
 */
/**
 * Runs commands of callers that wait for them, a few at a time. Of those that change jobs, all that
 * wait are carried out by one process.
 */
public final class UpdateBatches implements CommandRunner {

  private static final List<String> UPDATE = List.of("scontrol", "update");

  /** Stands between lines; scontrol says that it does not know it. */
  private static final String WORD = "liquid-line-";

  private static final String UNKNOWN = "invalid keyword: ";

  /** The most updates of one process: it must end in the time of one command. */
  private static final int MOST_LINES = 32;

  private final CommandRunner runner;
  private final Semaphore places;
  private final Queue<Update> waiting = new ConcurrentLinkedQueue<>();

  /** Whether scontrol says which lines it does not know; if not, each has its own process. */
  private volatile boolean isSaid = true;

  /**
   * Makes a runner over another.
   *
   * @param atATime how many commands may run at a time
   */
  public UpdateBatches(CommandRunner runner, int atATime) {
    this.runner = runner;
    places = new Semaphore(atATime, true);
  }

  @Override
  public Answer run(List<String> command, String input) throws IOException {
    if (!isOneLine(command)) {
      return inPlace(() -> runner.run(command, input));
    }
    Update update = new Update(command, new CompletableFuture<>());
    waiting.add(update);
    inPlace(this::runNext);
    try {
      return update.answer().join();
    } catch (CompletionException e) {
      Throwable cause = Objects.requireNonNull(e.getCause());
      throw new IOException(cause.getMessage(), e);
    }
  }

  /** What runs in a place. */
  private interface Work<T> {
    T run() throws IOException;
  }

  private <T> T inPlace(Work<T> work) throws IOException {
    places.acquireUninterruptibly();
    try {
      return work.run();
    } finally {
      places.release();
    }
  }

  /**
   * An update that waits for its answer.
   *
   * @param answer what Slurm said, or that it is not known what became of it
   */
  private record Update(List<String> command, CompletableFuture<Answer> answer) {

    /** Returns it as a line of the input of {@code scontrol}. */
    String line() {
      return String.join(" ", command.subList(1, command.size()));
    }
  }

  /** Returns true if the command is an update whose words are the same in a line of input. */
  private static boolean isOneLine(List<String> command) {
    return command.size() > UPDATE.size()
        && command.subList(0, UPDATE.size()).equals(UPDATE)
        && command.stream()
            .flatMapToInt(String::chars)
            .allMatch(c -> c > ' ' && c < 127 && c != '"' && c != '\'' && c != '\\');
  }

  /** Carries out those that wait; none if others have taken them. */
  private boolean runNext() {
    int most = isSaid ? MOST_LINES : 1;
    List<Update> batch = new ArrayList<>();
    while (batch.size() < most) {
      @Nullable Update next = waiting.poll();
      if (next == null) {
        break;
      }
      batch.add(next);
    }
    try {
      if (batch.size() == 1) {
        batch.getFirst().answer().complete(runner.run(batch.getFirst().command()));
      } else if (!batch.isEmpty()) {
        runTogether(batch);
      }
    } catch (IOException | RuntimeException e) {
      batch.forEach(update -> update.answer().completeExceptionally(e));
    }
    return !batch.isEmpty();
  }

  private void runTogether(List<Update> batch) throws IOException {
    StringBuilder input = new StringBuilder(WORD + 0 + '\n');
    for (int i = 0; i < batch.size(); i++) {
      input.append(batch.get(i).line()).append('\n').append(WORD).append(i + 1).append('\n');
    }
    List<String> lines =
        runner.run(List.of(UPDATE.getFirst()), input.toString()).errors().lines().toList();
    for (int i = 0; i < batch.size(); i++) {
      int from = lines.indexOf(UNKNOWN + WORD + i);
      int to = lines.indexOf(UNKNOWN + WORD + (i + 1));
      if (from < 0 || to < 0) {
        isSaid = false;
        throw new IOException("scontrol does not say what became of " + batch.get(i).line());
      }
      String said = String.join("\n", lines.subList(from + 1, to));
      batch.get(i).answer().complete(new Answer(said.isEmpty() ? 0 : 1, "", said));
    }
  }
}
