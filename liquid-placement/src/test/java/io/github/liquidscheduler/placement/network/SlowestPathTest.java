package io.github.liquidscheduler.placement.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class SlowestPathTest {

  /** Each link is 0 to 9 seconds; it has servers if the tens are even, workers if under 30. */
  @Property
  void isTheSlowestPairOfTwoLinks(
      @ForAll @Size(min = 2, max = 6) List<@IntRange(max = 39) Integer> links) {
    SlowestPath path = new SlowestPath(1);
    path.clear();
    double slowest = 0;
    for (int a = 0; a < links.size(); a++) {
      double server = serverSeconds(links.get(a));
      path.addServerEnd(0, a, server);
      path.addWorkerEnd(0, a, workerSeconds(links.get(a)));
      for (int b = 0; b < links.size(); b++) {
        slowest = a == b ? slowest : Math.max(slowest, server + workerSeconds(links.get(b)));
      }
    }

    assertThat(path.seconds()).isEqualTo(slowest);
  }

  private static double serverSeconds(int link) {
    return link / 10 % 2 == 0 ? link % 10 : 0;
  }

  private static double workerSeconds(int link) {
    return link < 30 ? link % 10 : 0;
  }
}
