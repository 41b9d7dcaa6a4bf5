package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueStatus;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/**
 * No job starts beyond the share of its queue where it leaves no capacity for a waiting job of
 * another queue within its own. Events that stop a job free what that job may need, too late.
 */
class SharesFirstLaws {

  private static final List<String> LEAVES = List.of("a", "b", "c", "d");

  /** A submission to a queue, or the end of a running job. */
  private record Step(boolean ends, int pick, String queue, int gpus, int priority) {}

  /** A history of jobs in a tree of queues. */
  private record World(SchedulingPolicy policy, QueueTree tree, Duration grace, List<Step> steps) {

    Session session() {
      return new Session(
          LiquidScheduler.builder(Session.cluster(4, 4, 2))
              .policy(policy)
              .preemption(PreemptionRules.NONE.gracePeriod(grace))
              .build());
    }
  }

  @Provide
  Arbitrary<World> worlds() {
    Arbitrary<Step> steps =
        Combinators.combine(
                Arbitraries.of(false, false, true),
                Arbitraries.integers().between(0, 1000),
                Arbitraries.of(LEAVES),
                Arbitraries.of(1, 1, 1, 2, 2, 3, 4, 5),
                Arbitraries.of(0, 0, 1))
            .as(Step::new);
    Arbitrary<SchedulingPolicy> policies =
        Arbitraries.of(
            Policies.bestEffortFifo(),
            Policies.priority(),
            Policies.shortestJobFirst(),
            Policies.fairShare());
    return Combinators.combine(
            policies,
            trees(),
            Arbitraries.of(0, 0, 1, 3).map(Duration::ofSeconds),
            steps.list().ofMinSize(10).ofMaxSize(60))
        .as(World::new);
  }

  private static Arbitrary<QueueTree> trees() {
    return Combinators.combine(
            Arbitraries.of(0, 0, 1, 2, 4), Arbitraries.of(1.0, 1.0, 2.0), Arbitraries.of(0, 0, 1))
        .as(
            (guaranteed, weight, priority) ->
                QueueSpec.named("any")
                    .withPriority(priority)
                    .with(QuotaResource.GPUS, QueueQuota.guaranteed(guaranteed).withWeight(weight)))
        .list()
        .ofSize(LEAVES.size())
        .map(SharesFirstLaws::tree);
  }

  private static QueueTree tree(List<QueueSpec> leaves) {
    List<QueueSpec> queues = new ArrayList<>();
    queues.add(QueueSpec.named("lab"));
    for (int i = 0; i < leaves.size(); i++) {
      QueueSpec any = leaves.get(i);
      QueueSpec leaf =
          new QueueSpec(
              QueueName.of(LEAVES.get(i)),
              Optional.empty(),
              any.priority(),
              any.quotas(),
              any.preemption(),
              any.bypass());
      queues.add(i < 2 ? leaf.in("lab") : leaf);
    }
    return QueueTree.of(queues).with(Reclaiming.COMPUTED_SHARES);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void nobodyBorrowsWhatAJobWithinItsShareCouldHave(@ForAll("worlds") World world) {
    Session session = world.session();
    session.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, world.tree()));
    int borrowed = 0;
    for (int i = 0; i < world.steps().size(); i++) {
      play(session.at(i), world.steps().get(i), i);
      borrowed += requireSharesFirst(session);
    }
    Statistics.label("borrowed").collect(borrowed == 0 ? "never" : "sometimes");
  }

  private static void play(Session session, Step step, int number) {
    List<String> running =
        session.running().stream()
            .filter(
                job ->
                    session.scheduler.status(JobId.of(job)).orElseThrow()
                        instanceof JobStatus.Running)
            .toList();
    if (step.ends() && !running.isEmpty()) {
      session.finish(running.get(step.pick() % running.size()));
    } else {
      session.submit(aJob("j" + number, step.gpus()).queue(step.queue()).priority(step.priority()));
    }
  }

  /** Returns the number of queues that hold more than their shares with a job that has started. */
  private static int requireSharesFirst(Session session) {
    if (session.last().stream().anyMatch(Decision.Preempt.class::isInstance)) {
      return 0;
    }
    Map<QueueName, JobId> started = new LinkedHashMap<>();
    JobTable jobs = session.scheduler.state().jobs();
    for (Decision decision : session.last()) {
      if (decision instanceof Decision.Start start) {
        started.put(jobs.get(start.job()).job().queue(), start.job());
      }
    }
    started.keySet().removeIf(queue -> !isBeyondShare(session, queue));
    started.values().forEach(job -> requireNobodyWithinShareFits(session, jobs.get(job)));
    return started.size();
  }

  private static boolean isBeyondShare(Session session, QueueName queue) {
    QueueStatus.Usage usage =
        Objects.requireNonNull(
            session.scheduler.queue(queue).orElseThrow().usage().get(QuotaResource.GPUS));
    return usage.held() > usage.share();
  }

  private static void requireNobodyWithinShareFits(Session session, JobEntry borrower) {
    JobTable jobs = session.scheduler.state().jobs();
    ClusterState cluster = jobs.cluster();
    cluster.trials().suspend(borrower.id());
    for (JobEntry waiting : jobs.allWaiting()) {
      boolean isOther = !waiting.job().queue().equals(borrower.job().queue());
      boolean mayStart = isOther && !waiting.isStopping();
      if (mayStart && !jobs.quotas().admission().borrows(waiting)) {
        Optional<Placement> place = Placers.bestFit().place(cluster, waiting.job());
        assertThat(place)
            .as("%s waits within its share, and %s borrows", waiting.job(), borrower.job())
            .isEmpty();
      }
    }
    cluster.trials().resume(borrower.id());
  }
}
