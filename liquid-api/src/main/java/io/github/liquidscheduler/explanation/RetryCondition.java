package io.github.liquidscheduler.explanation;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QuotaResource;
import java.time.Instant;
import java.util.Objects;

/**
 * A change without which a waiting job is not tried again. That it came true does not promise that
 * the job starts. An update or the stop of the job itself, another tree of queues, and a plan that
 * names it let it be tried in any case.
 */
public sealed interface RetryCondition {

  /** Returns the change as a phrase for people, which follows "is tried again". */
  default String describe() {
    return switch (this) {
      case AtTime(Instant instant) -> "at " + instant;
      case AfterPlan plan -> "after a batch plan";
      case CapacityReleased capacity -> "when capacity is released";
      case QuotaReleased(QueueName queue, QuotaResource resource) ->
          "when %s of queue '%s' are released".formatted(resource, queue);
      case VictimsChanged victims -> "when there may be other victims";
      case CoRunnerAccepted coRunner -> "when a co-runner is accepted";
      case HeadChanged(JobId head) -> "when job '%s' is no longer before it".formatted(head);
      case JobUpdated update -> "when it is updated";
      case JobReleased release -> "when it is released";
      case AnyChange any -> "at the next event";
    };
  }

  /** An instant has come. */
  record AtTime(Instant instant) implements RetryCondition {
    /** Checks that nothing is null. */
    public AtTime {
      Objects.requireNonNull(instant, "instant");
    }
  }

  /** A batch plan has come, or a job that must not bypass this one goes on without a plan. */
  record AfterPlan() implements RetryCondition {}

  /** Capacity was released on some node, or running jobs may give some up that could not before. */
  record CapacityReleased() implements RetryCondition {}

  /**
   * A queue holds less of a resource, or may hold more.
   *
   * @param queue the job's queue, or the ancestor whose quota is used up
   */
  record QuotaReleased(QueueName queue, QuotaResource resource) implements RetryCondition {
    /** Checks that nothing is null. */
    public QuotaReleased {
      Objects.requireNonNull(queue, "queue");
      Objects.requireNonNull(resource, "resource");
    }
  }

  /** The ranks of jobs or the usage of queues have changed, so that other jobs may give way. */
  record VictimsChanged() implements RetryCondition {}

  /** The job may share GPUs with jobs beside which it was predicted to be too slow. */
  record CoRunnerAccepted() implements RetryCondition {}

  /** The first job of the queue, which others must not bypass, is another one. */
  record HeadChanged(JobId head) implements RetryCondition {
    /** Checks that nothing is null. */
    public HeadChanged {
      Objects.requireNonNull(head, "head");
    }
  }

  /** The job has no time at which it is tried again, and was updated. */
  record JobUpdated() implements RetryCondition {}

  /** The job is held by its user, and was released. */
  record JobReleased() implements RetryCondition {}

  /** Any event: the job is tried at the next one, or nothing is known of what may help it. */
  record AnyChange() implements RetryCondition {}
}
