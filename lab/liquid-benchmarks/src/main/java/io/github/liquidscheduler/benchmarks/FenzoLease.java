package io.github.liquidscheduler.benchmarks;

import com.netflix.fenzo.VirtualMachineLease;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.mesos.Protos.Attribute;
import org.apache.mesos.Protos.Offer;
import org.jspecify.annotations.Nullable;

/** A host as Fenzo wants to see it: one offer of all that it has. */
record FenzoLease(String hostname) implements VirtualMachineLease {
  static final String GPU = "gpu";
  static final double MB_PER_GIB = 1024;

  private static final Map<String, Double> SCALARS = Map.of(GPU, (double) Host.GPUS);

  @Override
  public String getId() {
    return hostname;
  }

  @Override
  public long getOfferedTime() {
    return 0;
  }

  @Override
  public String getVMID() {
    return hostname;
  }

  @Override
  public double cpuCores() {
    return Host.CORES;
  }

  @Override
  public double memoryMB() {
    return Host.MEMORY_GIB * MB_PER_GIB;
  }

  @Override
  public double networkMbps() {
    return 0;
  }

  @Override
  public double diskMB() {
    return 0;
  }

  @Override
  public List<Range> portRanges() {
    return List.of();
  }

  @Override
  public @Nullable Offer getOffer() {
    return null;
  }

  @Override
  public Map<String, Attribute> getAttributeMap() {
    return Collections.emptyMap(); // Fenzo looks up null, which Map.of() refuses
  }

  @Override
  public @Nullable Double getScalarValue(String name) {
    return SCALARS.get(name);
  }

  @Override
  public Map<String, Double> getScalarValues() {
    return SCALARS;
  }
}
