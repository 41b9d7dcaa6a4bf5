package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The JSON form of quantities with units: numbers and words that people write, exactly. */
final class QuantityJson {

  static final Form<Memory> MEMORY =
      new Form<>(QuantityJson::memory, (out, memory) -> out.text(largestUnit(memory.bytes())));

  /** Bytes without a type of their own: read as memory, and written as a number. */
  static final Form<Long> BYTES = new Form<>(in -> memory(in).bytes(), JsonOutput::number);

  /** An amount of memory that need not be whole bytes. */
  static final Form<Double> AMOUNT_OF_BYTES =
      new Form<>(in -> in.isText() ? (double) memory(in).bytes() : in.number(), JsonOutput::number);

  static final Form<Bandwidth> BANDWIDTH =
      new Form<>(QuantityJson::bandwidth, (out, bandwidth) -> out.text(text(bandwidth)));

  static final Form<CpuCores> CPU =
      new Form<>(
          in -> CpuCores.ofMillicores(thousandths(in, "cores")),
          (out, cpu) -> out.number(plain(cpu.millicores())));

  static final Form<GpuShare> SHARE =
      new Form<>(QuantityJson::share, (out, share) -> out.number(plain(share.thousandths())));

  static final Form<Duration> DURATION =
      new Form<>(QuantityJson::duration, (out, duration) -> out.text(duration.toString()));

  static final Form<Instant> INSTANT =
      new Form<>(QuantityJson::instant, (out, instant) -> out.text(InstantText.of(instant)));

  /** A link is written as its bandwidth, or as an object if it has a latency too. */
  static final Form<Link> LINK = new Form<>(QuantityJson::link, QuantityJson::link);

  private static final Pattern TIME =
      Pattern.compile("([0-9]{1,19}(?:\\.[0-9]{1,9})?) ?([a-z]{1,3})");

  private static final Map<String, Long> TIME_UNITS =
      Map.ofEntries(
          Map.entry("ns", 1L),
          Map.entry("us", 1_000L),
          Map.entry("ms", 1_000_000L),
          Map.entry("s", 1_000_000_000L),
          Map.entry("min", 60_000_000_000L),
          Map.entry("h", 3_600_000_000_000L),
          Map.entry("d", 86_400_000_000_000L));

  private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);

  private QuantityJson() {}

  private static Memory memory(JsonValue in) {
    return in.isText() ? Memory.parse(in.text()) : Memory.ofBytes(in.longInteger());
  }

  private static Bandwidth bandwidth(JsonValue in) {
    if (!in.isText()) {
      return new Bandwidth(in.longInteger());
    }
    return in.text().equals("unlimited") ? Bandwidth.UNLIMITED : Bandwidth.parse(in.text());
  }

  private static String text(Bandwidth bandwidth) {
    long bytes = bandwidth.bytesPerSecond();
    if (bandwidth.isUnlimited()) {
      return "unlimited";
    }
    if (bytes > 0 && bytes % 125_000_000 == 0) {
      return bytes / 125_000_000 + "Gbit/s";
    }
    return bytes > 0 && bytes % 125_000 == 0 ? bytes / 125_000 + "Mbit/s" : bytes + "B/s";
  }

  private static GpuShare share(JsonValue in) {
    long thousandths = thousandths(in, "a GPU");
    if (thousandths < 1 || thousandths > GpuShare.WHOLE.thousandths()) {
      throw in.expected("a share of a GPU from 0.001 to 1");
    }
    return GpuShare.ofThousandths((int) thousandths);
  }

  private static Duration duration(JsonValue in) {
    String rule = "a duration such as \"90s\", \"1.5h\" or \"PT1H30M\"";
    if (!in.text().startsWith("P") && !in.text().startsWith("-P")) {
      return ofNanos(in, nanos(in, rule), rule);
    }
    return parsed(in, Duration::parse, rule);
  }

  private static Instant instant(JsonValue in) {
    return parsed(in, Instant::parse, "a time such as \"2026-01-31T12:00:00Z\"");
  }

  private static Link link(JsonValue in) {
    if (!in.isObject()) {
      return Link.of(BANDWIDTH.read(in));
    }
    return in.object(
        fields ->
            new Link(
                fields.optional("bandwidth", BANDWIDTH.reader()).orElse(Bandwidth.UNLIMITED),
                fields.optional("latency", DURATION.reader()).orElse(Duration.ZERO)));
  }

  private static void link(JsonOutput out, Link link) {
    if (link.latency().isZero()) {
      BANDWIDTH.write(out, link.bandwidth());
      return;
    }
    out.object(
        () -> {
          out.field("bandwidth", link.bandwidth(), BANDWIDTH);
          out.field("latency", link.latency(), DURATION);
        });
  }

  private static <T> T parsed(JsonValue in, Function<String, T> parser, String rule) {
    try {
      return parser.apply(in.text());
    } catch (IllegalArgumentException | DateTimeException e) {
      throw in.expected(rule);
    }
  }

  private static BigDecimal nanos(JsonValue in, String rule) {
    Matcher matcher = TIME.matcher(in.text());
    Long unit = matcher.matches() ? TIME_UNITS.get(matcher.group(2)) : null;
    if (unit == null) {
      throw in.expected(rule);
    }
    return new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
  }

  private static Duration ofNanos(JsonValue in, BigDecimal nanos, String rule) {
    BigDecimal[] seconds = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000));
    return Duration.ofSeconds(whole(in, seconds[0], rule), whole(in, seconds[1], rule));
  }

  private static long thousandths(JsonValue in, String of) {
    String rule = "a number of whole thousandths of " + of;
    BigDecimal value = in.decimal();
    return whole(in, value.multiply(THOUSAND), rule);
  }

  private static long whole(JsonValue in, BigDecimal value, String rule) {
    try {
      return value.longValueExact();
    } catch (ArithmeticException e) {
      throw in.expected(rule);
    }
  }

  private static BigDecimal plain(long thousandths) {
    return BigDecimal.valueOf(thousandths, 3).stripTrailingZeros();
  }

  private static String largestUnit(long bytes) {
    int shift = bytes == 0 ? 0 : Math.min(40, Long.numberOfTrailingZeros(bytes) / 10 * 10);
    return (bytes >> shift) + new String[] {"B", "KiB", "MiB", "GiB", "TiB"}[shift / 10];
  }
}
