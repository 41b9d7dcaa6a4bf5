package io.github.liquidscheduler.cli.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The runs of the jobs of a trial, by what the jobs themselves wrote.
 *
 * @param atOnce the lines of a run that went on after another one of its job had begun
 * @param afterEnd the lines of a run of an attempt that had ended
 * @param begun the names of the jobs that ever ran
 */
record TrialRuns(List<String> atOnce, List<String> afterEnd, Set<String> begun) {

  /** A run of a job, as its process says. */
  private static final class Run {
    private final String attempt;
    private final String process;
    private boolean hasEnded;
    private final Instant begun;
    private Instant last;

    Run(String attempt, String process, Instant begun) {
      this.attempt = attempt;
      this.process = process;
      this.begun = begun;
      last = begun;
    }
  }

  static TrialRuns of(SlurmTrial trial) throws IOException {
    return of(trial, List.of());
  }

  /** Reads them; an end of which nobody can know for a kill of the controller does not count. */
  static TrialRuns of(SlurmTrial trial, List<ControllerKill> kills) throws IOException {
    TrialRuns runs = new TrialRuns(new ArrayList<>(), new ArrayList<>(), new LinkedHashSet<>());
    Map<String, Run> last = new HashMap<>();
    Map<String, List<Run>> before = new HashMap<>();
    for (String line : Files.readAllLines(trial.runs())) {
      String[] words = line.split(" ", -1);
      String job = words[1] + ' ' + words[2];
      Instant at = Instant.ofEpochMilli((long) (Double.parseDouble(words[5]) * 1000));
      runs.begun.add(words[1]);
      Run run = last.get(job);
      if (run == null || !run.process.equals(words[4])) {
        if (run != null) {
          before.computeIfAbsent(job, any -> new ArrayList<>()).add(run);
        }
        run = new Run(words[3], words[4], at);
        last.put(job, run);
      }
      for (Run other : before.getOrDefault(job, List.of())) {
        if (other.process.equals(words[4])) {
          runs.atOnce.add(line);
        }
        if (other.hasEnded
            && other.attempt.equals(run.attempt)
            && kills.stream().noneMatch(kill -> kill.mayHide(other.begun, other.last))) {
          runs.afterEnd.add(line);
        }
      }
      run.last = at;
      run.hasEnded = words[0].equals("end");
    }
    return runs;
  }
}
