package io.github.liquidscheduler.slurm;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One trackable resource, as in {@code gres:gpu:a100:4}, {@code gres/gpu:a100=4(IDX:0-3)} or {@code
 * mem=16G}.
 *
 * @param isGeneric whether it is a generic resource, such as GPUs
 * @param type the type of a generic resource; empty if none is named
 * @param count how many, or how many units
 */
record Tres(boolean isGeneric, String name, String type, String count) {

  private static final Pattern ONE =
      Pattern.compile(
          "(gres[:/])?([^:=(]+)(?::([^:=(]*[^:=(0-9.][^:=(]*))?(?:[:=]([0-9.]+[KMGTP]?))?(?:\\(.*\\))?");

  private static final Pattern AMOUNT = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)([KMGTP]?)");

  /** Returns the resources of a list; what is none is left out. */
  static List<Tres> list(String text) {
    List<Tres> all = new ArrayList<>();
    for (String each : text.split(",(?![^(]*\\))", -1)) {
      Matcher one = ONE.matcher(each.strip());
      if (one.matches()) {
        all.add(
            new Tres(
                one.group(1) != null,
                one.group(2),
                Optional.ofNullable(one.group(3)).orElse(""),
                Optional.ofNullable(one.group(4)).orElse("1")));
      }
    }
    return all;
  }

  /** Returns the amount of the first resource of that name. */
  static OptionalLong amount(String text, String name) {
    return list(text).stream()
        .filter(tres -> tres.name.equals(name))
        .mapToLong(tres -> tres.amount(1))
        .findFirst();
  }

  boolean isGpu() {
    return name.equals("gpu");
  }

  /** Returns the count in units, rounded up; {@code K}, {@code M} and so on are powers of 1024. */
  long amount(long unit) {
    Matcher amount = AMOUNT.matcher(count);
    if (!amount.matches()) {
      return 0;
    }
    int power = amount.group(2).isEmpty() ? 0 : "KMGTP".indexOf(amount.group(2)) + 1;
    return new BigDecimal(amount.group(1))
        .multiply(BigDecimal.valueOf(1L << (10 * power)))
        .divide(BigDecimal.valueOf(unit), 0, RoundingMode.CEILING)
        .longValue();
  }
}
