package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.util.List;

/** The codecs of the API's types. */
public final class JsonCodecs {

  /** Clusters: the cluster file. */
  public static final JsonCodec<ClusterTopology> CLUSTER =
      new JsonCodec<>(TopologyJson::read, TopologyJson::write);

  /** Single jobs. */
  public static final JsonCodec<JobSpec> JOB = new JsonCodec<>(JobJson::read, JobJson::write);

  /**
   * Lists of jobs with distinct ids: the jobs file. An object with the array as its field {@code
   * jobs} is read too; an array is written.
   */
  public static final JsonCodec<List<JobSpec>> JOBS =
      new JsonCodec<>(JobJson::readAll, JobJson::writeAll);

  /** Events. */
  public static final JsonCodec<ClusterEvent> EVENT = of(ClusterEvent.class);

  /** Decisions, with their reasons. */
  public static final JsonCodec<Decision> DECISION =
      new JsonCodec<>(DecisionJson::read, DecisionJson::write);

  /** Batch plans, with their certificates. */
  public static final JsonCodec<BatchPlan> PLAN = new JsonCodec<>(PlanJson::read, PlanJson::write);

  /** Explanations of waiting jobs. */
  public static final JsonCodec<Explanation> EXPLANATION = of(Explanation.class);

  /** Changes that would let a waiting job run. */
  public static final JsonCodec<Counterfactual> COUNTERFACTUAL = of(Counterfactual.class);

  /** States of a scheduler. */
  public static final JsonCodec<SchedulerSnapshot> SNAPSHOT =
      new JsonCodec<>(SnapshotJson::read, SnapshotJson::write);

  private JsonCodecs() {}

  private static <T> JsonCodec<T> of(Class<T> type) {
    Form<T> form = Form.of(type);
    return new JsonCodec<>(form.reader(), form.writer());
  }
}
