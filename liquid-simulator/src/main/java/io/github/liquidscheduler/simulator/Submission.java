package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.simulator.conditions.DurationKnowledge;
import io.github.liquidscheduler.simulator.elastic.ResizeConditions;
import io.github.liquidscheduler.simulator.input.WorkloadName;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.trace.TraceRequest;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Describes a job of a trace as its user would submit it: the tasks that the trace tells, or as
 * many workers of one GPU as it asked for, free to be spread over nodes, in the queue of its
 * virtual cluster. Traces do not tell how much the workers exchange, so nothing is said of
 * communication.
 */
final class Submission {

  private final Instant start;
  private final ClusterTopology topology;
  private final GroundTruth speed;
  private final DurationKnowledge durationKnowledge;
  private final @Nullable ResizeConditions elastic;
  private final Function<TraceJob, Sharing> sharing;
  private final Map<String, Workload> workloads = new HashMap<>();
  private final Map<Integer, List<TaskRole>> workers = new HashMap<>();

  Submission(Simulation options, ClusterTopology topology) {
    this.topology = topology;
    start = options.start;
    speed = options.speed;
    durationKnowledge = options.durationKnowledge;
    elastic = options.elastic;
    sharing = options.sharing;
  }

  /**
   * Checks that there is a GPU model that the job can use.
   *
   * @throws IllegalArgumentException if there is none
   */
  void requireUsable(TraceJob job) {
    speed.usableModels(job, topology);
  }

  /** Returns a job as the scheduler gets to see it. */
  JobSpec of(SimulatedJob simulated) {
    TraceJob job = simulated.job();
    JobSpec.Builder spec = JobSpec.builder(simulated.id());
    if (job.request().isPresent()) {
      TraceRequest request = job.request().get();
      spec.roles(request.roles()).gpuModels(request.gpuModels());
    } else {
      spec.roles(workers(job.gpus()));
    }
    job.labels().forEach(spec::label);
    spec.sharing(sharing.apply(job));
    if (elastic != null) {
      describeSizes(job, elastic, spec);
    }
    if (job.model().isPresent()) {
      spec.workload(workload(job.model().get()));
    }
    job.virtualCluster().ifPresent(spec::queue);
    job.datasets().forEach(spec::dataset);
    speed.usableModels(job, topology).ifPresent(spec::gpuModels);
    Optional<Duration> told = durationKnowledge.of(job, speed.work(job), simulated.position());
    if (told.isPresent()) {
      spec.expectedWork(work(job, told.get()));
    }
    return spec.build();
  }

  private void describeSizes(TraceJob job, ResizeConditions elastic, JobSpec.Builder spec) {
    spec.parallelism(elastic.sizes().apply(job));
    elastic
        .deadlines()
        .apply(job)
        .map(time -> VirtualTime.instant(start, time.toNanos()))
        .ifPresent(spec::deadline);
  }

  private Workload workload(String model) {
    @Nullable Workload known = workloads.get(model);
    return known == null ? workloads.computeIfAbsent(model, WorkloadName::parse) : known;
  }

  /** Returns a number of workers; jobs of one size share them, of which a long trace has many. */
  private List<TaskRole> workers(int count) {
    @Nullable List<TaskRole> known = workers.get(count);
    if (known == null) {
      known = List.of(new TaskRole("worker", count, ResourceRequest.ofGpus(1)));
      workers.put(count, known);
    }
    return known;
  }

  private static ExpectedWork work(TraceJob job, Duration told) {
    return job.iterations().isPresent()
        ? ExpectedWork.of(told, job.iterations().getAsLong())
        : ExpectedWork.ofDuration(told);
  }
}
