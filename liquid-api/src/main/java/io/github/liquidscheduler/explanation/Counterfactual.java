package io.github.liquidscheduler.explanation;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.text.Count;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A change with which a waiting job would fit, verified by placing the changed job on the state of
 * that moment, or the job on the changed state. It says nothing about whose turn it is.
 */
public sealed interface Counterfactual {

  /** Returns the change as a sentence for people, without a full stop. */
  default String describe() {
    return switch (this) {
      case FewerTasks(int tasks, int gpus) ->
          "would fit with " + Count.of(gpus, "GPU") + " (" + Count.of(tasks, "task") + ")";
      case WiderLevel(String level) -> "would fit if the required level is '" + level + "'";
      case OtherModel(GpuModel model) -> "would fit on " + model;
      case AfterJobsEnd(List<JobId> jobs, Optional<Instant> expectedAt) ->
          "would fit when "
              + (jobs.size() == 1 ? "job " + jobs.get(0) + " ends" : "jobs " + jobs + " end")
              + expectedAt.map(at -> ", expected at " + at).orElse("");
      case SmallerRequest(String role, ResourceRequest request) ->
          "would fit if each task of role '" + role + "' requested " + request;
      case WithoutLabels(Map<String, String> labels) ->
          "would fit without the node labels " + labels;
      case AfterReturn(List<NodeId> nodes, List<GpuId> gpus) ->
          "would fit when "
              + Stream.concat(
                      nodes.stream().map(node -> "node " + node),
                      gpus.stream().map(gpu -> "GPU " + gpu))
                  .collect(Collectors.joining(", "))
              + (nodes.size() + gpus.size() == 1 ? " returns" : " return");
      case AfterGivingBack(List<GivenBack> queues, List<JobId> jobs, Optional<Kept> kept) ->
          "would fit if "
              + queues.stream().map(GivenBack::describe).collect(Collectors.joining(" and "))
              + (jobs.size() == 1 ? " (job " + jobs.get(0) + ")" : " (jobs " + jobs + ")")
              + kept.map(why -> ", which is kept: " + why.because).orElse("");
      case WithinQuotas less ->
          "never starts under these quotas, which allow it at most %s (%s of queue '%s')"
              .formatted(
                  counted(less.resource, less.most),
                  less.isOfGuaranteed ? "guarantee" : "limit",
                  less.queue);
      case IfPreemptible changed -> "would fit if it might be pre-empted";
    };
  }

  /**
   * The job would fit with fewer tasks in its first role.
   *
   * @param tasks the largest number of tasks that fits
   * @param gpus the GPUs of the job with that many tasks
   */
  record FewerTasks(int tasks, int gpus) implements Counterfactual {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if there is no task or {@code gpus} is negative
     */
    public FewerTasks {
      if (tasks < 1 || gpus < 0) {
        throw new IllegalArgumentException(
            "fewer tasks must be at least 1 with at least 0 GPUs, but were %d with %d"
                .formatted(tasks, gpus));
      }
    }
  }

  /**
   * The job would fit if it might span more than its required level allows.
   *
   * @param level the narrowest level in one domain of which it would fit
   */
  record WiderLevel(String level) implements Counterfactual {
    /** Checks that nothing is null. */
    public WiderLevel {
      Objects.requireNonNull(level, "level");
    }
  }

  /** The job would fit on a GPU model that it does not allow. */
  record OtherModel(GpuModel model) implements Counterfactual {
    /** Checks that nothing is null. */
    public OtherModel {
      Objects.requireNonNull(model, "model");
    }
  }

  /**
   * The job would fit once running jobs have ended, if no other job took their capacity. Of all
   * such sets it is one whose last job is expected to end soonest, and no job can be left out.
   *
   * @param jobs the jobs that have to end, at least one, in the order in which they are expected to
   * @param expectedAt when the last of them is expected to end, if that is known
   */
  record AfterJobsEnd(List<JobId> jobs, Optional<Instant> expectedAt) implements Counterfactual {
    /**
     * Checks and copies the jobs.
     *
     * @throws IllegalArgumentException if there is none
     */
    public AfterJobsEnd {
      jobs = List.copyOf(jobs);
      if (jobs.isEmpty()) {
        throw new IllegalArgumentException("jobs that have to end must be named, but none was");
      }
      Objects.requireNonNull(expectedAt, "expectedAt");
    }
  }

  /**
   * The job would fit if each task of a role requested less.
   *
   * @param request what each of its tasks would request
   */
  record SmallerRequest(String role, ResourceRequest request) implements Counterfactual {
    /** Checks that nothing is null. */
    public SmallerRequest {
      Objects.requireNonNull(role, "role");
      Objects.requireNonNull(request, "request");
    }
  }

  /**
   * The job would fit if it, and its roles, did without the node labels they request.
   *
   * @param labels the labels, of all of them together, at least one
   */
  record WithoutLabels(Map<String, String> labels) implements Counterfactual {
    /**
     * Checks and copies the labels.
     *
     * @throws IllegalArgumentException if there is none
     */
    public WithoutLabels {
      labels = Collections.unmodifiableMap(new TreeMap<>(labels));
      if (labels.isEmpty()) {
        throw new IllegalArgumentException("labels to do without must be named, but none was");
      }
    }
  }

  /**
   * The job would fit once nodes and GPUs are there again that are draining or lost. None of them
   * can be left out.
   */
  record AfterReturn(List<NodeId> nodes, List<GpuId> gpus) implements Counterfactual {
    /**
     * Checks and copies the lists.
     *
     * @throws IllegalArgumentException if both are empty
     */
    public AfterReturn {
      nodes = List.copyOf(nodes);
      gpus = List.copyOf(gpus);
      if (nodes.isEmpty() && gpus.isEmpty()) {
        throw new IllegalArgumentException("what has to return must be named, but nothing was");
      }
    }
  }

  /**
   * The job would fit, and its queue might hold it, if other queues gave back some of what they
   * hold beyond what is guaranteed to them. Always the queue that borrows the most loses its last
   * job in turn, and none of the jobs can be left out.
   *
   * @param queues what each gives back, of the first resource of which it borrows some
   * @param jobs the running jobs that hold it, at least one
   * @param kept why nobody has to give it back, if that is so
   */
  record AfterGivingBack(List<GivenBack> queues, List<JobId> jobs, Optional<Kept> kept)
      implements Counterfactual {
    /**
     * Checks and copies the lists.
     *
     * @throws IllegalArgumentException if one is empty
     */
    public AfterGivingBack {
      queues = List.copyOf(queues);
      jobs = List.copyOf(jobs);
      Objects.requireNonNull(kept, "kept");
      if (queues.isEmpty() || jobs.isEmpty()) {
        throw new IllegalArgumentException(
            "queues that give something back must be named, and their jobs, but were %s and %s"
                .formatted(queues, jobs));
      }
    }
  }

  /** Why borrowed quota is not given back to a job that waits for it. */
  enum Kept {
    /** The queues reclaim nothing. */
    NOTHING_IS_RECLAIMED("these queues reclaim nothing"),
    /** The queue of the job reclaims nothing from others. */
    QUEUE_RECLAIMS_NOTHING("the queue of the job reclaims nothing from others"),
    /**
     * With the job its own queue, or one that this is a part of, would hold more than its share.
     */
    BEYOND_SHARE("with the job its own queue would hold more than its share"),
    /** A job that would have to leave has not run for its minimum run time. */
    PROTECTED("jobs are protected until they have run for the minimum run time");

    private final String because;

    Kept(String because) {
      this.because = because;
    }
  }

  /**
   * The resources that a queue gives back.
   *
   * @param amount how much its jobs hold of that, in GPUs, cores or bytes; more than 0, and more
   *     than is borrowed if a whole job has to go
   * @param borrowed how much more it holds than is guaranteed to it, more than 0
   */
  record GivenBack(QueueName queue, QuotaResource resource, double amount, double borrowed) {
    /**
     * Checks the amounts.
     *
     * @throws IllegalArgumentException if one is not a finite number above 0
     */
    public GivenBack {
      Objects.requireNonNull(queue, "queue");
      Objects.requireNonNull(resource, "resource");
      if (!(amount > 0 && borrowed > 0 && amount + borrowed < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "what is given back and borrowed must be above 0 and finite, but were %s and %s, for queue '%s'"
                .formatted(amount, borrowed, queue));
      }
    }

    private String describe() {
      return "queue '%s' gave back %s of the %s that it borrows"
          .formatted(
              queue, number(resource, Math.min(amount, borrowed)), counted(resource, borrowed));
    }
  }

  /**
   * The job asks for more than its queues may ever hold, even with no other job there. It starts
   * only if it asks for less, or the quotas change.
   *
   * @param queue the queue whose quota is the smallest on the path from the job's to the root
   * @param resource what is asked too much of
   * @param isOfGuaranteed whether that is the guarantee, which jobs that may not be pre-empted must
   *     not exceed; else the limit
   * @param most how much of that a job may have, in GPUs, cores or bytes, at least 0
   */
  record WithinQuotas(QueueName queue, QuotaResource resource, boolean isOfGuaranteed, double most)
      implements Counterfactual {
    /**
     * Checks the amount.
     *
     * @throws IllegalArgumentException if it is not a finite number of at least 0
     */
    public WithinQuotas {
      Objects.requireNonNull(queue, "queue");
      Objects.requireNonNull(resource, "resource");
      if (!(most >= 0 && most < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "the most that a quota allows must be finite and at least 0, but was %s, for queue '%s'"
                .formatted(most, queue));
      }
    }
  }

  /** The job would fit, and its queue might hold it, if it might be pre-empted. */
  record IfPreemptible() implements Counterfactual {}

  private static String counted(QuotaResource resource, double most) {
    return switch (resource.kind()) {
      case GPU -> number(resource, most) + " " + (most == 1 ? gpu(resource) : resource.toString());
      case CPU -> number(resource, most) + (most == 1 ? " CPU core" : " CPU cores");
      case MEMORY -> number(resource, most) + " of memory";
    };
  }

  private static String gpu(QuotaResource resource) {
    return resource.model().map(name -> "GPU of model " + name).orElse("GPU");
  }

  private static String number(QuotaResource resource, double most) {
    return resource.kind() == QuotaResource.Kind.MEMORY
        ? new Memory(Math.round(most)).toString()
        : BigDecimal.valueOf(most).stripTrailingZeros().toPlainString();
  }
}
