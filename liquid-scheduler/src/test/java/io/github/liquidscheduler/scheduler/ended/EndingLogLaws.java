package io.github.liquidscheduler.scheduler.ended;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class EndingLogLaws {

  private static final Outcome[] OUTCOMES = Outcome.values();

  /** Adds some endings, then removes some of the oldest and of the newest, again and again. */
  @Property(tries = 300)
  void holdsWhatIsLeft(
      @ForAll @IntRange(max = 100) int first,
      @ForAll @Size(max = 12) List<@IntRange(max = 60) Integer> steps) {
    EndingLog log = new EndingLog(first);
    List<JobId> left = new ArrayList<>();
    int added = 0;
    for (int step : steps) {
      for (int i = 0; i < step; i++) {
        JobId job = JobId.of("job-" + added);
        log.add(job, OUTCOMES[added++ % OUTCOMES.length]);
        left.add(job);
      }
      for (int i = 0; i < step / 2 && !left.isEmpty(); i++) {
        log.removeOldest();
        left.removeFirst();
      }
      int kept = Math.max(0, left.size() - step / 4);
      log.removeFrom(log.first() + kept);
      left.subList(kept, left.size()).clear();
    }

    assertThat(log.size()).isEqualTo(left.size());
    for (int i = 0; i < added; i++) {
      JobId job = JobId.of("job-" + i);
      int at = left.indexOf(job);
      assertThat(log.find(job, first)).isEqualTo(at < 0 ? -1 : log.first() + at);
      if (at >= 0) {
        assertThat(log.job(log.first() + at)).isEqualTo(job);
        assertThat(log.outcome(log.first() + at)).isEqualTo(OUTCOMES[i % OUTCOMES.length]);
      }
    }
  }

  /** A job whose first ending is forgotten may come again under its name. */
  @Property(tries = 100)
  void findsTheEndingThatIsNotForgotten(@ForAll @IntRange(max = 40) int between) {
    EndingLog log = new EndingLog(0);
    log.add(JobId.of("again"), Outcome.FINISHED);
    for (int i = 0; i < between; i++) {
      log.add(JobId.of("other-" + i), Outcome.FINISHED);
    }
    log.add(JobId.of("again"), Outcome.FAILED);

    assertThat(log.find(JobId.of("again"), 1)).isEqualTo(between + 1);
    assertThat(log.find(JobId.of("again"), between + 2)).isEqualTo(-1);
  }
}
