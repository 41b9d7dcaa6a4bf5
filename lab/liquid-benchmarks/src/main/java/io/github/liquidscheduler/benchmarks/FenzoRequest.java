package io.github.liquidscheduler.benchmarks;

import com.netflix.fenzo.ConstraintEvaluator;
import com.netflix.fenzo.TaskRequest;
import com.netflix.fenzo.VMTaskFitnessCalculator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A task as Fenzo wants to see it. */
final class FenzoRequest implements TaskRequest {
  private final Task task;
  private final Map<String, Double> scalars;
  private @Nullable AssignedResources assigned;

  FenzoRequest(Task task) {
    this.task = task;
    scalars = Map.of(FenzoLease.GPU, (double) task.gpus());
  }

  Task task() {
    return task;
  }

  @Override
  public String getId() {
    return task.id();
  }

  @Override
  public String taskGroupName() {
    return "";
  }

  @Override
  public double getCPUs() {
    return task.cores();
  }

  @Override
  public double getMemory() {
    return task.memoryGib() * FenzoLease.MB_PER_GIB;
  }

  @Override
  public double getNetworkMbps() {
    return 0;
  }

  @Override
  public double getDisk() {
    return 0;
  }

  @Override
  public int getPorts() {
    return 0;
  }

  @Override
  public Map<String, Double> getScalarRequests() {
    return scalars;
  }

  @Override
  public Map<String, NamedResourceSetRequest> getCustomNamedResources() {
    return Map.of();
  }

  @Override
  public List<? extends ConstraintEvaluator> getHardConstraints() {
    return List.of();
  }

  @Override
  public List<? extends VMTaskFitnessCalculator> getSoftConstraints() {
    return List.of();
  }

  @Override
  public void setAssignedResources(AssignedResources resources) {
    assigned = resources;
  }

  @Override
  public @Nullable AssignedResources getAssignedResources() {
    return assigned;
  }
}
