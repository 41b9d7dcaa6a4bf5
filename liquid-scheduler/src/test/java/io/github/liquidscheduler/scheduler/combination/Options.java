package io.github.liquidscheduler.scheduler.combination;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The options of a scheduler, gathered feature by feature: some features share one setter. */
final class Options {

  /** Longer than any scenario. */
  private static final Duration NEVER = Duration.ofDays(1);

  private SchedulingPolicy policy = Policies.bestEffortFifo();
  private PreemptionRules rules = PreemptionRules.NONE;
  private Optional<QueueTree> queues = Optional.empty();
  private boolean resizes;
  private boolean promises;
  private boolean rounds;
  private final List<UnaryOperator<LiquidScheduler.Builder>> others = new ArrayList<>();

  void policy(SchedulingPolicy order) {
    policy = order;
  }

  void rules(UnaryOperator<PreemptionRules> more) {
    rules = more.apply(rules);
  }

  void queues(QueueTree tree) {
    queues = Optional.of(tree);
  }

  void resizes() {
    resizes = true;
  }

  void promises() {
    promises = true;
  }

  void rounds() {
    rounds = true;
  }

  /** Returns true if jobs train in rounds that may; else they are gangs. */
  boolean areThereRounds() {
    return rounds;
  }

  void with(UnaryOperator<LiquidScheduler.Builder> option) {
    others.add(option);
  }

  /** Returns the tree that is announced before all else, if there is one. */
  Optional<QueueTree> queues() {
    return queues;
  }

  /** Returns a builder with all options. */
  LiquidScheduler.Builder on(ClusterTopology cluster) {
    LiquidScheduler.Builder builder =
        LiquidScheduler.builder(cluster).policy(policy).preemption(rules);
    for (UnaryOperator<LiquidScheduler.Builder> option : others) {
      builder = option.apply(builder);
    }
    return resizes || promises ? builder.elasticity(elasticity()) : builder;
  }

  private Elasticity elasticity() {
    Elasticity.Builder elasticity =
        Elasticity.by(SizingPolicy.marginalGain())
            .coolDown(resizes ? Duration.ofSeconds(5) : NEVER)
            .worthwhile(0)
            .cost(ResizeCost.NONE);
    return (promises ? elasticity.deadlines(LateJobs.REFUSE) : elasticity).build();
  }
}
