package io.github.liquidscheduler.estimator.duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import org.junit.jupiter.api.Test;

class ObservedSpeedsTest {
  private static final GpuModel V100 = GpuModel.of("V100");
  private static final JobSpec JOB =
      JobSpec.builder("j")
          .workload(Workload.builder("resnet50").batchSize(64).build())
          .gpus(2)
          .build();

  private final ObservedSpeeds speeds = new ObservedSpeeds();

  @Test
  void whatWasNeverSeenIsUnknown() {
    Prediction unknown = speeds.throughput(JOB, V100, 2, "node");

    assertThat(unknown.provenance()).isEqualTo(Provenance.DEFAULT);
    assertThat(unknown.high()).isInfinite();
  }

  @Test
  void theSameIsPredictedByTheMedianOfWhatWasSeen() {
    for (double speed : new double[] {9, 10, 30}) {
      speeds.observe(JOB, V100, 2, "node", speed);
    }

    Prediction seen = speeds.throughput(JOB, V100, 2, "node");

    assertThat(seen.value()).isEqualTo(10);
    assertThat(seen.provenance()).isEqualTo(Provenance.MEASURED);
  }

  @Test
  void anotherNumberOfGpusIsPredictedInProportionAndLessSurely() {
    speeds.observe(JOB, V100, 2, "node", 10);

    Prediction more = speeds.throughput(JOB, V100, 4, "rack");

    assertThat(more).isEqualTo(new Prediction(20, 10, 40, Provenance.SIMILAR));
  }

  @Test
  void theNearestIsTheSameWhateverTheOrderInWhichSpeedsAreSeen() {
    ObservedSpeeds other = new ObservedSpeeds();
    speeds.observe(JOB, V100, 2, "rack", 12);
    speeds.observe(JOB, V100, 8, "rack", 32);
    other.observe(JOB, V100, 8, "rack", 32);
    other.observe(JOB, V100, 2, "rack", 12);

    assertThat(speeds.throughput(JOB, V100, 4, "rack").value()).isEqualTo(24);
    assertThat(speeds.throughput(JOB, V100, 4, "rack"))
        .isEqualTo(other.throughput(JOB, V100, 4, "rack"));
  }

  @Test
  void asManyGpusElsewhereAreNearerThanMoreOfThemThere() {
    speeds.observe(JOB, V100, 4, "node", 20);
    speeds.observe(JOB, V100, 8, "rack", 24);

    assertThat(speeds.throughput(JOB, V100, 4, "rack").value()).isEqualTo(20);
    assertThat(speeds.throughput(JOB, GpuModel.of("K80"), 4, "rack").high()).isInfinite();
  }

  @Test
  void aSpeedThatIsNoneIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> speeds.observe(JOB, V100, 2, "node", 0))
        .withMessageContaining("for job 'j'");
  }
}
