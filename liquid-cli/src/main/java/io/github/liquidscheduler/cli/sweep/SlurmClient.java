package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.cli.output.CommandFailedException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Slurm's own commands, which know from its configuration where its controller is. */
final class SlurmClient {

  /** The message of {@code squeue} about a job that ended long ago. */
  private static final String FORGOTTEN = "Invalid job id";

  private SlurmClient() {}

  /**
   * Submits a script and returns the number of its job.
   *
   * @throws CommandFailedException if Slurm refuses it, or is not there
   */
  static String submit(Path script) {
    Answer answer = ask(List.of("sbatch", "--parsable", script.toString()));
    if (answer.status() != 0) {
      throw new CommandFailedException("sbatch refused the array: " + answer.errors());
    }
    return answer.output().strip().split(";", 2)[0];
  }

  /** Returns the tasks of a job that wait or run. */
  static SortedSet<Integer> queued(String job) {
    Answer answer = ask(List.of("squeue", "--noheader", "--array", "--jobs=" + job, "--format=%K"));
    if (answer.status() != 0 && !answer.errors().contains(FORGOTTEN)) {
      throw new CommandFailedException("squeue does not tell what runs: " + answer.errors());
    }
    SortedSet<Integer> tasks = new TreeSet<>();
    answer
        .output()
        .lines()
        .map(String::strip)
        .filter(line -> line.matches("\\d+"))
        .forEach(line -> tasks.add(Integer.valueOf(line)));
    return tasks;
  }

  private record Answer(int status, String output, String errors) {}

  private static Answer ask(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).start();
      process.getOutputStream().close();
      // Both are a few lines, which the pipes hold.
      String output = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
      String errors = new String(process.getErrorStream().readAllBytes(), Charset.defaultCharset());
      return new Answer(process.waitFor(), output, errors.strip());
    } catch (IOException e) {
      throw new CommandFailedException(
          "there is no %s on the PATH. --no-submit only writes the script"
              .formatted(command.getFirst()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailedException("interrupted");
    }
  }
}
