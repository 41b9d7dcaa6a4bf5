package io.github.liquidscheduler.scheduler.ended;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class EndedJobsLaws {

  private static final int COPY = 9;

  /** A history and what it should remember: nothing but a list, copied whole. */
  private record Remembered(EndedJobs jobs, List<JobId> model) {
    Remembered copy() {
      return new Remembered(jobs.copy(), new ArrayList<>(model));
    }
  }

  /** Ends jobs in several histories, which are copied from each other at any time. */
  @Property
  void copiesAndOriginalsRememberWhatEndedInThemAlone(
      @ForAll @IntRange(max = 12) int most,
      @ForAll @Size(max = 120) List<@IntRange(max = COPY) Integer> steps) {
    List<Remembered> histories = new ArrayList<>();
    histories.add(new Remembered(new EndedJobs(most), new ArrayList<>()));
    for (int i = 0; i < steps.size(); i++) {
      Remembered history = histories.get(steps.get(i) % histories.size());
      if (steps.get(i) == COPY && histories.size() < 4) {
        histories.add(history.copy());
      } else {
        history.jobs().add(JobId.of("j" + i), Outcome.FINISHED);
        history.model().add(JobId.of("j" + i));
        if (i % 3 != 0) {
          history.jobs().settle();
        }
      }
    }

    for (Remembered history : histories) {
      int forgotten = Math.max(0, history.model().size() - most);
      Map<JobId, Outcome> shown = shown(history.jobs());
      assertThat(shown.keySet())
          .containsExactlyElementsOf(history.model().subList(forgotten, history.model().size()));
      for (int i = 0; i < steps.size(); i++) {
        JobId job = JobId.of("j" + i);
        assertThat(history.jobs().ending(job).isPresent()).isEqualTo(shown.containsKey(job));
      }
    }
  }

  @Property(tries = 500)
  void goesBackToWhereATurnBegan(
      @ForAll @IntRange(max = 12) int most,
      @ForAll @IntRange(max = 40) int before,
      @ForAll @IntRange(max = 20) int turn) {
    EndedJobs jobs = new EndedJobs(most);
    for (int i = 0; i < before; i++) {
      jobs.add(JobId.of("j" + i), Outcome.FINISHED);
      jobs.settle();
    }
    Map<JobId, Outcome> shown = shown(jobs);
    for (int i = 0; i < turn; i++) {
      jobs.add(JobId.of("k" + i), Outcome.FAILED);
    }

    jobs.rollBackTo(before);

    assertThat(shown(jobs)).isEqualTo(shown);
    assertThat(jobs.count()).isEqualTo(before);
  }

  private static Map<JobId, Outcome> shown(EndedJobs jobs) {
    Map<JobId, Outcome> shown = new LinkedHashMap<>();
    jobs.forEach(shown::put);
    return shown;
  }

  @Example
  void aCopyAllocatesNoMoreForAMillionEndedJobs() {
    EndedJobs few = historyOf(10);
    EndedJobs many = historyOf(1_000_000);
    few.copy();
    many.copy();

    assertThat(allocatedByCopy(many)).isLessThan(allocatedByCopy(few) + 1_000);
  }

  private static long allocatedByCopy(EndedJobs jobs) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    EndedJobs copy = jobs.copy();
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(copy.ending(JobId.of("j0"))).isPresent();
    return allocated;
  }

  private static EndedJobs historyOf(int jobs) {
    EndedJobs history = new EndedJobs(1_000_000);
    for (int i = 0; i < jobs; i++) {
      history.add(JobId.of("j" + i), Outcome.FINISHED);
      history.settle();
    }
    return history;
  }
}
