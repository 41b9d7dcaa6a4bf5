package io.github.liquidscheduler.lab.recorded;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.lab.baseline.grouping.BaselinePlanners;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.planner.DefragmentationPlanner;
import io.github.liquidscheduler.planner.colocation.ColocationPlanner;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How the journal of a recording is drawn.
 *
 * @param events how many events
 * @param cluster the cluster
 * @param kinds what happens, as often as it is in the list
 * @param jobs draws a job of an id
 * @param planner who plans, if anybody is asked
 */
record Script(
    int events,
    ClusterTopology cluster,
    List<Happenings.Kind> kinds,
    BiFunction<Jobs, String, JobSpec> jobs,
    Function<InterferencePredictor, BatchPlanner> planner) {

  private static final double MOVE_COST = 2;

  static Script of(Recording recording) {
    return switch (recording) {
      case BEST_FIT_FIFO -> ordinary(600, Clusters.plain(), Jobs::plain);
      case CONSTRAINTS -> ordinary(1000, Clusters.mixed(), Jobs::constrained);
      case SHORTEST_JOB_FIRST,
          PRIORITY,
          LEAST_ATTAINED_SERVICE,
          LEAST_ATTAINED_SERVICE_PROMOTED,
          SHORTEST_REMAINING_TIME ->
          ordinary(800, Clusters.plain(), Jobs::plain);
      case FAILURES ->
          new Script(
              1200,
              Clusters.mixed(),
              Happenings.FAILING,
              Jobs::constrained,
              predictor -> BatchPlanners.greedy());
      case LEAST_COST -> ordinary(500, Clusters.twoRacks(), Jobs::communicating);
      case LEAST_COST_THREE_LEVELS -> ordinary(600, Clusters.threeLevels(), Jobs::communicating);
      case RANDOM, EVEN_SPREAD, LEAST_ALLOCATED, PACK, BUDDY_CELLS, LIQUID ->
          ordinary(300, Clusters.mixed(), Jobs::constrained);
      case VIRTUAL_CLUSTERS -> ordinary(600, Clusters.plain(), Jobs::queued);
      case WATCHED_SHARING -> reporting(1400, Clusters.shared(3), Jobs::sharing);
      case PRESSED_GANGS -> ordinary(600, Clusters.shared(4), Jobs::sharing);
      case MPS -> reporting(500, Clusters.shared(2), Jobs::sharing);
      case MIG_SLICES -> reporting(800, Clusters.slices(), Jobs::sliced);
      case SHARE_FIRST_FIT -> ordinary(600, Clusters.shared(4), Jobs::sharing);
      case SHARE_LIQUID, SHARE_GANDIVA, SHARE_ANTMAN, SHARE_LUCID ->
          ordinary(400, Clusters.shared(4), Jobs::sharing);
      case BATCH_GREEDY -> ordinary(800, Clusters.mixed(), Jobs::constrained);
      case BATCH_TIMEFOLD ->
          planned(
              500, Clusters.twoRacks(), Jobs::communicating, predictor -> BatchPlanners.timefold());
      case BATCH_PREEMPTION ->
          new Script(
              800,
              Clusters.mixed(),
              Happenings.FAILING,
              Jobs::constrained,
              predictor -> BaselinePlanners.named("gga"));
      case BATCH_SHARING ->
          new Script(
              1000, Clusters.shared(2), Happenings.REPORTING, Jobs::sharing, Script::forSharing);
      case DEFRAGMENTATION ->
          new Script(
              800,
              Clusters.plain(),
              Happenings.CROWDED,
              Jobs::fragmenting,
              predictor -> Script::makingRoom);
    };
  }

  /** Returns jobs drawn by a generator that depends on nothing else. */
  Function<String, JobSpec> jobs(long seed) {
    Jobs draws = new Jobs(new Random(seed));
    return id -> jobs.apply(draws, id);
  }

  private static Script ordinary(
      int events, ClusterTopology cluster, BiFunction<Jobs, String, JobSpec> jobs) {
    return planned(events, cluster, jobs, predictor -> BatchPlanners.greedy());
  }

  private static Script planned(
      int events,
      ClusterTopology cluster,
      BiFunction<Jobs, String, JobSpec> jobs,
      Function<InterferencePredictor, BatchPlanner> planner) {
    return new Script(events, cluster, Happenings.ORDINARY, jobs, planner);
  }

  private static Script reporting(
      int events, ClusterTopology cluster, BiFunction<Jobs, String, JobSpec> jobs) {
    return new Script(
        events, cluster, Happenings.REPORTING, jobs, predictor -> BatchPlanners.greedy());
  }

  private static BatchPlanner forSharing(InterferencePredictor predictor) {
    return ColocationPlanner.of(BatchPlanners.greedy(), Colocation.of(predictor));
  }

  /** Moves running jobs so that a gang fits, or else plans with what may be moved on offer. */
  private static BatchPlan makingRoom(PlanRequest request) {
    Map<JobId, Double> moves = new LinkedHashMap<>();
    PlanRequest.Builder movable =
        PlanRequest.builder(request.view())
            .number(request.number())
            .pending(request.pending())
            .options(request.options());
    for (JobId id : request.view().runningJobs()) {
      JobSpec job = request.view().job(id).orElseThrow();
      if (job.isPreemptible()) {
        moves.put(id, MOVE_COST * job.gpus());
        movable.movable(job, MOVE_COST * job.gpus());
      }
    }
    Optional<BatchPlan> room =
        request.pending().stream()
            .flatMap(
                gang ->
                    DefragmentationPlanner.with(Placers.bestFit())
                        .plan(request.view(), gang, 100, moves)
                        .stream())
            .findFirst();
    return room.map(plan -> plan.answering(request.number()))
        .orElseGet(() -> BatchPlanners.timefold().plan(movable.build()));
  }
}
