package io.github.liquidscheduler.placement.colocation.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import org.junit.jupiter.api.Test;

class SameProfilesTest {

  @Test
  void equalProfilesAreOneObjectUnknownNumbersToo() {
    SameProfiles same = new SameProfiles();
    ColocationProfile first = profile("resnet50");

    assertThat(same.of(first)).isSameAs(first);
    assertThat(same.of(profile("resnet50"))).isSameAs(first);
    assertThat(same.of(profile("bert"))).isEqualTo(profile("bert"));
  }

  private static ColocationProfile profile(String family) {
    return ColocationProfile.of(Workload.builder(family).build());
  }
}
