package io.github.liquidscheduler.estimator.workload;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The part of an iteration that keeps a GPU busy, by class, from the rates alone of its family. */
final class GpuShares {

  /** A class on a GPU, by their names. */
  private record ClassOnGpu(String workload, String gpu) implements Comparable<ClassOnGpu> {
    @Override
    public int compareTo(ClassOnGpu other) {
      int order = (workload + "|" + gpu).compareTo(other.workload + "|" + other.gpu);
      return order == 0 ? workload.compareTo(other.workload) : order;
    }
  }

  private final Map<String, Map<ClassOnGpu, HostFit.Point>> families = new HashMap<>();
  private final Map<String, Optional<HostFit>> fits = new HashMap<>();

  /** Notes the rate of a class alone. */
  void isolated(WorkloadClass workload, GpuModel gpu, double rate) {
    HostFit.Point point = point(workload, gpu, rate);
    Map<ClassOnGpu, HostFit.Point> points =
        families.computeIfAbsent(workload.family(), family -> new TreeMap<>());
    if (!point.equals(points.put(new ClassOnGpu(workload.toString(), gpu.toString()), point))) {
      fits.remove(workload.family());
    }
  }

  /** Returns the part of an iteration, from 0 to 1, or NaN if too little of the family is known. */
  double of(WorkloadClass workload, GpuModel gpu, double rate) {
    return fits.computeIfAbsent(workload.family(), this::fit)
        .map(fit -> fit.gpuShare(point(workload, gpu, rate)))
        .orElse(Double.NaN);
  }

  private Optional<HostFit> fit(String family) {
    Map<ClassOnGpu, HostFit.Point> points = families.getOrDefault(family, Map.of());
    return Optional.ofNullable(HostFit.of(new ArrayList<>(points.values())));
  }

  private static HostFit.Point point(WorkloadClass workload, GpuModel gpu, double rate) {
    return new HostFit.Point(FamilyFacts.batch(workload), GpuFacts.of(gpu).teraflops(), rate);
  }
}
