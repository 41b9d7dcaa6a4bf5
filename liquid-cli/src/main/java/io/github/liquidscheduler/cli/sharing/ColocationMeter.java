package io.github.liquidscheduler.cli.sharing;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulationListener;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Adds up what GPUs get done, by what jobs really keep of their speed, and for how long guaranteed
 * jobs have co-runners and are slower in it than their floor.
 */
final class ColocationMeter implements SimulationListener {

  private final GavelPairs pairs;
  private final Instant lastArrival;
  private Instant since = Instant.EPOCH;
  private double speed;
  private int colocated;
  private int below;
  private double workSeconds;
  private double colocatedSeconds;
  private double belowSeconds;
  private int evictions;

  /**
   * Makes a meter.
   *
   * @param lastArrival when the last job comes: only until then is work counted, since after it
   *     GPUs run empty
   */
  ColocationMeter(GavelPairs pairs, Instant lastArrival) {
    this.pairs = pairs;
    this.lastArrival = lastArrival;
  }

  /**
   * Returns the work done while jobs came, in parts of what as many GPUs do with a job alone on
   * each.
   */
  double useful(int gpus) {
    double seconds = Duration.between(Instant.EPOCH, lastArrival).toNanos() / 1e9;
    return seconds == 0 ? 0 : workSeconds / (seconds * gpus);
  }

  /** Returns how often jobs were separated because one was too slow. */
  int evictions() {
    return evictions;
  }

  /** Returns the part of the time in co-runners in which guaranteed jobs were below their floor. */
  double partBelow() {
    return colocatedSeconds == 0 ? 0 : belowSeconds / colocatedSeconds;
  }

  @Override
  public void decided(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
    double seconds = Duration.between(since, event.at()).toNanos() / 1e9;
    colocatedSeconds += seconds * colocated;
    belowSeconds += seconds * below;
    Instant counted = event.at().isBefore(lastArrival) ? event.at() : lastArrival;
    workSeconds += Math.max(0, Duration.between(since, counted).toNanos() / 1e9) * speed;
    since = event.at();
    for (Decision decision : decisions) {
      evictions += decision.why() instanceof Reason.InterferenceViolation ? 1 : 0;
    }
    count(scheduler.view());
  }

  private void count(ClusterView view) {
    speed = 0;
    colocated = 0;
    below = 0;
    for (JobId job : view.runningJobs()) {
      count(view, view.job(job).orElseThrow(), view.placement(job).orElseThrow());
    }
  }

  private void count(ClusterView view, JobSpec job, Placement placement) {
    double retained = 1;
    boolean alone = true;
    for (TaskPlacement task : placement.tasks()) {
      for (int index : task.gpus()) {
        GpuId gpu = new GpuId(task.node(), index);
        for (Resident other : view.residents(gpu)) {
          if (!other.job().equals(job.id())) {
            alone = false;
            retained = Math.min(retained, beside(view, job, other.job(), gpu));
          }
        }
      }
    }
    speed += retained * placement.gpus();
    if (!alone && job.sharing() instanceof Sharing.Guaranteed guaranteed) {
      colocated++;
      below += retained < guaranteed.floor() ? 1 : 0;
    }
  }

  private double beside(ClusterView view, JobSpec job, JobId other, GpuId gpu) {
    GpuModel model = view.topology().gpu(gpu).model();
    JobSpec beside = view.job(other).orElseThrow();
    return pairs.retained(model, pairs.profile(job, model), pairs.profile(beside, model)).orElse(0);
  }
}
