package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.util.List;

/** The codecs of the API's types. */
public final class JsonCodecs {

  /** Clusters: the cluster file. */
  public static final JsonCodec<ClusterTopology> CLUSTER = of(ClusterTopology.class);

  /** Single jobs. */
  public static final JsonCodec<JobSpec> JOB = of(JobSpec.class);

  /**
   * Lists of jobs with distinct ids: the jobs file. An object with the array as its field {@code
   * jobs} is read too; an array is written.
   */
  public static final JsonCodec<List<JobSpec>> JOBS = new JsonCodec<>(JobJson.JOBS);

  /** Trees of queues: the queue file. */
  public static final JsonCodec<QueueTree> QUEUES = of(QueueTree.class);

  /** Events. */
  public static final JsonCodec<ClusterEvent> EVENT = of(ClusterEvent.class);

  /** Decisions, with their reasons. */
  public static final JsonCodec<Decision> DECISION = of(Decision.class);

  /** Batch plans, with their certificates. */
  public static final JsonCodec<BatchPlan> PLAN = of(BatchPlan.class);

  /** Explanations of waiting jobs. */
  public static final JsonCodec<Explanation> EXPLANATION = of(Explanation.class);

  /** Changes that would let a waiting job run. */
  public static final JsonCodec<Counterfactual> COUNTERFACTUAL = of(Counterfactual.class);

  /** States of a scheduler, of jobs of rounds too; read within {@link JsonLimits#RECORDS}. */
  public static final JsonCodec<SchedulerSnapshot> SNAPSHOT =
      of(SchedulerSnapshot.class).withLimits(JsonLimits.RECORDS);

  private JsonCodecs() {}

  private static <T> JsonCodec<T> of(Class<T> type) {
    return new JsonCodec<>(Form.of(type));
  }
}
