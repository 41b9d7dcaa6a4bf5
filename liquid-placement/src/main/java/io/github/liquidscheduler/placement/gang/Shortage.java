package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.explanation.UnmetConstraint.ClosestFit;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The node or GPU where one resource falls short, given a placement that ignores the resource: the
 * tasks placed there request more than is free.
 */
record Shortage(Constraint constraint, GangShape gang, CapacityIndex index) {

  /** Returns true if any task requests the resource. */
  boolean isRequested() {
    return gang.tasks().stream().anyMatch(task -> amount(task) > 0);
  }

  /** Returns the smallest shortage; empty if there is none. */
  Optional<UnmetConstraint> smallest(Placement placement) {
    return devices(placement).stream()
        .filter(device -> requested(device) > device.free())
        .min(Comparator.comparingLong(device -> requested(device) - device.free()))
        .map(this::unmet);
  }

  private UnmetConstraint unmet(Device device) {
    String where = constraint == Constraint.GPU_MEMORY ? "GPU" : "node";
    String scope =
        device.tasks().size() == 1
            ? UnmetGpus.scope(device.tasks().getFirst()) + ", with the GPUs it needs"
            : device.tasks().size() + " tasks on one " + where + ", with the GPUs they need";
    return new UnmetConstraint(
        constraint,
        scope,
        requested(device),
        device.free(),
        Optional.of(new ClosestFit(device.name(), device.free())));
  }

  private Collection<Device> devices(Placement placement) {
    Map<String, Device> devices = new LinkedHashMap<>();
    for (TaskPlacement task : placement.tasks()) {
      int node = index.topology().position(task.node());
      if (constraint == Constraint.GPU_MEMORY) {
        for (int gpu : task.gpus()) {
          String name = "GPU '" + task.node() + ":" + gpu + "'";
          add(devices, name, index.freeGpuMemory(node, gpu), task);
        }
      } else {
        long free = constraint == Constraint.CPU ? index.freeCpu(node) : index.freeMemory(node);
        add(devices, "node '" + task.node() + "'", free, task);
      }
    }
    return devices.values();
  }

  private void add(Map<String, Device> devices, String name, long free, TaskPlacement placed) {
    TaskShape task =
        gang.tasks().stream()
            .filter(shape -> shape.role().name().equals(placed.task().role()))
            .findFirst()
            .orElseThrow();
    if (amount(task) > 0) {
      devices
          .computeIfAbsent(name, each -> new Device(name, free, new ArrayList<>()))
          .tasks()
          .add(task);
    }
  }

  private long amount(TaskShape task) {
    return switch (constraint) {
      case CPU -> task.cpu();
      case MEMORY -> task.memory();
      default -> task.gpuMemory();
    };
  }

  private long requested(Device device) {
    return device.tasks().stream().mapToLong(this::amount).sum();
  }

  /** A node or GPU with its free amount, and the tasks placed on it. */
  private record Device(String name, long free, List<TaskShape> tasks) {}
}
