package io.github.liquidscheduler.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.Session;
import io.github.liquidscheduler.scheduler.policy.PolicyState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class OrderedJobsLaws {

  @Property
  void itIsASortedSetWithPositions(
      @ForAll @Size(max = 1500) List<@IntRange(max = 29) Integer> choices) {
    OrderedJobs jobs = new OrderedJobs();
    TreeSet<JobEntry> model = new TreeSet<>(JobEntry.TURN);
    for (int i = 0; i < choices.size(); i++) {
      JobEntry job = job(i, choices.get(i) % 5);
      jobs.add(job);
      model.add(job);
      int removal = choices.get(i) / 5;
      if (removal > 3) {
        JobEntry gone = removal == 4 ? model.first() : model.floor(job);
        jobs.remove(gone);
        model.remove(gone);
      }
    }

    assertThat(jobs).containsExactlyElementsOf(model);
    assertThat(jobs.isEmpty()).isEqualTo(model.isEmpty());
    int position = 0;
    for (JobEntry job : model) {
      assertThat(jobs.position(job)).isEqualTo(position++);
    }
    JobEntry absent = job(-1, 3);
    assertThat(jobs.position(absent)).isEqualTo(model.headSet(absent).size());
    assertThat(jobs.size()).isEqualTo(model.size());
    List<JobEntry> above = new ArrayList<>(model.descendingSet());
    above.removeIf(job -> job.rank() <= 2);
    assertThat(jobs.above(2)).isEqualTo(above);
  }

  private static JobEntry job(int sequence, int rank) {
    JobSpec spec = Session.aJob("j", 1).build();
    JobEntry job = new JobEntry(spec, new PlacementClass(spec), sequence, Instant.EPOCH);
    job.judge(PolicyState.INITIAL, rank, null);
    return job;
  }
}
