package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.JobDraft;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * If queues give back what an explanation says, the job starts; if they give back less, it waits.
 */
class GivingBackLaws {

  @Provide
  Arbitrary<QueueLaws.Sequence> sequences() {
    return QueueLaws.sequences(JobDraft.any())
        .map(
            any ->
                new QueueLaws.Sequence(
                    new EventSequence(
                        any.events().cluster(),
                        Policies.bestEffortFifo(),
                        any.events().rules().moving(0),
                        Optional.empty(),
                        any.events().steps()),
                    any.trees().stream().map(tree -> tree.with(Reclaiming.NEVER)).toList()));
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void theReturnedQuotaIsJustEnoughForTheJob(@ForAll("sequences") QueueLaws.Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();

    QueueLaws.play(
        sequence,
        scheduler,
        event -> {
          scheduler.on(event);
          for (JobId job : scheduler.waiting()) {
            Explanation why = scheduler.explain(job);
            if (!isHeld(why)) {
              why.remedies().stream()
                  .filter(Counterfactual.AfterGivingBack.class::isInstance)
                  .map(Counterfactual.AfterGivingBack.class::cast)
                  .forEach(back -> judge(scheduler, event.at(), job, back.jobs()));
            }
          }
        });
  }

  private static boolean isHeld(Explanation why) {
    return why.unmetConstraints().stream()
        .anyMatch(unmet -> unmet.constraint() == Constraint.BACK_OFF);
  }

  private static void judge(
      LiquidScheduler scheduler, Instant now, JobId job, List<JobId> leaving) {
    Scheduler alone = scheduler.copy();
    for (JobId other : scheduler.waiting()) {
      if (!other.equals(job)) {
        alone.on(new ClusterEvent.JobCancelled(now, other));
      }
    }
    if (!alone.waiting().contains(job)) {
      return;
    }
    assertThat(startsWithout(alone, now, job, leaving)).isTrue();
    for (JobId kept : leaving) {
      List<JobId> less = leaving.stream().filter(other -> !other.equals(kept)).toList();
      assertThat(startsWithout(alone, now, job, less)).isFalse();
    }
  }

  private static boolean startsWithout(
      Scheduler scheduler, Instant now, JobId job, List<JobId> leaving) {
    Scheduler copy = scheduler.copy();
    leaving.forEach(left -> copy.on(new ClusterEvent.JobCancelled(now, left)));
    return !copy.waiting().contains(job);
  }
}
