package io.github.liquidscheduler.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoleNamesTest {

  @Test
  void aNameThatIsTakenGetsTheNextNumberThatIsFree() {
    RoleNames names = new RoleNames();

    assertThat(names.take("w-2", 2)).isEqualTo("w-2");
    assertThat(names.take("w", 2)).isEqualTo("w");
    assertThat(names.take("w", 2)).isEqualTo("w-3");
    assertThat(names.take("w-2", 2)).isEqualTo("w-2-2");
  }
}
