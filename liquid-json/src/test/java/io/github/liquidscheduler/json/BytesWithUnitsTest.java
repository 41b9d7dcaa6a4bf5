package io.github.liquidscheduler.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every amount of memory takes a unit; where numbers were written, numbers still are. */
class BytesWithUnitsTest {

  @ParameterizedTest
  @ValueSource(strings = {"2147483648", "\"2GiB\"", "\"2048 MiB\""})
  void whatAnIterationSendsTakesAUnit(String bytes) {
    String job =
        "{\"id\":\"a\",\"gpus\":2,\"communication\":{\"type\":\"combined\",\"parts\":["
            + "{\"type\":\"allReduce\",\"bytesPerIteration\":%s}]}}";

    assertThat(JsonCodecs.JOB.write(JsonCodecs.JOB.read("job", job.formatted(bytes))))
        .isEqualTo(job.formatted("2147483648"));
  }

  @Test
  void whatIsNoAmountIsNamed() {
    String job =
        "{\"id\":\"a\",\"gpus\":2,\"communication\":"
            + "{\"type\":\"allReduce\",\"bytesPerIteration\":\"much\"}}";

    assertThatThrownBy(() -> JsonCodecs.JOB.read("job", job))
        .isInstanceOf(JsonFormatException.class)
        .hasMessageContaining("memory must be a number with a unit, such as 16GiB");
  }

  @ParameterizedTest
  @ValueSource(strings = {"68719476736", "\"64GiB\""})
  void quotasOfMemoryTakeAUnit(String bytes) {
    String event =
        "{\"type\":\"queuesChanged\",\"at\":\"2026-01-31T12:15:00Z\",\"tree\":{\"queues\":["
            + "{\"name\":\"lab\",\"memory\":{\"guaranteed\":%s}}]}}";

    ClusterEvent read = JsonCodecs.EVENT.read("event", event.formatted(bytes));

    assertThat(read).isEqualTo(JsonCodecs.EVENT.read("event", event.formatted("6.8719476736E10")));
  }
}
