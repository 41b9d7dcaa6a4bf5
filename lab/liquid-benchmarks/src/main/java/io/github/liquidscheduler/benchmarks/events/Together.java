package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Duration;
import java.util.Random;

/** Features that are used at once: a tree of queues, grace periods, elastic jobs, shared GPUs. */
final class Together {

  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final int LEAST_ELASTIC = 4;

  private final QueueForest queues;
  private final Random random;

  Together(int count, int gpus, long seed) {
    queues = new QueueForest(count, gpus, 0, Reclaiming.COMPUTED_SHARES, seed);
    random = new Random(seed);
  }

  QueueTree tree() {
    return queues.tree();
  }

  /** Adds the features to a builder. */
  LiquidScheduler.Builder added(
      LiquidScheduler.Builder builder, InterferencePredictor predictor, Placer base) {
    return builder
        .preemption(PreemptionRules.NONE.gracePeriod(GRACE))
        .elasticity(Elasticity.by(SizingPolicy.marginalGain()).build())
        .colocation(Colocation.builder(PredictedSlowdownRule.of(predictor)).base(base).build());
  }

  /** Returns a job in some queue: one of three gangs is elastic, one of eight others may share. */
  JobSpec changed(JobSpec job) {
    JobSpec.Builder changed = job.toBuilder().queue(queues.any().value());
    boolean isPlain = job.roles().size() == 1 && job.roles().getFirst().request().gpus() > 0;
    TaskRole role = job.roles().getFirst();
    if (isPlain && role.request().share().isEmpty()) {
      int tasks = role.count();
      if (tasks >= LEAST_ELASTIC && random.nextInt(3) == 0) {
        changed.parallelism(Parallelism.between(tasks / 2, tasks, 2 * tasks));
      } else if (random.nextInt(8) == 0) {
        changed.sharing(new Sharing.Opportunistic());
      }
    }
    return changed.build();
  }
}
