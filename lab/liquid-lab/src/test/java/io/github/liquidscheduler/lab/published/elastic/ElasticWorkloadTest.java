package io.github.liquidscheduler.lab.published.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElasticWorkloadTest {

  @ParameterizedTest
  @CsvSource({
    "A, 20, 62210, 45, 470418, 65196ba7b79d899b",
    "B, 40, 345991, 101, 1781138, 391ffd06ac13bc7c"
  })
  void theTracesAreThoseWhoseNumbersAreKnown(
      ElasticTraces trace, int jobs, long arrivals, long sizes, long iterations, String sha256)
      throws NoSuchAlgorithmException {
    List<ElasticJob> found = trace.trace().jobs();

    assertThat(found).hasSize(jobs);
    assertThat(found.stream().mapToLong(ElasticJob::arrival).sum()).isEqualTo(arrivals);
    assertThat(found.stream().mapToLong(job -> job.sizes().submitted()).sum()).isEqualTo(sizes);
    assertThat(found.stream().mapToLong(job -> job.work().iterations()).sum())
        .isEqualTo(iterations);
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(trace.csv().getBytes(StandardCharsets.UTF_8));
    assertThat(HexFormat.of().formatHex(digest)).startsWith(sha256);
  }
}
