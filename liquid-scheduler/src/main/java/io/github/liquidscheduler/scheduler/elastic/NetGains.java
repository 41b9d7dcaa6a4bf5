package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.resize.MeasuredPauses;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.Optional;

/** The net gain of larger sizes: run time saved against the pause of the change. */
public record NetGains(Elasticity rules) {

  /** Returns the gain of a larger placement; empty if it does not pay. */
  public Optional<Reason> of(JobEntry job, Placement to, JobTable table) {
    SizedJob sized = new SizedJob(job, table.now(), rules, table.cluster().topology());
    return of(sized, to.size(job.job()), sized.acceleration(to), table.elastic().pauses());
  }

  /** Returns the gain of a larger size on the fewest possible nodes. */
  Optional<Reason> of(SizedJob job, int size, MeasuredPauses pauses) {
    return of(job, size, job.speed(size) / job.speed(job.tasks()), pauses);
  }

  /** Returns the gain of a larger size at a given speed-up. */
  Optional<Reason> of(SizedJob job, int size, double acceleration, MeasuredPauses pauses) {
    double left = GpuTime.exactSeconds(job.remaining().orElse(job.executed()));
    double cost = GpuTime.exactSeconds(rules.cost().pause(job.job(), size)) * pauses.ratio();
    double saved = left * (1 - 1 / acceleration);
    return saved > cost && left >= rules.worthwhile() * cost
        ? Optional.of(new Reason.NetGain(saved, cost))
        : Optional.empty();
  }
}
