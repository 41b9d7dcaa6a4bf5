package io.github.liquidscheduler.scheduler.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.eviction.ClusterCapacity;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.ended.EndedJobs;
import io.github.liquidscheduler.scheduler.job.Entries;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** On a node of eight GPUs jobs of priorities 0, 1 and 2 hold one, two and four. */
class AvailableCapacityTest {

  private JobTable table = table(Policies.priority());

  @Test
  void availableIsFreeCapacityPlusThatOfLowerPriorities() {
    AvailableCapacity capacity = new AvailableCapacity(table);

    assertThat(gpus(capacity, "p3")).isEqualTo(8);
    assertThat(gpus(capacity, "p2")).isEqualTo(4);
    assertThat(gpus(capacity, "p1")).isEqualTo(2);
    assertThat(gpus(capacity, "p0")).isEqualTo(1);
  }

  @Test
  void queriesMayBeOutOfOrderAndRepeated() {
    AvailableCapacity capacity = new AvailableCapacity(table);

    assertThat(gpus(capacity, "p1")).isEqualTo(2);
    assertThat(gpus(capacity, "p1")).isEqualTo(2);
    assertThat(gpus(capacity, "p3")).isEqualTo(8);
    assertThat(gpus(capacity, "p2")).isEqualTo(4);
  }

  @Test
  void aPreemptedJobIsNotCountedTwice() {
    AvailableCapacity capacity = new AvailableCapacity(table);
    assertThat(gpus(capacity, "p2")).isEqualTo(4);
    table.runTransitions().preempt(table.get(JobId.of("r1")));
    capacity.clear();

    assertThat(gpus(capacity, "p2")).isEqualTo(4);
    assertThat(gpus(capacity, "p0")).isEqualTo(3);
  }

  @Test
  void withoutPreemptionOnlyFreeCapacityIsAvailable() {
    table = table(Policies.bestEffortFifo());

    assertThat(gpus(new AvailableCapacity(table), "p3")).isEqualTo(1);
  }

  @Test
  void manyDistinctPrioritiesAreCountedByWalking() {
    table = tableOfTwentyPriorities();
    AvailableCapacity capacity = new AvailableCapacity(table);

    assertThat(gpus(capacity, "p20")).isEqualTo(21);
    assertThat(gpus(capacity, "p10")).isEqualTo(11);
    assertThat(gpus(capacity, "p10")).isEqualTo(11);
    assertThat(gpus(capacity, "p0")).isEqualTo(1);
    assertThat(gpus(capacity, "p15")).isEqualTo(16);
    assertThat(gpus(capacity, "p14")).isEqualTo(15);
  }

  @Test
  void aPreemptedJobIsNotCountedTwiceByWalking() {
    table = tableOfTwentyPriorities();
    AvailableCapacity capacity = new AvailableCapacity(table);
    assertThat(gpus(capacity, "p20")).isEqualTo(21);
    table.runTransitions().preempt(table.get(JobId.of("r12")));
    capacity.clear();

    assertThat(gpus(capacity, "p20")).isEqualTo(21);
    assertThat(gpus(capacity, "p12")).isEqualTo(14);
  }

  @Test
  void inATreeOnlyLowerPrioritiesOfTheOwnQueueAreAvailable() {
    table = table(Policies.priority());
    table.queues().change(QueueTree.of(QueueSpec.named("default"), QueueSpec.named("other")));
    submit(table, JobSpec.builder("guest").gpus(1).priority(9).queue("other"));
    AvailableCapacity capacity = new AvailableCapacity(table);

    assertThat(gpus(capacity, "p3")).isEqualTo(8);
    assertThat(gpus(capacity, "p2")).isEqualTo(4);
    assertThat(gpus(capacity, "p0")).isEqualTo(1);
    assertThat(gpus(capacity, "guest")).isEqualTo(1);
  }

  @Test
  void inATreeWithoutPreemptionOnlyFreeCapacityIsAvailable() {
    table = table(Policies.bestEffortFifo());
    table.queues().change(QueueTree.of(QueueSpec.named("default")));

    assertThat(gpus(new AvailableCapacity(table), "p3")).isEqualTo(1);
  }

  /** Jobs r0 to r19, each of a GPU and of the priority in its name; one GPU is free. */
  private static JobTable tableOfTwentyPriorities() {
    JobTable table = empty(Policies.priority(), 21);
    for (int priority = 0; priority < 20; priority++) {
      submit(table, JobSpec.builder("r" + priority).gpus(1).priority(priority));
      String id = "r" + priority;
      table.runTransitions().start(table.get(JobId.of(id)), Entries.on(id, "n0", priority));
    }
    for (int priority = 0; priority <= 20; priority++) {
      submit(table, JobSpec.builder("p" + priority).gpus(1).priority(priority));
    }
    return table;
  }

  /** Returns how many GPUs a waiting job may take. */
  private int gpus(AvailableCapacity capacity, String job) {
    ClusterCapacity all = capacity.forJob(table.get(JobId.of(job)));
    int gpus = 0;
    while (all.lack(JobSpec.builder("job").gpus(gpus + 1).build()).isEmpty()) {
      gpus++;
    }
    return gpus;
  }

  private static JobTable empty(SchedulingPolicy policy, int gpus) {
    Node node = Node.builder("n0").gpus(gpus, GpuModel.of("V100"), Memory.ofGib(16)).build();
    ClusterState cluster = ClusterState.of(ClusterTopology.builder().node(node).build());
    JobTable table =
        new JobTable(
            cluster,
            policy,
            PreemptionRules.NONE,
            null,
            null,
            new EndedJobs(10),
            false,
            false,
            false);
    table.reviews().advance(Instant.EPOCH);
    return table;
  }

  private static JobTable table(SchedulingPolicy policy) {
    JobTable table = empty(policy, 8);
    submit(table, JobSpec.builder("r0").gpus(1).priority(0));
    submit(table, JobSpec.builder("r1").gpus(2).priority(1));
    submit(table, JobSpec.builder("r2").gpus(4).priority(2));
    table.runTransitions().start(table.get(JobId.of("r0")), Entries.on("r0", "n0", 0));
    table.runTransitions().start(table.get(JobId.of("r1")), Entries.on("r1", "n0", 1, 2));
    table.runTransitions().start(table.get(JobId.of("r2")), Entries.on("r2", "n0", 3, 4, 5, 6));
    for (int priority = 0; priority < 4; priority++) {
      submit(table, JobSpec.builder("p" + priority).gpus(1).priority(priority));
    }
    return table;
  }

  private static void submit(JobTable table, JobSpec.Builder job) {
    JobSpec spec = job.build();
    table.waitingTransitions().submit(spec, new PlacementClass(spec));
  }
}
