package io.github.liquidscheduler.lab.conformance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Doubles what a case has and asks for. Tasks still take one slot each. GPUs are left as they are,
 * and what else there is is doubled, where tasks share GPUs, for two halves of a GPU are no half of
 * two, and where a surplus is no whole number of GPUs for each queue, for the GPU that is handed
 * out as the remainder does not double. An amount that can hardly be counted is left too.
 */
final class CaseDoubling extends CaseRewriter {

  private static final double NO_END = -1;
  private static final double COUNTABLE = 1e15;

  private static final Pattern AMOUNTS =
      Pattern.compile(
          "total\\.[a-z]*|queues\\[]\\.(gpu|cpu|memory)\\.(deserved|limit|requested|alreadyGiven)"
              + "|expect\\.fairShare\\.\\*\\.\\*|expect\\.remaining.*"
              + "|nodes\\[]\\.(gpus|cpu|memory|gpuMemoryMib)"
              + "|jobs\\[]\\.(tasks\\[]\\.gpus|perTask\\.(gpus|cpu|memory|gpuMemoryMib))"
              + "|(queues|cohorts)\\[]\\.quotas\\[]\\.(nominal|borrowingLimit|lendingLimit)"
              + "|(jobs|running)\\[]\\.usage\\.\\*\\.\\*|usage\\.\\*\\[]\\.amount|withRequest\\[]\\.amount"
              + "|nodes\\[]\\.capacity\\.\\*|((jobs\\[]|incoming)\\.)?groups\\[]\\.perTask\\.\\*"
              + "|otherTasks\\[]\\.requests\\.\\*|usedBefore\\[]\\.perTask\\.\\*");

  private static final Pattern GPUS =
      Pattern.compile(
          "total\\.gpu|expect\\.(fairShare|remaining).*|queues\\[]\\.gpu\\..*|nodes\\[]\\.gpus|jobs\\[]\\.(tasks\\[]|perTask)\\.gpus");

  private final boolean keepsGpus;

  private CaseDoubling(boolean keepsGpus) {
    this.keepsGpus = keepsGpus;
  }

  static Map<String, Object> of(Map<String, Object> stated) {
    Map<String, Object> copy = CaseMutation.copy(stated);
    boolean shares = false;
    if ("cluster".equals(stated.get("kind"))) {
      for (Map<String, Object> node : CaseParts.objects(copy, "nodes")) {
        node.putIfAbsent("memory", 20e9);
        node.putIfAbsent("gpuMemoryMib", 100.0);
      }
      for (Map<String, Object> job : CaseParts.objects(copy, "jobs")) {
        Map<String, Object> perTask = CaseParts.object(job, "perTask");
        shares |= isShare(perTask.get("gpus")) || perTask.containsKey("gpuMemoryMib");
        for (Map<String, Object> task : CaseParts.objects(job, "tasks")) {
          shares |= isShare(task.get("gpus"));
        }
      }
    }
    return new CaseDoubling(shares || hasRemainder(copy)).rewrite(copy);
  }

  /** Returns whether siblings get a surplus of which not each gets a whole number of GPUs. */
  private static boolean hasRemainder(Map<String, Object> stated) {
    double total = 0;
    for (Map<String, Object> node : CaseParts.objects(stated, "nodes")) {
      total += number(node, "gpus", 0);
    }
    total += number(CaseParts.object(stated, "total"), "gpu", 0);
    Map<Object, List<Map<String, Object>>> siblings = new LinkedHashMap<>();
    for (Map<String, Object> queue : CaseParts.objects(stated, "queues")) {
      siblings
          .computeIfAbsent(queue.getOrDefault("parent", ""), any -> new ArrayList<>())
          .add(CaseParts.object(queue, "gpu"));
    }
    boolean has = false;
    for (List<Map<String, Object>> quotas : siblings.values()) {
      has |= hasRemainder(total, quotas);
    }
    return has;
  }

  private static boolean hasRemainder(double total, List<Map<String, Object>> quotas) {
    double surplus = total;
    double weights = 0;
    for (Map<String, Object> quota : quotas) {
      surplus -= Math.min(number(quota, "deserved", 0), number(quota, "requested", total));
      weights += weight(quota);
    }
    boolean isEndless = quotas.stream().anyMatch(quota -> number(quota, "deserved", 0) == NO_END);
    if (isEndless || surplus <= 0 || weights == 0) {
      return false;
    }
    double each = surplus / weights;
    return quotas.stream()
        .mapToDouble(quota -> each * weight(quota))
        .anyMatch(share -> Math.abs(share - Math.rint(share)) > 1e-9);
  }

  /** Returns the weight of a queue that takes part in the surplus. */
  private static double weight(Map<String, Object> quota) {
    boolean asks = number(quota, "requested", Double.MAX_VALUE) > number(quota, "deserved", 0);
    return asks ? Math.max(0, number(quota, "overQuotaWeight", 0)) : 0;
  }

  private static double number(Map<String, Object> stated, String field, double byDefault) {
    return stated.get(field) instanceof Double number ? number : byDefault;
  }

  private static boolean isShare(@Nullable Object gpus) {
    return gpus instanceof Double number && number != Math.rint(number);
  }

  @Override
  Object named(String path, String key, Object value) {
    return key.equals("pods") ? value : value(path.replace("total.*", "total." + key), value);
  }

  @Override
  Object value(String path, Object value) {
    boolean isKept = keepsGpus && GPUS.matcher(path).matches();
    if (value instanceof Double number
        && number != NO_END
        && number < COUNTABLE
        && !isKept
        && AMOUNTS.matcher(path).matches()) {
      return number * 2;
    }
    return value;
  }
}
