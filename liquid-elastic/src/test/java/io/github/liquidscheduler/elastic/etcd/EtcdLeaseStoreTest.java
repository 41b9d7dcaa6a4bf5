package io.github.liquidscheduler.elastic.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.elastic.lease.Lease;
import io.github.liquidscheduler.elastic.lease.LeaseStore;
import io.github.liquidscheduler.elastic.lease.LeaseStoreContract;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** The promises of a store, kept by a real server. */
@Tag("etcd")
@Timeout(240)
class EtcdLeaseStoreTest implements LeaseStoreContract {
  private static @Nullable EtcdServer server;
  private static @Nullable EtcdLeaseStore shared;

  private String key = "";

  @BeforeAll
  static void start() throws IOException {
    server = EtcdServer.start();
    shared = EtcdLeaseStore.connect(server.endpoint());
  }

  @AfterAll
  static void stop() throws IOException {
    if (shared != null) {
      shared.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void takeAKeyOfItsOwn(TestInfo test) {
    key = "/jobs/" + test.getDisplayName();
  }

  @Override
  public LeaseStore store() {
    return Objects.requireNonNull(shared);
  }

  @Override
  public String key() {
    return key;
  }

  @Test
  void aLeaseThatIsNotRenewedExpiresByItself() {
    store().acquire(key, "ann", Duration.ofSeconds(1));

    Optional<Lease> lease = Optional.empty();
    while (lease.isEmpty()) {
      lease = store().acquire(key, "bob", Duration.ofSeconds(1));
    }

    assertThat(lease.get().holder()).isEqualTo("bob");
  }

  /** What the servers do when the time to live has passed. */
  @Override
  public void expire(Lease lease) {
    store().release(lease);
  }
}
