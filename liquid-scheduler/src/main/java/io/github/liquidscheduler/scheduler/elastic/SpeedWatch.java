package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.Agenda;
import io.github.liquidscheduler.scheduler.queue.ElasticJobs;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import org.jspecify.annotations.Nullable;

/** Compares the reported speed of a running job with the measured one, before anybody is tried. */
public record SpeedWatch(Elasticity rules) implements Stage {

  @Override
  public void run(Turn turn) {
    if (!turn.goesOn()) {
      turn.report().ifPresent(report -> watch(turn.jobs(), report));
    }
  }

  private void watch(JobTable jobs, Agenda.Report report) {
    @Nullable JobEntry job = jobs.find(report.job());
    if (job != null && isWatched(job, report)) {
      SizedJob sized = new SizedJob(job, jobs.now(), rules, jobs.cluster().topology());
      jobs.runTransitions()
          .watchSpeed(job, report.iterationsPerSecond(), rules.drift(), sized::expected);
    }
  }

  /** Returns true if a report tells of the speed of a job at its size. */
  static boolean isWatched(JobEntry job, Agenda.Report report) {
    return report.iterationsPerSecond() > 0
        && job.isRunning()
        && !job.isProfiling()
        && job.resizing().isEmpty()
        && ElasticJobs.isResizable(job.job());
  }
}
