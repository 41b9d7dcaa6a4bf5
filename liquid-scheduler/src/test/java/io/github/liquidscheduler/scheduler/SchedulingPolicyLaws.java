package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.SchedulingPolicyContract;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Group;

/** All policies keep the contract. */
@SuppressWarnings("ClassCanBeStatic") // Groups have to be inner classes.
class SchedulingPolicyLaws {
  private static final List<Duration> THRESHOLDS =
      List.of(Duration.ofSeconds(90), Duration.ofSeconds(400));

  private abstract static class Laws extends SchedulingPolicyContract {
    private final SchedulingPolicy policy;

    Laws(SchedulingPolicy policy) {
      this.policy = policy;
    }

    @Override
    protected Scheduler scheduler(ClusterTopology cluster) {
      return LiquidScheduler.builder(cluster).policy(policy).build();
    }
  }

  @Group
  class Fifo extends Laws {
    Fifo() {
      super(Policies.fifo());
    }
  }

  @Group
  class BestEffortFifo extends Laws {
    BestEffortFifo() {
      super(Policies.bestEffortFifo());
    }
  }

  @Group
  class Priority extends Laws {
    Priority() {
      super(Policies.priority());
    }
  }

  @Group
  class BlockingByPriority extends Laws {
    BlockingByPriority() {
      super(new BlockingPriority());
    }
  }

  @Group
  class ShortestJobFirst extends Laws {
    ShortestJobFirst() {
      super(Policies.shortestJobFirst());
    }
  }

  @Group
  class ShortestRemainingTimeFirst extends Laws {
    ShortestRemainingTimeFirst() {
      super(Policies.shortestRemainingTimeFirst());
    }
  }

  @Group
  class FairShare extends Laws {
    FairShare() {
      super(Policies.fairShare());
    }
  }

  @Group
  class FairShareOfBlockingQueues extends Laws {
    FairShareOfBlockingQueues() {
      super(Policies.fairShare(Policies.fifo(), Map.of(QueueName.of("research"), 2.5)));
    }
  }

  @Group
  class LeastAttainedService extends Laws {
    LeastAttainedService() {
      super(Policies.leastAttainedService(THRESHOLDS));
    }
  }

  @Group
  class LeastAttainedServiceWithPromotion extends Laws {
    LeastAttainedServiceWithPromotion() {
      super(Policies.leastAttainedServiceWithPromotion(THRESHOLDS, 1.5));
    }
  }
}
