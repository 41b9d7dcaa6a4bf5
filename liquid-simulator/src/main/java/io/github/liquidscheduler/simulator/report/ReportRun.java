package io.github.liquidscheduler.simulator.report;

import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.comparison.RunFigure;
import io.github.liquidscheduler.simulator.comparison.RunFigures;
import java.time.Duration;
import java.util.List;

/** One run of a report, and the figures of all runs of its policy, draw by draw. */
record ReportRun(String policy, RunDetails details, SimulationResult result, List<RunFigures> all) {

  private static final Duration LONG = Duration.ofHours(6);

  /** Copies the list. */
  ReportRun {
    all = List.copyOf(all);
  }

  /** Returns the average completion time in seconds, of all runs; 0 if no job finished. */
  double averageCompletion() {
    return figures().stream()
        .filter(figure -> figure.figure() == RunFigure.AVERAGE_JCT)
        .mapToDouble(ReportFigure::value)
        .findFirst()
        .orElse(0);
  }

  /** Returns the number of finished jobs, in all runs. */
  int finished() {
    return all.stream().mapToInt(RunFigures::finished).sum();
  }

  /** Returns the seconds that a job waited; one without an end waits until the end of the run. */
  long wait(int job) {
    return switch (result.fates().get(job)) {
      case JobFate.Finished finished -> finished.outcome().queueing().toSeconds();
      case JobFate.Rejected rejected -> 0;
      case JobFate.Unfinished unfinished -> details.end() - unfinished.job().submit().toSeconds();
    };
  }

  /** Returns the number of jobs that waited for more than six hours. */
  long longWaits() {
    return result.finished().stream()
        .map(JobFate.Finished::outcome)
        .filter(outcome -> outcome.queueing().compareTo(LONG) > 0)
        .count();
  }

  /** Returns the differing parameters of the runs, each as a figure. */
  List<ReportFigure> figures() {
    return ReportFigure.all(all);
  }
}
