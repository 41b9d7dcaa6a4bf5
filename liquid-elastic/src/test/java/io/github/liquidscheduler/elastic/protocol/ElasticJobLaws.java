package io.github.liquidscheduler.elastic.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.elastic.lease.InMemoryLeaseStore;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterProperty;

/**
 * Over random histories of joins, leaves, crashes of workers and leaders, and messages that come
 * late, twice and out of order: the model of a finished job has seen each sample exactly once per
 * epoch, all workers have the same model, each topology has one meaning, and what two workers have
 * read is reported.
 */
class ElasticJobLaws {
  private int finished;
  private int takeovers;

  @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
  void eachSampleIsTrainedOncePerEpoch(@ForAll long seed) {
    JobHistory history = new JobHistory(seed, InMemoryLeaseStore::new);

    history.play();

    finished += history.isFinished() ? 1 : 0;
    takeovers += history.leaders() > 1 ? 1 : 0;
  }

  @AfterProperty
  void mostHistoriesEndAndManyChangeTheirLeader() {
    assertThat(finished).isGreaterThan(9_000);
    assertThat(takeovers).isGreaterThan(2_000);
  }
}
