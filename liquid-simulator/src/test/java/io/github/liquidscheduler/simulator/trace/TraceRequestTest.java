package io.github.liquidscheduler.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TraceRequestTest {

  private static List<TaskRole> roles(String... names) {
    return Stream.of(names).map(name -> new TaskRole(name, 1, ResourceRequest.ofGpus(1))).toList();
  }

  @Test
  void aRoleWhoseNameIsTakenGetsTheNextNumberThatIsFree() {
    assertThat(TraceRequest.freeName(roles("v"), "w", 2)).isEqualTo("w");
    assertThat(TraceRequest.freeName(roles("w-2", "w"), "w", 2)).isEqualTo("w-3");
    assertThat(TraceRequest.freeName(roles("w-2", "w"), "w-2", 2)).isEqualTo("w-2-2");
  }
}
