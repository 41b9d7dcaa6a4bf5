package io.github.liquidscheduler.elastic.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.elastic.lease.InMemoryLeaseStore;
import io.github.liquidscheduler.elastic.lease.Lease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LeaderElectionTest {
  private static final Duration TIME_TO_LIVE = Duration.ofSeconds(5);
  private static final Duration RENEWAL = Duration.ofMillis(1500);

  private Instant now = Instant.EPOCH;
  private boolean storeReachable = true;
  private final InMemoryLeaseStore store = new InMemoryLeaseStore(this::timeOfStore);
  private final LeaderElection ann = candidate("ann");
  private final LeaderElection bob = candidate("bob");

  @Test
  void theFirstCandidateLeads() {
    assertThat(ann.tick(now)).isPresent();
    assertThat(bob.tick(now)).isEmpty();
  }

  @Test
  void aLeaderThatRenewsLeadsOn() {
    Lease lease = ann.tick(now).orElseThrow();
    for (int renewals = 0; renewals < 10; renewals++) {
      now = now.plus(RENEWAL);
      assertThat(ann.tick(now)).contains(lease);
    }
  }

  @Test
  void aLeaderThatDoesNotRenewKnowsThatItLeadsNoLonger() {
    ann.tick(now);
    now = now.plus(TIME_TO_LIVE);

    assertThat(ann.held(now)).isEmpty();
    assertThat(bob.tick(now)).isPresent();
    assertThat(ann.tick(now)).isEmpty();
  }

  @Test
  void whoResignsMakesRoomAtOnce() {
    ann.tick(now);
    ann.resign();

    assertThat(bob.tick(now)).isPresent();
  }

  @Test
  void whoCannotReachTheStoreToResignLeadsNoLonger() {
    ann.tick(now);
    storeReachable = false;

    assertThatThrownBy(ann::resign).isInstanceOf(UncheckedIOException.class);
    assertThat(ann.held(now)).isEmpty();
  }

  private Instant timeOfStore() {
    if (!storeReachable) {
      throw new UncheckedIOException(new IOException("the store cannot be reached"));
    }
    return now;
  }

  private LeaderElection candidate(String name) {
    return new LeaderElection(store, "job", name, TIME_TO_LIVE, RENEWAL);
  }
}
