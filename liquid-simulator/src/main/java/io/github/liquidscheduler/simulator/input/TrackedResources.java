package io.github.liquidscheduler.simulator.input;

import io.github.liquidscheduler.job.ResourceRequest;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Trackable resources (TRES) of all nodes as Slurm prints them: {@code
 * billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G,node=1}. Units are binary; nodes are 0 if they
 * are not told.
 */
public record TrackedResources(
    int gpus, Optional<String> gpuModel, int nodes, long millicores, long memory) {

  /** Nothing. */
  public static final TrackedResources NONE = new TrackedResources(0, Optional.empty(), 0, 0, 0);

  private static final Pattern RESOURCE = Pattern.compile("([^=,]+)=([^=,]*)");
  private static final Pattern GPUS = Pattern.compile("gres/gpu(:.*)?");
  private static final Pattern AMOUNT = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?)([KMGTP]?)");
  private static final int MOST_GPUS = 1_000_000;
  private static final String UNITS = "KMGTP";
  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE / 1000);

  /** Returns the resources; empty if the text is none. */
  public static Optional<TrackedResources> parse(String text) {
    TrackedResources sum = NONE;
    for (String each : text.split(",", -1)) {
      Matcher resource = RESOURCE.matcher(each);
      if (!resource.matches()) {
        return Optional.empty();
      }
      String name = resource.group(1).strip();
      if (isRead(name)) {
        Matcher amount = AMOUNT.matcher(resource.group(2).strip());
        if (!amount.matches() || value(name, amount).compareTo(MOST) > 0) {
          return Optional.empty();
        }
        sum = sum.with(name, value(name, amount));
      }
    }
    return sum.gpus <= MOST_GPUS ? Optional.of(sum) : Optional.empty();
  }

  /** Returns one task for each node if each has as many GPUs, and else one for each GPU. */
  public int evenNodes() {
    return nodes > 0 && gpus % nodes == 0 && gpus / nodes <= ResourceRequest.MAX_GPUS_PER_TASK
        ? nodes
        : gpus;
  }

  private static boolean isRead(String name) {
    return GPUS.matcher(name).matches() || List.of("cpu", "mem", "node").contains(name);
  }

  /** Returns an amount; memory without a unit is in mebibytes. */
  private static BigDecimal value(String name, Matcher amount) {
    String unit = amount.group(2).isEmpty() && name.equals("mem") ? "M" : amount.group(2);
    int power = unit.isEmpty() ? 0 : UNITS.indexOf(unit) + 1;
    return new BigDecimal(amount.group(1)).multiply(BigDecimal.valueOf(1L << (10 * power)));
  }

  /** Returns the resources with one more: GPUs of a model are told beside the sum of all. */
  private TrackedResources with(String name, BigDecimal amount) {
    return switch (name) {
      case "cpu" ->
          new TrackedResources(gpus, gpuModel, nodes, amount.movePointRight(3).longValue(), memory);
      case "mem" -> new TrackedResources(gpus, gpuModel, nodes, millicores, amount.longValue());
      case "node" -> new TrackedResources(gpus, gpuModel, count(amount), millicores, memory);
      default -> {
        int colon = name.indexOf(':');
        Optional<String> model =
            colon < 0 ? gpuModel : Optional.of(name.substring(colon + 1)).filter(m -> !m.isBlank());
        yield new TrackedResources(Math.max(gpus, count(amount)), model, nodes, millicores, memory);
      }
    };
  }

  private static int count(BigDecimal amount) {
    return amount.min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValue();
  }
}
