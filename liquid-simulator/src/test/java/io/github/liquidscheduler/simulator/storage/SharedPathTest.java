package io.github.liquidscheduler.simulator.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedPathTest {
  @Test
  void transfersShareThePathAndTakeWhatOthersLeave() {
    QueuedClock clock = new QueuedClock();
    SharedPath path = new SharedPath(clock, 100);
    List<Instant> arrivals = new ArrayList<>();
    path.begin(1000, () -> arrivals.add(clock.instant()));
    path.begin(500, () -> arrivals.add(clock.instant()));

    clock.run();

    assertThat(arrivals).containsExactly(at(10), at(15));
  }

  @Test
  void aTransferThatIsCalledOffLeavesThePath() {
    QueuedClock clock = new QueuedClock();
    SharedPath path = new SharedPath(clock, 100);
    List<Instant> arrivals = new ArrayList<>();
    SharedPath.Moving first = path.begin(1000, () -> arrivals.add(clock.instant()));
    path.begin(500, () -> arrivals.add(clock.instant()));
    clock.schedule(
        Duration.ofSeconds(4),
        () -> {
          assertThat(path.moved(first)).isEqualTo(200);
          path.cancel(first);
        });

    clock.run();

    assertThat(arrivals).containsExactly(at(7));
  }

  private static Instant at(int second) {
    return Instant.ofEpochSecond(second);
  }
}
