package io.github.liquidscheduler.cli.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What users and operators are told of the jobs that are not over: nobody waits without a word. */
final class ToldOfJobs {

  /** How soon a user is told, while neither the daemon nor the controller is away. */
  private static final Duration SOON = Duration.ofSeconds(30);

  private static final int POLL_MILLIS = 200;

  private static final Pattern WORD = Pattern.compile("(?:^| )([A-Za-z]+)=(\\S*)");

  private final PrivateSlurm slurm;
  private final DaemonProcess daemon;
  private int explained;
  private int answered;

  ToldOfJobs(PrivateSlurm slurm, DaemonProcess daemon) {
    this.slurm = slurm;
    this.daemon = daemon;
  }

  /** Returns how many waits were found to be explained. */
  int explained() {
    return explained;
  }

  /** Returns how many jobs the daemon was asked for, and knew. */
  int answered() {
    return answered;
  }

  /**
   * Checks that each job that waits for the daemon says why within some seconds, and that the
   * daemon answers for each job that is not over. The daemon and the controller have to be there.
   */
  void require() throws Exception {
    Map<String, String> waits = new TreeMap<>();
    Map<String, String> unknown = new TreeMap<>();
    for (String job : jobs()) {
      if (isLive(job)) {
        unknown.put(name(job), job);
      }
      if (waitsForDaemon(job)) {
        waits.put(name(job), job);
      }
    }
    long end = System.nanoTime() + SOON.toNanos();
    while (!waits.isEmpty() || !unknown.isEmpty()) {
      look(waits, unknown);
      if (System.nanoTime() > end) {
        break;
      }
      SlurmScene.pause(POLL_MILLIS);
    }
    assertThat(waits.values()).as("jobs that wait without a word").isEmpty();
    assertThat(unknown.values()).as("jobs that the daemon does not know").isEmpty();
  }

  /** Takes out the jobs of which is told, and those that have gone on. */
  private void look(Map<String, String> waits, Map<String, String> unknown) throws Exception {
    Map<String, String> now = new TreeMap<>();
    for (String job : jobs()) {
      now.put(name(job), job);
    }
    waits.replaceAll((name, before) -> now.getOrDefault(name, ""));
    waits.values().removeIf(job -> !waitsForDaemon(job));
    int all = waits.size();
    waits.values().removeIf(job -> job.contains(" AdminComment=liquid: "));
    explained += all - waits.size();
    unknown.replaceAll((name, before) -> now.getOrDefault(name, ""));
    unknown.values().removeIf(job -> !isLive(job));
    for (String name : List.copyOf(unknown.keySet())) {
      String job = name.replaceFirst(" .*", "");
      String answer = daemon.get("/why/" + job);
      // A controller that was killed may show as running what was seen to end.
      String shown = value(unknown.getOrDefault(name, ""), "JobState");
      boolean isWrong = answer.contains("is over") && !shown.equals("RUNNING");
      if (answer.contains(job) && !answer.contains("no job is known") && !isWrong) {
        unknown.remove(name);
        answered++;
      }
    }
  }

  /** Returns what Slurm shows of all jobs for which the daemon decides, a line each. */
  private List<String> jobs() throws IOException {
    return slurm
        .run("scontrol", "show", "job", "-o")
        .lines()
        .filter(job -> value(job, "Partition").matches("batch|urgent"))
        .toList();
  }

  /** Returns the id of a job, and what it was submitted at, for ids are given again. */
  private static String name(String job) {
    return value(job, "JobId") + ' ' + value(job, "SubmitTime") + ' ' + value(job, "Restarts");
  }

  private static boolean isLive(String job) {
    return value(job, "JobState").equals("PENDING") || value(job, "JobState").equals("RUNNING");
  }

  /** Returns true if nothing but the daemon keeps it from running: it begins in 2040. */
  private static boolean waitsForDaemon(String job) {
    return value(job, "JobState").equals("PENDING")
        && value(job, "StartTime").matches("20(39-12|40-01).*")
        && !value(job, "Priority").equals("0")
        && value(job, "Dependency").equals("(null)");
  }

  private static String value(String job, String key) {
    Matcher word = WORD.matcher(job);
    while (word.find()) {
      if (word.group(1).equals(key)) {
        return word.group(2);
      }
    }
    return "";
  }
}
