package io.github.liquidscheduler.simulator.usage;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.estimator.duration.DurationEstimator;
import io.github.liquidscheduler.estimator.duration.ObservedSpeeds;
import io.github.liquidscheduler.estimator.request.RequestEstimator;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.prediction.ResourceEstimator;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.simulator.conditions.RequestModel;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Request models: guessing users or an estimator. A task that uses more device or host memory than
 * granted is killed. Users then double the insufficient request; an estimator observes the failure
 * and requests more.
 *
 * <p>An estimator learns from jobs that ran alone on their GPUs, and from run times. It predicts
 * all requests, overriding the users. A job without a known duration states the iterations of its
 * trace, which the estimator divides by the observed throughput of similar jobs. Not thread-safe
 * with an estimator.
 */
public final class Requests implements RequestModel {
  private final TrueUsage truth;
  private final ClusterTopology topology;
  private final UserGuess guess;
  private final @Nullable ResourceEstimator estimator;
  private final @Nullable RequestEstimator filler;

  private Requests(
      TrueUsage truth,
      ClusterTopology topology,
      UserGuess guess,
      @Nullable ResourceEstimator estimator) {
    this.truth = Objects.requireNonNull(truth, "truth");
    this.topology = Objects.requireNonNull(topology, "topology");
    this.guess = guess;
    this.estimator = estimator;
    filler =
        estimator == null
            ? null
            : RequestEstimator.of(topology, estimator, new DurationEstimator())
                .withSpeeds(new ObservedSpeeds());
  }

  /** Returns the requests of users with this error. */
  public static Requests byUsers(
      TrueUsage truth, ClusterTopology topology, RequestError error, long seed) {
    return new Requests(truth, topology, new UserGuess(topology, error, seed), null);
  }

  /** Returns requests that equal the usage. */
  public static Requests exact(TrueUsage truth, ClusterTopology topology) {
    return byUsers(truth, topology, RequestError.NONE, 0);
  }

  /** Returns the requests that an estimator predicts. */
  public static Requests estimated(
      TrueUsage truth, ClusterTopology topology, ResourceEstimator estimator) {
    return new Requests(truth, topology, new UserGuess(topology, RequestError.NONE, 0), estimator);
  }

  @Override
  public JobSpec submit(TraceJob job, JobSpec described) {
    Usage usage = truth.of(job);
    JobSpec open =
        described.toBuilder()
            .workload(usage.workload())
            .sharing(mayShare(described.sharing()))
            .build();
    return filler == null ? guess.fill(job, open, usage) : filler.fill(withIterations(job, open));
  }

  private static JobSpec withIterations(TraceJob job, JobSpec open) {
    if (open.expectedWork().isPresent() || job.iterations().isEmpty()) {
      return open;
    }
    return open.toBuilder()
        .expectedWork(ExpectedWork.ofIterations(job.iterations().getAsLong()))
        .build();
  }

  private static Sharing mayShare(Sharing described) {
    return described instanceof Sharing.Exclusive ? new Sharing.Opportunistic() : described;
  }

  @Override
  public boolean isTooLittle(TraceJob job, JobSpec submitted, Placement placement) {
    return lacking(job, placement).isPresent();
  }

  @Override
  public JobSpec afterOutOfMemory(TraceJob job, JobSpec submitted, Placement placement) {
    Lack lack = lacking(job, placement).orElseThrow();
    if (filler == null) {
      return withTwice(submitted, lack);
    }
    return lack == Lack.HOST_MEMORY
        ? filler.afterOutOfHostMemory(submitted)
        : filler.afterOutOfMemory(submitted, model(placement));
  }

  @Override
  public boolean mayDiffer(TraceJob other, TraceJob waiting) {
    return filler != null && truth.of(other).workload().equals(truth.of(waiting).workload());
  }

  @Override
  public Progress report(TraceJob job, JobSpec submitted, Duration ran, Progress progress) {
    return filler == null ? progress : filler.progress(submitted, ran, progress);
  }

  @Override
  public void finished(
      TraceJob job, JobSpec submitted, Placement placement, boolean alone, Duration ran) {
    if (filler == null || estimator == null) {
      return;
    }
    filler.finished(submitted, ran);
    if (alone) {
      OptionalLong done =
          submitted.expectedWork().map(ExpectedWork::iterations).orElse(OptionalLong.empty());
      if (done.isPresent() && !ran.isZero()) {
        filler.ranAlone(submitted, placement, done.getAsLong() / seconds(ran));
      }
      for (TaskRole role : submitted.roles()) {
        estimator.observe(submitted, role, model(placement), truth.of(job).measured(ran));
      }
    }
  }

  private Optional<Lack> lacking(TraceJob job, Placement placement) {
    Usage usage = truth.of(job);
    for (TaskPlacement task : placement.tasks()) {
      ResourceRequest granted = task.request();
      if (granted.gpuMemory().filter(memory -> isLess(memory, usage.gpuMemory())).isPresent()) {
        return Optional.of(Lack.DEVICE_MEMORY);
      }
      if (granted.memory().filter(memory -> isLess(memory, usage.memory())).isPresent()) {
        return Optional.of(Lack.HOST_MEMORY);
      }
    }
    return Optional.empty();
  }

  private static boolean isLess(Memory granted, Memory used) {
    return granted.compareTo(used) < 0;
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private GpuModel model(Placement placement) {
    TaskPlacement first = placement.tasks().getFirst();
    return topology.gpu(new GpuId(first.node(), first.gpus().getFirst())).model();
  }

  private JobSpec withTwice(JobSpec submitted, Lack lack) {
    return submitted.toBuilder()
        .roles(submitted.roles().stream().map(role -> withTwice(role, lack)).toList())
        .build();
  }

  private TaskRole withTwice(TaskRole role, Lack lack) {
    ResourceRequest request = role.request();
    ResourceRequest.Builder more = request.toBuilder();
    if (lack == Lack.HOST_MEMORY) {
      request.memory().ifPresent(memory -> more.memory(guess.hostMemory(twice(memory))));
    } else {
      request.gpuMemory().ifPresent(memory -> more.gpuMemory(guess.deviceMemory(twice(memory))));
    }
    return role.withRequest(more.build());
  }

  private static Memory twice(Memory memory) {
    return Memory.ofBytes(2 * memory.bytes());
  }

  private enum Lack {
    DEVICE_MEMORY,
    HOST_MEMORY
  }
}
