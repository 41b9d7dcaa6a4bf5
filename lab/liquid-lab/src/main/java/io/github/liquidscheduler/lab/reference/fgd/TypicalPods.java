package io.github.liquidscheduler.lab.reference.fgd;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The kinds of pods that make up 95 % of a workload, and the fragmentation that they see. */
final class TypicalPods {
  private static final double POPULARITY = 0.95;

  private final List<PodRequest> kinds = new ArrayList<>();
  private final List<Double> shares = new ArrayList<>();

  /** Counts the pods of a workload. */
  TypicalPods(List<PodRequest> workload) {
    Map<PodRequest, Integer> counts = new LinkedHashMap<>();
    workload.forEach(pod -> counts.merge(pod.kind(), 1, Integer::sum));
    List<Map.Entry<PodRequest, Integer>> popular = new ArrayList<>(counts.entrySet());
    popular.sort(
        Map.Entry.<PodRequest, Integer>comparingByValue()
            .thenComparing(Map.Entry.comparingByKey(PodRequest.ORDER))
            .reversed());
    double counted = 0;
    for (Map.Entry<PodRequest, Integer> each : popular) {
      if (counted >= POPULARITY * workload.size()) {
        break;
      }
      kinds.add(each.getKey());
      shares.add(each.getValue().doubleValue());
      counted += each.getValue();
    }
    double total = counted;
    shares.replaceAll(count -> count / total);
  }

  /**
   * Returns the expected thousandths of GPUs of a node that a pod drawn from the workload cannot
   * use (section 3 of the paper): all that is left if it does not fit there, needs no GPU or lacks
   * CPU, else what is left on the GPUs that have too little.
   */
  double fragmentation(PodNode node) {
    int total = node.leftTotal();
    double sum = 0;
    for (int i = 0; i < kinds.size(); i++) {
      PodRequest pod = kinds.get(i);
      sum += shares.get(i) * (isServed(node, pod) ? tooSmall(node, pod) : total);
    }
    return sum;
  }

  private static boolean isServed(PodNode node, PodRequest pod) {
    return pod.gpus() > 0 && node.cpu() >= pod.cpu() && node.hasGpus(pod);
  }

  private static int tooSmall(PodNode node, PodRequest pod) {
    int sum = 0;
    for (int gpu = 0; gpu < node.gpus(); gpu++) {
      if (node.left(gpu) < pod.share()) {
        sum += node.left(gpu);
      }
    }
    return sum;
  }
}
