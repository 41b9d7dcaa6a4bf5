package io.github.liquidscheduler.estimator.request;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.estimator.duration.DurationEstimator;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.prediction.ResourceEstimator;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * Fills in what jobs leave to the estimators. The embedder calls it before an event reaches the
 * scheduler: a job is {@linkplain #fill filled} before it is submitted, {@linkplain
 * #afterOutOfMemory updated} as it fails, and its {@linkplain #progress progress} gets the time
 * that is still needed. So the scheduler and its journal see plain requests, and a replay needs no
 * estimator.
 *
 * <p>What a user stated stays as it is. What is left out becomes, over the GPU models that the job
 * may get, the largest of: device memory at the high quantile; the cores expected; host memory at
 * the upper end of the interval, within the part of the node that goes with the GPUs. While nothing
 * is known of cores or host memory, they are that part of the node. The expected duration is the
 * median: of the work that the job states divided by the {@linkplain #withSpeeds speed predicted}
 * for it, or else of jobs like it. A job that is not exclusive and requests one GPU per task gets
 * as much of it as it is expected to keep busy, rounded up to a percent, but only once its family
 * was measured or learned: until then it has the GPU for itself, which is also how it comes to be
 * measured.
 *
 * <p>Not thread-safe.
 */
public final class RequestEstimator {
  private final NodeParts nodes;
  private final ResourceEstimator resources;
  private final RoleFiller filler;
  private final DurationEstimator durations;
  private final Optional<PerformancePredictor> speeds;

  private RequestEstimator(
      NodeParts nodes,
      ResourceEstimator resources,
      DurationEstimator durations,
      Optional<PerformancePredictor> speeds) {
    this.nodes = nodes;
    this.resources = Objects.requireNonNull(resources, "resources");
    this.filler = new RoleFiller(nodes, resources);
    this.durations = Objects.requireNonNull(durations, "durations");
    this.speeds = speeds;
  }

  /** Returns one for jobs of this cluster, which asks and teaches these estimators. */
  public static RequestEstimator of(
      ClusterTopology topology, ResourceEstimator resources, DurationEstimator durations) {
    return new RequestEstimator(new NodeParts(topology), resources, durations, Optional.empty());
  }

  /**
   * Returns one that also divides the iterations that a job states by the speed that is predicted
   * for it, on the slowest GPU model that it may get and of which the speed is known: within a node
   * if one has as many GPUs, across the widest level if not. {@link #ranAlone} teaches it.
   */
  public RequestEstimator withSpeeds(PerformancePredictor speeds) {
    return new RequestEstimator(nodes, resources, durations, Optional.of(speeds));
  }

  /** Returns the job with nothing left out that can be estimated. */
  public JobSpec fill(JobSpec job) {
    JobSpec.Builder filled = job.toBuilder().roles(rolesOf(job, role -> filler.filled(job, role)));
    if (job.expectedWork().flatMap(ExpectedWork::duration).isEmpty()) {
      Prediction total = durations.total(job, speed(job));
      if (Double.isFinite(total.value())) {
        filled.expectedWork(work(job, total.value()));
      }
    }
    return filled.build();
  }

  /**
   * Reports that a job has run out of device memory, and returns it with more: at least a quarter
   * more than it was granted, or than the device has if the request said nothing.
   *
   * @param job as it was submitted last
   * @param gpu the model of the GPUs it ran on
   */
  public JobSpec afterOutOfMemory(JobSpec job, GpuModel gpu) {
    return job.toBuilder().roles(rolesOf(job, role -> raised(job, role, gpu))).build();
  }

  /** Returns a job that has run out of host memory with twice as much. */
  public JobSpec afterOutOfHostMemory(JobSpec job) {
    return job.toBuilder().roles(rolesOf(job, RequestEstimator::withMoreMemory)).build();
  }

  /** Reports that a job has done its work, for which it ran for so long. */
  public void finished(JobSpec job, Duration ran) {
    durations.observe(job, ran);
  }

  /**
   * Reports how fast a job ran that had its GPUs for itself, as often as it is known or once at the
   * end: teaches the {@linkplain #withSpeeds speeds}, if there are any. GPUs of several models
   * teach nothing.
   *
   * @throws IllegalArgumentException if {@code iterationsPerSecond} is not positive and finite, or
   *     the cluster has no such GPU
   */
  public void ranAlone(JobSpec job, Placement placement, double iterationsPerSecond) {
    speeds.ifPresent(
        predictor ->
            nodes
                .spread(placement)
                .ifPresent(
                    on ->
                        predictor.observe(
                            job, on.gpu(), on.gpus(), on.widestLevel(), iterationsPerSecond)));
  }

  /**
   * Returns the progress of a job with the time that it is expected to need still, the median. A
   * time that it reports itself stays.
   *
   * @param ran for how long it has run, all its runs together
   */
  public Progress progress(JobSpec job, Duration ran, Progress progress) {
    if (progress.remaining().isPresent()) {
      return progress;
    }
    double left = durations.remaining(job, ran, done(job, progress)).value();
    return Double.isFinite(left) ? progress.withRemaining(seconds(left)) : progress;
  }

  private static OptionalDouble done(JobSpec job, Progress progress) {
    OptionalLong all =
        job.expectedWork().map(ExpectedWork::iterations).orElse(OptionalLong.empty());
    return all.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.min(1, (double) progress.iterations() / all.getAsLong()));
  }

  /** The iterations per second that are predicted, if they are needed and known. */
  private OptionalDouble speed(JobSpec job) {
    int gpus = job.gpus();
    boolean isStated = job.expectedWork().filter(work -> work.iterations().isPresent()).isPresent();
    if (speeds.isEmpty() || !isStated || gpus == 0) {
      return OptionalDouble.empty();
    }
    return nodes.models(job).stream()
        .map(model -> speeds.get().throughput(job, model, gpus, nodes.levelOf(gpus)))
        .filter(speed -> speed.provenance() != Provenance.DEFAULT)
        .mapToDouble(Prediction::value)
        .min();
  }

  private static ExpectedWork work(JobSpec job, double seconds) {
    OptionalLong iterations =
        job.expectedWork().map(ExpectedWork::iterations).orElse(OptionalLong.empty());
    return iterations.isPresent()
        ? ExpectedWork.of(seconds(seconds), iterations.getAsLong())
        : ExpectedWork.ofDuration(seconds(seconds));
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(Math.min(seconds, 1e15) * 1000));
  }

  private static List<TaskRole> rolesOf(JobSpec job, UnaryOperator<TaskRole> change) {
    return job.roles().stream().map(change).toList();
  }

  private TaskRole raised(JobSpec job, TaskRole role, GpuModel gpu) {
    ResourceRequest asked = role.request();
    if (asked.gpus() == 0) {
      return role;
    }
    Memory granted = asked.gpuMemory().orElseGet(() -> nodes.deviceMemory(gpu));
    if (granted.bytes() > Long.MAX_VALUE / 2) {
      return role; // Devices without limit, or none of this model: there is no more to request.
    }
    resources.observeOutOfMemory(job, role, gpu, granted);
    Memory estimated = resources.estimate(job, role, gpu).gpuMemoryRequested();
    Memory requested = RoleFiller.smaller(estimated, nodes.deviceMemory(gpu));
    Memory quarterMore = Memory.ofBytes(granted.bytes() + Math.ceilDiv(granted.bytes(), 4));
    ResourceRequest raised =
        asked.toBuilder().gpuMemory(RoleFiller.larger(requested, quarterMore)).build();
    return role.withRequest(raised);
  }

  private static TaskRole withMoreMemory(TaskRole role) {
    ResourceRequest.Builder raised = role.request().toBuilder();
    role.request()
        .memory()
        .ifPresent(memory -> raised.memory(Memory.ofBytes(Math.multiplyExact(memory.bytes(), 2L))));
    return role.withRequest(raised.build());
  }
}
