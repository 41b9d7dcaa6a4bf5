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

/*
 * Idea: a process costs several times the update that it sends. Updates that wait for their turn
 * are the lines of one scontrol, each followed by a line that it does not know, which it says.
 * Invariants: an update that said nothing before the word that follows it was done. Any other is
 * told again by itself, whose answer counts: updates may be repeated.
 * Rejected: one answer for all lines, since what failed would not be known by job.
 */
/**
 * Runs commands of callers that wait for them, a few at a time. Of those that change jobs, all that
 * wait are carried out by one process.
 */
public final class UpdateBatches implements CommandRunner {

  private static final List<String> UPDATE = List.of("scontrol", "update");

  /** Follows each line; scontrol says that it does not know it. */
  private static final String WORD = "liquid-line-";

  private static final String UNKNOWN = "invalid keyword: ";

  /** The most updates of one process: it must end in the time of one command. */
  private static final int MOST_LINES = 32;

  private final CommandRunner runner;
  private final Semaphore places;
  private final Queue<Update> waiting = new ConcurrentLinkedQueue<>();

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
    List<Update> batch = new ArrayList<>();
    for (Update next = waiting.poll(); next != null; next = waiting.poll()) {
      batch.add(next);
      if (batch.size() == MOST_LINES) {
        break;
      }
    }
    List<Update> left = batch.size() > 1 ? runTogether(batch) : batch;
    for (Update update : left) {
      try {
        update.answer().complete(runner.run(update.command()));
      } catch (IOException | RuntimeException e) {
        update.answer().completeExceptionally(e);
      }
    }
    return !batch.isEmpty();
  }

  /** Carries out updates by one process; returns those of which it does not say that it did. */
  private List<Update> runTogether(List<Update> batch) {
    StringBuilder input = new StringBuilder();
    for (int i = 0; i < batch.size(); i++) {
      input.append(batch.get(i).line()).append('\n').append(WORD).append(i).append('\n');
    }
    Answer said;
    try {
      said = runner.run(List.of(UPDATE.getFirst()), input.toString());
    } catch (IOException | RuntimeException e) {
      batch.forEach(update -> update.answer().completeExceptionally(e));
      return List.of();
    }
    List<String> lines = said.errors().lines().toList();
    List<Update> left = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      int at = lines.indexOf(UNKNOWN + WORD + i);
      boolean isDone = at >= 0 && at == (i == 0 ? 0 : lines.indexOf(UNKNOWN + WORD + (i - 1)) + 1);
      if (isDone) {
        batch.get(i).answer().complete(new Answer(0, "", ""));
      } else {
        left.add(batch.get(i));
      }
    }
    return left;
  }
}
