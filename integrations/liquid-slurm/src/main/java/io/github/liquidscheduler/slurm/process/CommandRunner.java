package io.github.liquidscheduler.slurm.process;

import java.io.IOException;
import java.util.List;

/** Runs one command of Slurm and waits for its end. */
public interface CommandRunner {

  /**
   * Runs a command, by its name without a folder.
   *
   * @param input what it reads from its standard input
   * @throws IOException if it cannot be run, takes too long or prints too much
   */
  Answer run(List<String> command, String input) throws IOException;

  /** Runs a command that reads nothing. */
  default Answer run(List<String> command) throws IOException {
    return run(command, "");
  }

  /** What a command printed, and the status with which it ended. */
  record Answer(int status, String output, String errors) {

    /** Words of Slurm's commands that mean that nobody answered. */
    private static final List<String> NOBODY =
        List.of(
            "Unable to contact slurm controller",
            "Socket timed out",
            "Connection refused",
            "connect failure",
            "Zero Bytes were transmitted",
            "Transport endpoint",
            "Slurm backup controller in standby mode",
            "cannot stat file",
            "Unable to process configuration file",
            "Unexpected message received",
            "Protocol authentication error");

    /** Returns true if it ended with status 0. */
    public boolean isDone() {
      return status == 0;
    }

    /** Returns what it said was wrong, on one line. */
    public String said() {
      String text = errors.isBlank() ? output : errors;
      return text.lines()
          .map(String::strip)
          .filter(line -> !line.isEmpty())
          .limit(3)
          .reduce((a, b) -> a + "; " + b)
          .orElse("nothing");
    }

    /** Returns the output of a command that must not fail. */
    public String done(String command) throws IOException {
      if (!isDone()) {
        throw new IOException(command + " ended with status " + status + ": " + said());
      }
      return output;
    }

    /** Returns this answer, if somebody answered. */
    public Answer answered(String command) throws IOException {
      String text = errors + output;
      if (!isDone() && NOBODY.stream().anyMatch(text::contains)) {
        throw new IOException(command + " had no answer: " + said());
      }
      return this;
    }
  }
}
