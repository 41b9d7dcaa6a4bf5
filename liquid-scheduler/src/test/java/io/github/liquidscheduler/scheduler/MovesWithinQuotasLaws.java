package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** Neither starts nor moves of any kind exceed a limit of GPUs, of one model or of all. */
class MovesWithinQuotasLaws {

  private final Map<JobId, JobSpec> jobs = new HashMap<>();
  private final Map<JobId, Placement> running = new HashMap<>();

  @Provide
  Arbitrary<QueueLaws.Sequence> sequences() {
    return QueueLaws.sequencesByModel(JobDraft.any())
        .map(
            sequence ->
                new QueueLaws.Sequence(QueueLaws.moving(sequence.events(), 3), sequence.trees()));
  }

  @Property(edgeCases = EdgeCasesMode.NONE, tries = 500)
  void nobodyStartsOrMovesBeyondALimit(@ForAll("sequences") QueueLaws.Sequence sequence) {
    LiquidScheduler scheduler =
        sequence.events().options().performance(HeterogeneityLaws.MOVING).build();
    Playback playback = EventSequence.playback(scheduler);
    QueueTree tree = sequence.trees().getFirst();
    scheduler.on(new ClusterEvent.QueuesChanged(playback.now(), tree));
    jobs.clear();
    running.clear();
    int moves = 0;

    for (ClusterStep step : sequence.events().steps()) {
      Optional<ClusterEvent> event =
          step.kind() == ClusterStep.Kind.PLAN
              ? Optional.of(ProposedMoves.of(scheduler.view(), step.pick(), playback.now()))
              : playback.event(step);
      if (event.isPresent()) {
        note(event.get());
        for (Decision decision : scheduler.on(event.get())) {
          carryOut(decision, tree, scheduler.view().topology());
          moves += decision instanceof Decision.Migrate ? 1 : 0;
        }
      }
    }
    Statistics.label("moves").collect(moves == 0 ? "none" : "some");
  }

  private void note(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.JobSubmitted submitted -> jobs.put(submitted.job(), submitted.spec());
      case ClusterEvent.JobUpdated updated -> jobs.put(updated.job(), updated.spec());
      case ClusterEvent.JobFinished finished -> running.remove(finished.job());
      case ClusterEvent.JobCancelled cancelled -> running.remove(cancelled.job());
      case ClusterEvent.JobFailed failed -> running.remove(failed.job());
      default -> {}
    }
  }

  private void carryOut(Decision decision, QueueTree tree, ClusterTopology topology) {
    switch (decision) {
      case Decision.Start start -> run(start.placement(), tree, topology);
      case Decision.Migrate move -> run(move.placement(), tree, topology);
      case Decision.Preempt preempt -> running.remove(preempt.job());
      default -> {}
    }
  }

  private void run(Placement placement, QueueTree tree, ClusterTopology topology) {
    Map<QueueLimit, Double> before = used(tree, topology);
    running.put(placement.job(), placement);
    used(tree, topology)
        .forEach(
            (limit, used) ->
                assertThat(used)
                    .as("%s with %s", limit, placement)
                    .isLessThanOrEqualTo(
                        Math.max(limit.most(tree), before.getOrDefault(limit, 0.0))));
  }

  /** A resource that a queue counts. */
  private record QueueLimit(QueueName queue, QuotaResource resource) {

    double most(QueueTree tree) {
      return tree.quota(tree.find(queue).orElseThrow(), resource).limit();
    }
  }

  /** Returns what the jobs of each queue and of its descendants hold. */
  private Map<QueueLimit, Double> used(QueueTree tree, ClusterTopology topology) {
    Map<QueueLimit, Double> used = new HashMap<>();
    for (Placement placement : running.values()) {
      Optional<QueueName> at =
          Optional.of(Objects.requireNonNull(jobs.get(placement.job())).queue());
      while (at.isPresent()) {
        QueueSpec queue = tree.find(at.get()).orElseThrow();
        for (TaskPlacement task : placement.tasks()) {
          double gpus = task.gpus().size() * task.share().thousandths() / 1000.0;
          used.merge(new QueueLimit(queue.name(), QuotaResource.GPUS), gpus, Double::sum);
          if (!task.gpus().isEmpty()) {
            GpuModel model = topology.gpu(new GpuId(task.node(), task.gpus().getFirst())).model();
            used.merge(new QueueLimit(queue.name(), QuotaResource.gpus(model)), gpus, Double::sum);
          }
        }
        at = queue.parent();
      }
    }
    return used;
  }
}
