package io.github.liquidscheduler.elastic.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.elastic.etcd.EtcdLeaseStore;
import io.github.liquidscheduler.elastic.etcd.EtcdServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random histories of a job whose lease is kept by a real server. */
@Tag("etcd")
class ElasticJobOnEtcdTest {
  private static final int HISTORIES = 100;

  @Test
  @Timeout(240)
  void theSameHistoriesHoldWithLeasesInEtcd() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        EtcdLeaseStore etcd = EtcdLeaseStore.connect(server.endpoint())) {
      int finished = 0;
      for (int seed = 0; seed < HISTORIES; seed++) {
        String prefix = "/history-" + seed + "/";
        JobHistory history =
            new JobHistory(seed, time -> new ExpiringInVirtualTime(etcd, time, prefix));
        history.play();
        finished += history.isFinished() ? 1 : 0;
      }
      assertThat(finished).isGreaterThan(HISTORIES * 8 / 10);
    }
  }
}
