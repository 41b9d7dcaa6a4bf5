package io.github.liquidscheduler.cli.slurm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What {@code sacct} would print of the jobs of a trial. */
final class TrialHistory {

  private TrialHistory() {}

  /** Returns the lines. */
  static List<String> of(List<TrialJob> jobs, List<TrialOutcome> ended) {
    List<String> lines = new ArrayList<>();
    lines.add("JobID|Submit|Eligible|Start|End|Timelimit|ReqTRES|Partition|User|State");
    for (TrialOutcome job : ended) {
      TrialJob drawn = jobs.get(SlurmTrial.position(job.name()));
      lines.add(
          "%s|%s|%s|%s|%s|%s|cpu=%d,gres/gpu=%d,mem=%dM,node=%d|%s|root|%s"
              .formatted(
                  job.id(),
                  job.submitted(),
                  job.submitted(),
                  job.started(),
                  job.ended(),
                  limit(drawn.limit()),
                  drawn.nodes(),
                  drawn.allGpus(),
                  100 * drawn.nodes(),
                  drawn.nodes(),
                  drawn.partition(),
                  job.state()));
    }
    return lines;
  }

  private static String limit(Duration limit) {
    return "%02d:%02d:00".formatted(limit.toHours(), limit.toMinutesPart());
  }
}
