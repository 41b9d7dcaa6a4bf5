package io.github.liquidscheduler.slurm.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs commands as processes; times are printed in UTC. */
public final class ProcessRunner implements CommandRunner {

  /** The most that a command may print, in bytes. */
  private static final int MOST_BYTES = 1 << 29;

  private final Optional<Path> commands;
  private final Optional<Path> slurmConf;
  private final Duration timeout;

  /**
   * Makes a runner.
   *
   * @param commands the folder of the commands; empty to find them by the search path
   * @param slurmConf the file {@code slurm.conf}; empty for that of the installation
   * @param timeout the longest time that a command may take
   */
  public ProcessRunner(Optional<Path> commands, Optional<Path> slurmConf, Duration timeout) {
    this.commands = commands;
    this.slurmConf = slurmConf;
    this.timeout = timeout;
  }

  @Override
  public Answer run(List<String> command, String input) throws IOException {
    List<String> words = new ArrayList<>(command);
    commands.ifPresent(path -> words.set(0, path.resolve(command.getFirst()).toString()));
    ProcessBuilder builder = new ProcessBuilder(words);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("S") && name.contains("_FORMAT"));
    environment.put("TZ", "UTC");
    environment.put("LC_ALL", "C");
    slurmConf.ifPresent(file -> environment.put("SLURM_CONF", file.toString()));
    Process process = builder.start();
    try {
      CompletableFuture<String> output = read(process.getInputStream());
      CompletableFuture<String> errors = read(process.getErrorStream());
      try (OutputStream stream = process.getOutputStream()) {
        stream.write(input.getBytes(StandardCharsets.UTF_8));
      }
      CompletableFuture<Answer> answer =
          CompletableFuture.allOf(output, errors, process.onExit())
              .thenApply(
                  done -> new Answer(process.exitValue(), output.resultNow(), errors.resultNow()));
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          command.getFirst() + " must end within " + timeout + ", but has not", e);
    } catch (ExecutionException e) {
      throw new IOException(command.getFirst() + " could not be read: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(command.getFirst() + " was interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static CompletableFuture<String> read(InputStream stream) {
    CompletableFuture<String> text = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("liquid-slurm-output")
        .start(
            () -> {
              try (stream) {
                byte[] bytes = stream.readNBytes(MOST_BYTES);
                if (bytes.length == MOST_BYTES) {
                  throw new IOException("it printed over " + MOST_BYTES + " bytes");
                }
                text.complete(new String(bytes, StandardCharsets.UTF_8));
              } catch (IOException | UncheckedIOException e) {
                text.completeExceptionally(e);
              }
            });
    return text;
  }
}
