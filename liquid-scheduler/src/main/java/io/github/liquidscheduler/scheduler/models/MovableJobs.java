package io.github.liquidscheduler.scheduler.models;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.speed.JobSpeeds;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.stream.Stream;

/**
 * The running jobs that may move for speed: pre-emptible, of one size, on one GPU model with known
 * speed, and in place long enough that pauses stay a small fraction of their time.
 */
final class MovableJobs {

  private final JobTable jobs;
  private final JobSpeeds speeds;
  private final Duration leastStay;

  MovableJobs(JobTable jobs, JobSpeeds speeds, Performance rules) {
    this.jobs = jobs;
    this.speeds = speeds;
    Duration pause = rules.pause().orElse(Duration.ZERO);
    Duration stay =
        Duration.ofMillis(Math.round(GpuTime.seconds(pause) * 1000 * rules.worthwhile()));
    Duration protection = jobs.preemption().minRunTime();
    leastStay = stay.compareTo(protection) > 0 ? stay : protection;
  }

  /** Returns the jobs in order of start. */
  Stream<RunningOn> all() {
    return jobs.running().inOrder().stream().filter(this::mayMove).flatMap(this::running);
  }

  /** Returns those that may also stop for each other: a job that is held would not start again. */
  List<RunningOn> unpromised() {
    return all()
        .filter(job -> !job.entry().isPromised() && job.entry().history().hold().isEmpty())
        .toList();
  }

  private boolean mayMove(JobEntry job) {
    return job.job().isPreemptible()
        && job.hasBegun()
        && !job.isMoving()
        && !job.isPlacedAt(jobs.now())
        && !job.job().parallelism().isElastic()
        && job.job().gpus() > 0
        && Duration.between(job.history().sizedAt(), jobs.now()).compareTo(leastStay) >= 0;
  }

  private Stream<RunningOn> running(JobEntry job) {
    ClusterTopology topology = jobs.cluster().topology();
    SortedSet<GpuModel> models = topology.models(job.placement().orElseThrow());
    Map<GpuModel, Double> known = speeds.of(job.job(), job.history().gpuSpeeds(), topology);
    return models.size() == 1 && known.containsKey(models.first())
        ? Stream.of(new RunningOn(job, models.first(), known, left(job, jobs)))
        : Stream.empty();
  }

  /**
   * Returns the remaining seconds of a job on its fastest GPU model; if unknown, the seconds it has
   * run.
   */
  static double left(JobEntry job, JobTable jobs) {
    JobView view = job.at(jobs.now());
    Duration left = Optional.of(view).flatMap(JobView::remaining).orElseGet(() -> view.executed());
    return GpuTime.exactSeconds(left);
  }
}
