package io.github.liquidscheduler.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class InstantTextTest {

  @Property
  void isTheTextOfJava(
      @ForAll @LongRange(min = -99_999_999_999L, max = 399_999_999_999L) long second,
      @ForAll @IntRange(max = 999_999_999) int nano) {
    Instant whole = Instant.ofEpochSecond(second);

    assertThat(InstantText.of(whole)).isEqualTo(whole.toString());
    assertThat(InstantText.of(whole.plusNanos(nano))).isEqualTo(whole.plusNanos(nano).toString());
  }
}
