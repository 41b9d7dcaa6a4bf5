package io.github.liquidscheduler.lab.reference.pollux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LeastServiceQueuesTest {

  private static final long SIXTEEN_HOURS = 16 * 3600;

  private final LeastServiceQueues queues = new LeastServiceQueues(new GoodputCluster(1, 1));
  private final List<GoodputProgress> jobs = TestJobs.waiting(2);

  @Test
  void theFirstJobRunsFirst() {
    assertThat(queues.allocate(jobs, 60)).containsOnlyKeys(jobs.get(0));
  }

  @Test
  void aJobThatWasServedLongGivesWay() {
    queues.allocate(jobs, 60);
    queues.allocate(jobs, 59 + SIXTEEN_HOURS);

    assertThat(queues.allocate(jobs, 60 + SIXTEEN_HOURS)).containsOnlyKeys(jobs.get(1));
  }

  @Test
  void aJobThatWasServedLongRunsWhereThereIsRoom() {
    queues.allocate(jobs, 60);
    queues.allocate(jobs, 60 + SIXTEEN_HOURS);

    assertThat(queues.allocate(jobs.subList(0, 1), 120 + SIXTEEN_HOURS))
        .containsOnlyKeys(jobs.get(0));
  }
}
