package io.github.liquidscheduler.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class ParallelismTest {

  @Test
  void oneSizeIsNotElastic() {
    assertThat(Parallelism.fixed(4).isElastic()).isFalse();
    assertThat(Parallelism.between(1, 4, 8).isElastic()).isTrue();
  }

  @Test
  void theLargestSizeWithinALimitIsAnAllowedOne() {
    Parallelism sizes = new Parallelism(List.of(2, 4, 8), 4);

    assertThat(sizes.largestWithin(7)).hasValue(4);
    assertThat(sizes.largestWithin(100)).hasValue(8);
    assertThat(sizes.largestWithin(1)).isEmpty();
    assertThat(sizes.min()).isEqualTo(2);
    assertThat(sizes.max()).isEqualTo(8);
  }

  @Test
  void sizesMustAscend() {
    refuses(List.of(4, 2), 4, "allowed sizes must ascend from at least 1, but were [4, 2]");
    refuses(List.of(2, 2), 2, "allowed sizes must ascend from at least 1, but were [2, 2]");
    refuses(List.of(0, 1), 1, "allowed sizes must ascend from at least 1, but were [0, 1]");
  }

  @Test
  void thereMustBeASize() {
    refuses(List.of(), 1, "at least one size must be allowed, but there was none");
  }

  @Test
  void thePreferredSizeMustBeAllowed() {
    refuses(List.of(2, 4), 3, "the preferred size must be allowed, but 3 is not in [2, 4]");
  }

  @Test
  void sizesBeyondTheLargestRoleAreRefusedBeforeTheyAreListed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Parallelism.between(1, 1, Integer.MAX_VALUE))
        .withMessage("allowed sizes must be at most 1000000, but the largest was 2147483647");
  }

  private static void refuses(List<Integer> sizes, int preferred, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Parallelism(sizes, preferred))
        .withMessage(message);
  }
}
