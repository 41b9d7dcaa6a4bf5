package io.github.liquidscheduler.scheduler.ended;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Histories that remember three jobs. */
class EndedJobsTest {

  private final EndedJobs jobs = new EndedJobs(3);

  @Test
  void whatEndedBeforeACopyIsForgottenInItsTurn() {
    end(jobs, "a", "b", "c");
    EndedJobs copy = jobs.copy();
    end(jobs, "d", "e");

    assertThat(remembered(jobs)).containsExactly("c", "d", "e");
    assertThat(jobs.ending(JobId.of("b"))).isEmpty();
    assertThat(jobs.ending(JobId.of("c"))).contains(Outcome.FINISHED);
    assertThat(remembered(copy)).containsExactly("a", "b", "c");
  }

  @Test
  void copiesOfCopiesRememberWhatEndedBetweenThem() {
    end(jobs, "a");
    jobs.copy();
    end(jobs, "b");
    EndedJobs second = jobs.copy();
    end(jobs, "c");
    EndedJobs third = jobs.copy();
    end(third, "d");

    assertThat(remembered(second)).containsExactly("a", "b");
    assertThat(remembered(jobs)).containsExactly("a", "b", "c");
    assertThat(remembered(third)).containsExactly("b", "c", "d");
  }

  @Test
  void allEndingsOfATurnAreRememberedUntilItIsSettled() {
    for (String job : List.of("a", "b", "c", "d")) {
      jobs.add(JobId.of(job), Outcome.CANCELLED);
    }
    assertThat(jobs.count()).isEqualTo(4);

    jobs.rollBackTo(3);

    assertThat(remembered(jobs)).containsExactly("a", "b", "c");
  }

  @Test
  void aTurnThatIsTakenBackForgetsNothingThatACopyHasFrozen() {
    end(jobs, "a", "b", "c");
    jobs.copy();
    jobs.add(JobId.of("d"), Outcome.FINISHED);
    jobs.add(JobId.of("e"), Outcome.FINISHED);
    jobs.add(JobId.of("f"), Outcome.FINISHED);

    jobs.rollBackTo(4);

    assertThat(remembered(jobs)).containsExactly("b", "c", "d");
  }

  @Test
  void whyAJobWasRejectedIsRememberedAsLongAsTheJob() {
    jobs.add(JobId.of("large"), Outcome.REJECTED);
    jobs.because(JobId.of("large"), "needs more GPUs\nthan there are");
    end(jobs, "a", "b");
    EndedJobs copy = jobs.copy();

    assertThat(copy.why(JobId.of("large"))).contains("needs more GPUs than there are");
    assertThat(copy.why(JobId.of("a"))).isEmpty();
    end(copy, "c");
    assertThat(copy.why(JobId.of("large"))).isEmpty();
    assertThat(jobs.why(JobId.of("large"))).isPresent();
  }

  @Test
  void whatIsTakenBackLeavesNoReason() {
    jobs.add(JobId.of("a"), Outcome.REJECTED);
    jobs.because(JobId.of("a"), "too large");

    jobs.rollBackTo(0);
    end(jobs, "a");

    assertThat(jobs.why(JobId.of("a"))).isEmpty();
  }

  private static void end(EndedJobs jobs, String... names) {
    for (String name : names) {
      jobs.add(JobId.of(name), Outcome.FINISHED);
      jobs.settle();
    }
  }

  private static List<String> remembered(EndedJobs jobs) {
    List<String> remembered = new ArrayList<>();
    jobs.forEach((job, how) -> remembered.add(job.value()));
    return remembered;
  }
}
