package io.github.liquidscheduler.lab.conformance.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Hands out the GPUs of nodes to tasks that run, in order. Mutable. */
final class GpuNumbers {

  /** What a case calls the GPU of a node that tasks share. */
  private record Device(String node, List<String> names) {}

  private final Map<String, Integer> next = new LinkedHashMap<>();
  private final Map<Device, List<Integer>> named = new LinkedHashMap<>();

  /** Returns the GPU of a node that a case calls so; one that nobody has yet if it is new. */
  List<Integer> shared(String node, List<String> names) {
    return named.computeIfAbsent(new Device(node, names), each -> take(node, 1));
  }

  /** Returns so many GPUs of a node that nobody has yet. */
  List<Integer> take(String node, int gpus) {
    int first = next.getOrDefault(node, 0);
    next.put(node, first + gpus);
    return IntStream.range(first, first + gpus).boxed().toList();
  }
}
