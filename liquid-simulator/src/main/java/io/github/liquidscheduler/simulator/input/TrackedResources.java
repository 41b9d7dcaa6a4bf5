package io.github.liquidscheduler.simulator.input;

import io.github.liquidscheduler.job.ResourceRequest;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Trackable resources (TRES) of all nodes as Slurm prints them: {@code
 * billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G,node=1}. Units are binary; nodes are 0 if they
 * are not told.
 *
 * @param gpus the GPUs of all models together
 * @param partOfGpu a resource that is part of a GPU, such as {@code gres/shard}; empty if none is
 */
public record TrackedResources(
    int gpus,
    List<String> gpuModels,
    int nodes,
    long millicores,
    long memory,
    Optional<String> partOfGpu) {

  /** Nothing. */
  public static final TrackedResources NONE =
      new TrackedResources(0, List.of(), 0, 0, 0, Optional.empty());

  private static final Pattern RESOURCE = Pattern.compile("([^=,]+)=([^=,]*)");
  private static final Pattern GPUS = Pattern.compile("gres/gpu(:.*)?");
  private static final Pattern PART = Pattern.compile("(gres/(?:mps|shard))(?::.*)?");
  private static final Pattern AMOUNT = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?)([KMGTP]?)");
  private static final int MOST_GPUS = 1_000_000;
  private static final String UNITS = "KMGTP";
  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE / 1000);

  /** Returns the resources; empty if the text is none. */
  public static Optional<TrackedResources> parse(String text) {
    Map<String, BigDecimal> amounts = new LinkedHashMap<>();
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
        amounts.merge(name, value(name, amount), BigDecimal::max);
      }
    }
    return Optional.of(of(amounts)).filter(all -> all.gpus <= MOST_GPUS);
  }

  /** Returns the resources; GPUs of each model are told beside the sum of all, or without it. */
  private static TrackedResources of(Map<String, BigDecimal> amounts) {
    List<String> models = new ArrayList<>();
    BigDecimal ofModels = BigDecimal.ZERO;
    Optional<String> part = Optional.empty();
    for (Map.Entry<String, BigDecimal> each : amounts.entrySet()) {
      Matcher gpus = GPUS.matcher(each.getKey());
      if (gpus.matches() && gpus.group(1) != null && each.getValue().signum() > 0) {
        ofModels = ofModels.add(each.getValue());
        models.add(gpus.group(1).substring(1));
      }
      Matcher ofGpu = PART.matcher(each.getKey());
      if (ofGpu.matches() && each.getValue().signum() > 0) {
        part = Optional.of(ofGpu.group(1));
      }
    }
    models.removeIf(String::isBlank);
    return new TrackedResources(
        count(amounts.getOrDefault("gres/gpu", BigDecimal.ZERO).max(ofModels)),
        List.copyOf(models),
        count(amounts.getOrDefault("node", BigDecimal.ZERO)),
        amounts.getOrDefault("cpu", BigDecimal.ZERO).movePointRight(3).longValue(),
        amounts.getOrDefault("mem", BigDecimal.ZERO).longValue(),
        part);
  }

  /** Returns one task for each node if each has as many GPUs, and else one for each GPU. */
  public int evenNodes() {
    return nodes > 0 && gpus % nodes == 0 && gpus / nodes <= ResourceRequest.MAX_GPUS_PER_TASK
        ? nodes
        : gpus;
  }

  private static boolean isRead(String name) {
    return GPUS.matcher(name).matches()
        || PART.matcher(name).matches()
        || List.of("cpu", "mem", "node").contains(name);
  }

  /** Returns an amount; memory without a unit is in mebibytes. */
  private static BigDecimal value(String name, Matcher amount) {
    String unit = amount.group(2).isEmpty() && name.equals("mem") ? "M" : amount.group(2);
    int power = unit.isEmpty() ? 0 : UNITS.indexOf(unit) + 1;
    return new BigDecimal(amount.group(1)).multiply(BigDecimal.valueOf(1L << (10 * power)));
  }

  private static int count(BigDecimal amount) {
    return amount.min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValue();
  }
}
