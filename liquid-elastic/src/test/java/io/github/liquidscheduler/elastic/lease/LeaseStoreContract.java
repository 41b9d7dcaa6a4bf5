package io.github.liquidscheduler.elastic.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What each store promises. */
public interface LeaseStoreContract {
  /** The longest that a lease may live. */
  Duration TIME_TO_LIVE = Duration.ofMinutes(1);

  /** Returns a store, the same for the whole of a test. */
  LeaseStore store();

  /** Returns a key that no other test uses. */
  String key();

  /** Lets a lease expire. */
  void expire(Lease lease);

  private Lease acquired(String holder) {
    return store().acquire(key(), holder, TIME_TO_LIVE).orElseThrow();
  }

  @Test
  default void aLeaseThatNobodyHoldsIsAcquired() {
    Lease lease = acquired("ann");

    assertThat(store().read(key())).contains(lease);
    assertThat(lease.holder()).isEqualTo("ann");
  }

  @Test
  default void aHeldLeaseIsNotAcquired() {
    Lease lease = acquired("ann");

    assertThat(store().acquire(key(), "bob", TIME_TO_LIVE)).isEmpty();
    assertThat(store().read(key())).contains(lease);
  }

  @Test
  default void aKeyThatNobodyHoldsHasNoLease() {
    assertThat(store().read(key())).isEmpty();
    assertThat(store().load(key())).isEmpty();
  }

  @Test
  default void anExpiredLeaseIsAcquiredWithAGreaterToken() {
    Lease former = acquired("ann");
    expire(former);

    Lease lease = acquired("bob");

    assertThat(lease.token()).isGreaterThan(former.token());
  }

  @Test
  default void aReleasedLeaseIsAcquiredWithAGreaterToken() {
    Lease former = acquired("ann");
    store().release(former);

    assertThat(acquired("ann").token()).isGreaterThan(former.token());
  }

  @Test
  default void aHolderRenewsAndSaves() {
    Lease lease = acquired("ann");

    assertThat(store().renew(lease)).isTrue();
    assertThat(store().save(lease, "first")).isTrue();
    assertThat(store().save(lease, "second")).isTrue();
    assertThat(store().load(key())).contains("second");
  }

  @Test
  default void aFormerHolderChangesNothing() {
    Lease former = acquired("ann");
    expire(former);
    Lease lease = acquired("bob");
    store().save(lease, "bob's");

    assertThat(store().renew(former)).isFalse();
    assertThat(store().save(former, "ann's")).isFalse();
    store().release(former);

    assertThat(store().load(key())).contains("bob's");
    assertThat(store().read(key())).contains(lease);
  }

  @Test
  default void anExpiredLeaseIsNeitherRenewedNorSavedUnder() {
    Lease lease = acquired("ann");
    expire(lease);

    assertThat(store().renew(lease)).isFalse();
    assertThat(store().save(lease, "late")).isFalse();
    assertThat(store().read(key())).isEmpty();
  }

  @Test
  default void whatWasSavedOutlivesTheLease() {
    Lease lease = acquired("ann");
    store().save(lease, "state");
    store().release(lease);

    assertThat(store().load(key())).contains("state");
  }
}
