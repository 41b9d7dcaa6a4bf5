package io.github.liquidscheduler.elastic.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.elastic.ElasticOptions;
import io.github.liquidscheduler.elastic.lease.InMemoryLeaseStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** Options may be times that are never over. */
class LongTimesTest {

  @Test
  void aLeaseMayLastAsGoodAsForEver() {
    ElasticOptions options =
        ElasticOptions.builder().leaseTimeToLive(Duration.ofSeconds(Long.MAX_VALUE)).build();
    Instant now = Instant.parse("2026-11-29T00:00:00Z");
    InMemoryLeaseStore store = new InMemoryLeaseStore(Clock.fixed(now, ZoneOffset.UTC));
    LeaderElection election =
        new LeaderElection(
            store, "job", "agent", options.leaseTimeToLive(), options.leaseRenewal());

    assertThat(election.tick(now)).isPresent();
    assertThat(election.held(now.plus(Duration.ofDays(36_000)))).isPresent();
  }
}
