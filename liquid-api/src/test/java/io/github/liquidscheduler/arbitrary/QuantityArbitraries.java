package io.github.liquidscheduler.arbitrary;

import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Any quantity, id and name: everyday ones and those at the edge of what is allowed. */
public final class QuantityArbitraries {

  private QuantityArbitraries() {}

  /** Returns amounts from none to the largest, many of them round. */
  public static Arbitrary<Memory> memory() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(0, 1024).map(Memory::ofGib),
        Arbitraries.longs().between(0, 1 << 20).map(Memory::ofMib),
        amounts().map(Memory::ofBytes));
  }

  /** Returns rates from zero to unlimited, many of them round. */
  public static Arbitrary<Bandwidth> bandwidths() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(0, 800).map(Bandwidth::ofGigabitsPerSecond),
        amounts().map(Bandwidth::new),
        Arbitraries.just(Bandwidth.UNLIMITED));
  }

  /** Returns amounts from none to the largest, many of them whole cores. */
  public static Arbitrary<CpuCores> cpu() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(0, 256).map(CpuCores::of),
        amounts().map(CpuCores::ofMillicores));
  }

  /** Returns shares from a thousandth to the whole GPU. */
  public static Arbitrary<GpuShare> shares() {
    return Arbitraries.integers().between(1, 1000).map(GpuShare::ofThousandths);
  }

  /** Returns models, few enough that two draws often agree. */
  public static Arbitrary<GpuModel> models() {
    return Arbitraries.of("K80", "P100", "V100", "A100-80GB", "H100 \"SXM\"").map(GpuModel::of);
  }

  /** Returns links with and without latency. */
  public static Arbitrary<Link> links() {
    return Combinators.combine(
            bandwidths().filter(rate -> rate.bytesPerSecond() > 0),
            Arbitraries.oneOf(Arbitraries.just(Duration.ZERO), durations()))
        .as(Link::new);
  }

  /** Returns durations that are not negative, to the nanosecond. */
  public static Arbitrary<Duration> durations() {
    return Combinators.combine(amounts(), Arbitraries.longs().between(0, 999_999_999))
        .as(Duration::ofSeconds);
  }

  /** Returns times between the first and the last that there is, to the nanosecond. */
  public static Arbitrary<Instant> instants() {
    return Combinators.combine(
            Arbitraries.longs().between(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()),
            Arbitraries.longs().between(0, 999_999_999))
        .as(Instant::ofEpochSecond);
  }

  /** Returns any long that is not negative, the first and the last often. */
  public static Arbitrary<Long> amounts() {
    return Arbitraries.frequencyOf(
        Tuple.of(1, Arbitraries.of(0L, 1L, Long.MAX_VALUE - 1, Long.MAX_VALUE)),
        Tuple.of(9, Arbitraries.longs().between(0, Long.MAX_VALUE)));
  }

  /** Returns any positive int, the first and the last often. */
  public static Arbitrary<Integer> counts() {
    return Arbitraries.frequencyOf(
        Tuple.of(1, Arbitraries.of(1, 2, Integer.MAX_VALUE)),
        Tuple.of(9, Arbitraries.integers().between(1, Integer.MAX_VALUE)));
  }

  /** Returns names that are not blank, some of them nasty. */
  public static Arbitrary<String> names() {
    return Arbitraries.oneOf(
        Arbitraries.of(
            "a", "worker", "job-7", "train.v2", "n%d", "r/0", "x:1", "007", "\ud83d\ude00"),
        Arbitraries.strings()
            .withChars("az09 /:%.$'\"\\\n\t\u0000\u00e9\u6f22\u2028")
            .ofMinLength(1)
            .ofMaxLength(8)
            .filter(name -> !name.isBlank()));
  }

  /** Returns up to three labels. */
  public static Arbitrary<Map<String, String>> labels() {
    return Arbitraries.maps(names(), Arbitraries.oneOf(names(), Arbitraries.just(""))).ofMaxSize(3);
  }
}
