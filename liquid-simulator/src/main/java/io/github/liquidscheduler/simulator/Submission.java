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
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Describes a job of a trace as its user would submit it: the tasks that the trace tells, or as
 * many workers of one GPU as it asked for, free to be spread over nodes, in the queue of its
 * virtual cluster. Traces do not tell how much the workers exchange, so nothing is said of
 * communication.
 */
final class Submission {

  private final ClusterTopology topology;
  private final GroundTruth speed;
  private final DurationKnowledge durationKnowledge;
  private final @Nullable ResizeConditions elastic;
  private final Function<TraceJob, Sharing> sharing;
  private final Map<String, Workload> workloads = new HashMap<>();
  private final Map<Integer, TaskRole> workers = new HashMap<>();

  Submission(Simulation options, ClusterTopology topology) {
    this.topology = topology;
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
    job.request()
        .ifPresentOrElse(
            request -> spec.roles(request.roles()).gpuModels(request.gpuModels()),
            () -> spec.role(workers(job.gpus())));
    job.labels().forEach(spec::label);
    spec.sharing(sharing.apply(job));
    if (elastic != null) {
      spec.parallelism(elastic.sizes().apply(job));
      elastic
          .deadlines()
          .apply(job)
          .map(time -> VirtualTime.instant(time.toNanos()))
          .ifPresent(spec::deadline);
    }
    job.model()
        .ifPresent(model -> spec.workload(workloads.computeIfAbsent(model, WorkloadName::parse)));
    job.virtualCluster().ifPresent(spec::queue);
    job.datasets().forEach(spec::dataset);
    speed.usableModels(job, topology).ifPresent(spec::gpuModels);
    durationKnowledge
        .of(speed.work(job), simulated.position())
        .ifPresent(told -> spec.expectedWork(work(job, told)));
    return spec.build();
  }

  /** Returns so many workers; jobs of one size share them, of which a long trace has many. */
  private TaskRole workers(int count) {
    return workers.computeIfAbsent(
        count, each -> new TaskRole("worker", each, ResourceRequest.ofGpus(1)));
  }

  private static ExpectedWork work(TraceJob job, Duration told) {
    return job.iterations().isPresent()
        ? ExpectedWork.of(told, job.iterations().getAsLong())
        : ExpectedWork.ofDuration(told);
  }
}
