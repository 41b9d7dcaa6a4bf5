package io.github.liquidscheduler.formats.input;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the amounts of Kubernetes, such as {@code 500m}, {@code 64Gi} or {@code 1e3}. */
public final class KubernetesQuantity {

  private static final Pattern AMOUNT =
      Pattern.compile(
          "\\+?(\\d{1,18}(?:\\.\\d{0,9})?|\\.\\d{1,9})(?:([eE]\\d{1,2})|(m|k|M|G|T|P|Ki|Mi|Gi|Ti|Pi))?");
  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE / 1000);

  private static final Map<String, BigDecimal> UNITS =
      Map.ofEntries(
          Map.entry("m", new BigDecimal("0.001")),
          Map.entry("k", BigDecimal.valueOf(1_000)),
          Map.entry("M", BigDecimal.valueOf(1_000_000)),
          Map.entry("G", BigDecimal.valueOf(1_000_000_000)),
          Map.entry("T", BigDecimal.valueOf(1_000_000_000_000L)),
          Map.entry("P", BigDecimal.valueOf(1_000_000_000_000_000L)),
          Map.entry("Ki", BigDecimal.valueOf(1L << 10)),
          Map.entry("Mi", BigDecimal.valueOf(1L << 20)),
          Map.entry("Gi", BigDecimal.valueOf(1L << 30)),
          Map.entry("Ti", BigDecimal.valueOf(1L << 40)),
          Map.entry("Pi", BigDecimal.valueOf(1L << 50)));

  private KubernetesQuantity() {}

  /** Returns an amount from 0 to about 9 P; empty if the text is none. */
  public static Optional<BigDecimal> parse(String text) {
    Matcher parts = AMOUNT.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    String exponent = parts.group(2) == null ? "" : parts.group(2);
    BigDecimal unit = UNITS.getOrDefault(String.valueOf(parts.group(3)), BigDecimal.ONE);
    return Optional.of(new BigDecimal(parts.group(1) + exponent).multiply(unit))
        .filter(amount -> amount.compareTo(MOST) <= 0);
  }
}
