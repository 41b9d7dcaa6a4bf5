package io.github.liquidscheduler.elastic.protocol;

import static io.github.liquidscheduler.elastic.protocol.ScalingSimulation.BROADCAST;
import static io.github.liquidscheduler.elastic.protocol.ScalingSimulation.CONNECT;
import static io.github.liquidscheduler.elastic.protocol.ScalingSimulation.LATENCY;
import static io.github.liquidscheduler.elastic.protocol.ScalingSimulation.MINI_BATCH;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.elastic.WorkerId;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What scaling costs those who train, beside stopping and resuming (published: 41 to 62 s). */
class ScalingCostTest {
  private static final WorkerId FIRST = WorkerId.of("w0");

  @ParameterizedTest
  @CsvSource({"1, 41", "2, 47", "3, 54", "4, 62"})
  void scalingOutCostsAtMostATwentiethOfStoppingAndResuming(int workers, int stopResumeSeconds) {
    ScalingSimulation job = new ScalingSimulation(workers);
    job.train(50);
    Duration before = job.idle(FIRST);

    job.start(WorkerId.of("new"));
    job.trainUntilTopology(2);

    Duration cost = job.idle(FIRST).minus(before);
    assertThat(cost).isLessThan(Duration.ofSeconds(stopResumeSeconds).dividedBy(20));
  }

  @Test
  void incumbentsWaitForTheConnectionAndTheBroadcastOnly() {
    ScalingSimulation job = new ScalingSimulation(4);
    job.train(50);

    job.start(WorkerId.of("new"));
    job.trainUntilTopology(2);

    long batches = job.elapsed().dividedBy(MINI_BATCH);
    Duration requests = LATENCY.multipliedBy(2 * batches);
    assertThat(job.idle(FIRST))
        .isBetween(CONNECT.plus(BROADCAST), CONNECT.plus(BROADCAST).plus(requests));
  }

  @Test
  void scalingInNeedsNoBroadcast() {
    ScalingSimulation job = new ScalingSimulation(4);
    job.train(50);
    Duration before = job.idle(FIRST);

    job.leave(WorkerId.of("w3"));
    job.trainUntilTopology(2);

    assertThat(job.idle(FIRST).minus(before)).isLessThan(CONNECT.plus(Duration.ofMillis(10)));
  }

  @Test
  void withoutScalingAWorkerExchangesOneRequestAndOneAnswerPerMiniBatch() {
    ScalingSimulation job = new ScalingSimulation(4);
    job.train(10);
    Duration begun = job.elapsed();
    long before = job.messages();

    job.train(100);

    assertThat(job.messages() - before).isEqualTo(100 * 4 * 2);
    assertThat(job.elapsed().minus(begun))
        .isEqualTo(MINI_BATCH.plus(LATENCY.multipliedBy(2)).multipliedBy(100));
  }
}
