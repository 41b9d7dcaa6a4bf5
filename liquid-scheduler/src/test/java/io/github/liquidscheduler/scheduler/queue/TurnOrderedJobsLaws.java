package io.github.liquidscheduler.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.scheduler.job.Entries;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

class TurnOrderedJobsLaws {

  private final List<Entries.RankedQueue> queues = new ArrayList<>();
  private final List<JobEntry> jobs = new ArrayList<>();
  private final TurnOrderedJobs inTurn = new TurnOrderedJobs();
  private final List<JobEntry> model = new ArrayList<>();

  /** Jobs come and go, and queues change their ranks, by what each number says. */
  @Property
  void theFirstIsTheNextInTurnDespiteQueueChanges(
      @ForAll @Size(max = 60) List<@IntRange(max = 9999) Integer> steps) {
    makeJobs();
    for (int step : steps) {
      JobEntry job = jobs.get(step / 10 % jobs.size());
      switch (step % 10) {
        case 0, 1, 2, 3, 4 -> add(job);
        case 5 -> remove(job);
        case 6, 7 -> removeFirst();
        default -> {
          queues.get(step / 10 % queues.size()).rank(step / 100 % 5);
          inTurn.reorder();
        }
      }
      assertThat(inTurn).containsExactlyInAnyOrderElementsOf(model);
      assertThat(inTurn.first()).isEqualTo(firstOfModel());
    }
  }

  private void makeJobs() {
    for (int queue = 0; queue < 4; queue++) {
      queues.add(new Entries.RankedQueue());
      for (int job = 0; job < 5; job++) {
        jobs.add(queues.get(queue).job(jobs.size(), jobs.size() * 7L % 5));
      }
    }
  }

  private void add(JobEntry job) {
    inTurn.add(job);
    if (!model.contains(job)) {
      model.add(job);
    }
  }

  private void remove(JobEntry job) {
    inTurn.remove(job);
    model.remove(job);
  }

  private @Nullable JobEntry firstOfModel() {
    return model.stream().min(JobOrders.TURN).orElse(null);
  }

  private void removeFirst() {
    @Nullable JobEntry first = firstOfModel();
    if (first != null) {
      remove(first);
    }
  }
}
