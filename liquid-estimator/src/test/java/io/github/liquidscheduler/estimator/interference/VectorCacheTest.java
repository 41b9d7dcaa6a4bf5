package io.github.liquidscheduler.estimator.interference;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.estimator.workload.ClassHistory;
import io.github.liquidscheduler.estimator.workload.JobVector;
import io.github.liquidscheduler.estimator.workload.LocalPair;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VectorCacheTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private final VectorCache cache = new VectorCache(new ClassHistory());

  private static ColocationProfile profile(String family) {
    return ColocationProfile.of(Workload.builder(family).build());
  }

  @Test
  void aProfileAskedForAgainHasTheSameVector() {
    ColocationProfile profile = profile("ResNet-50");

    assertThat(cache.get(profile, V100)).isSameAs(cache.get(profile, V100));
  }

  @Test
  void equalProfilesHaveTheSameVector() {
    assertThat(cache.get(profile("ResNet-50"), V100))
        .isSameAs(cache.get(profile("ResNet-50"), V100));
  }

  @Test
  void aVectorThatAnotherReplacedRemembersNothing() {
    JobVector other = cache.get(profile("LM"), V100);
    List<JobVector> all = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      all.add(cache.get(profile("family" + i), V100));
    }
    all.forEach(
        vector ->
            vector.remember(
                new JobVector.Answer(
                    other, new LocalPair(vector.workload(), other.workload()), .9, .1)));

    assertThat(all).filteredOn(vector -> !vector.isRetired()).hasSizeBetween(1, 4096);
    assertThat(all).allMatch(vector -> vector.isRetired() == (vector.answerBeside(other) == null));
  }

  @Test
  void whatIsAskedForOftenOutlivesWhatWasAskedForOnce() {
    List<ColocationProfile> often = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      often.add(profile("often" + i));
    }
    List<JobVector> before = often.stream().map(each -> cache.get(each, V100)).toList();
    for (int i = 0; i < 10_000; i++) {
      cache.get(profile("once" + i), V100);
      if (i % 50 == 0) {
        often.forEach(each -> cache.get(each, V100));
      }
    }
    assertThat(before).filteredOn(JobVector::isRetired).hasSizeLessThan(8);
  }
}
