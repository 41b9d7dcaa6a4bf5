package io.github.liquidscheduler.elastic.lease;

import java.time.Instant;

class InMemoryLeaseStoreTest implements LeaseStoreContract {
  private Instant now = Instant.EPOCH;
  private final LeaseStore store = new InMemoryLeaseStore(() -> now);

  @Override
  public LeaseStore store() {
    return store;
  }

  @Override
  public String key() {
    return "job";
  }

  @Override
  public void expire(Lease lease) {
    now = now.plus(TIME_TO_LIVE);
  }
}
