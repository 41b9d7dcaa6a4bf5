package io.github.liquidscheduler.estimator.request;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.prediction.ResourceEstimate;
import io.github.liquidscheduler.prediction.ResourceEstimator;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;

/** Fills in what the request of a role leaves out, by the estimates on all GPU models. */
final class RoleFiller {
  private final NodeParts nodes;
  private final ResourceEstimator resources;

  RoleFiller(NodeParts nodes, ResourceEstimator resources) {
    this.nodes = nodes;
    this.resources = resources;
  }

  TaskRole filled(JobSpec job, TaskRole role) {
    List<GpuModel> models = nodes.models(job);
    List<ResourceEstimate> estimates =
        models.stream().map(model -> resources.estimate(job, role, model)).toList();
    if (estimates.isEmpty()) {
      return role;
    }
    ResourceRequest asked = role.request();
    ResourceRequest.Builder filled = asked.toBuilder();
    if (isForOneSharedGpu(job, asked)) {
      filled.share(share(estimates));
    }
    if (asked.gpus() > 0 && asked.gpuMemory().isEmpty()) {
      fillGpuMemory(filled, estimates, models);
    }
    fillHost(asked, filled, estimates);
    return role.withRequest(filled.build());
  }

  private static boolean isForOneSharedGpu(JobSpec job, ResourceRequest asked) {
    return asked.gpus() == 1
        && asked.share().isEmpty()
        && !(job.sharing() instanceof Sharing.Exclusive);
  }

  /** As much of a GPU as is kept busy at most, or all of it while that is not known well. */
  private static GpuShare share(List<ResourceEstimate> estimates) {
    double busiest = 0;
    for (ResourceEstimate estimate : estimates) {
      if (!isKnown(estimate.gpuUtilization()) || !isKnown(estimate.gpuMemory())) {
        return GpuShare.WHOLE;
      }
      busiest = Math.max(busiest, estimate.gpuUtilization().value());
    }
    int percent = (int) Math.ceil(busiest * 100 - 1e-9);
    return GpuShare.ofPercent(Math.clamp(percent, 1, 100));
  }

  /**
   * The largest request over the models that can hold the task, of each at most what its devices
   * have. Where none can, what is expected: more than every device has, so that the job waits and
   * its explanation says for what.
   */
  private void fillGpuMemory(
      ResourceRequest.Builder filled, List<ResourceEstimate> estimates, List<GpuModel> models) {
    Memory most = Memory.ZERO;
    Memory beyond = Memory.ZERO;
    for (int i = 0; i < estimates.size(); i++) {
      ResourceEstimate estimate = estimates.get(i);
      Memory device = nodes.deviceMemory(models.get(i));
      boolean isKnown = estimate.gpuMemory().provenance() != Provenance.DEFAULT;
      if (isKnown && !device.equals(Memory.ZERO)) {
        if (canHold(device, estimate)) {
          most = larger(most, smaller(estimate.gpuMemoryRequested(), device));
        } else {
          beyond = larger(beyond, expected(estimate));
        }
      }
    }
    Memory asked = most.equals(Memory.ZERO) ? beyond : most;
    if (!asked.equals(Memory.ZERO)) {
      filled.gpuMemory(asked);
    }
  }

  /** Whether the task may fit: not if even the lower end of the interval is more. */
  private static boolean canHold(Memory device, ResourceEstimate estimate) {
    return estimate.gpuMemory().low() <= (double) device.bytes();
  }

  private static Memory expected(ResourceEstimate estimate) {
    return Memory.ofBytes((long) Math.ceil(estimate.gpuMemory().value()));
  }

  private void fillHost(
      ResourceRequest asked, ResourceRequest.Builder filled, List<ResourceEstimate> estimates) {
    double gpus = gpus(filled.build());
    if (asked.cpu().isEmpty()) {
      double ask = millicores(estimates, gpus * nodes.milliCoresPerGpu());
      if (isUsable(ask)) {
        filled.cpu(CpuCores.ofMillicores((long) Math.floor(ask)));
      }
    }
    if (asked.memory().isEmpty()) {
      double ask = hostMemory(estimates, gpus * nodes.memoryPerGpu());
      if (isUsable(ask)) {
        filled.memory(Memory.ofBytes((long) Math.floor(ask)));
      }
    }
  }

  private static double gpus(ResourceRequest request) {
    return request
        .share()
        .map(share -> share.thousandths() / 1000.0)
        .orElse((double) request.gpus());
  }

  /** What is expected in whole cores, since too few only cost time; or the part of the node. */
  private static double millicores(List<ResourceEstimate> estimates, double part) {
    double most = 0;
    for (ResourceEstimate estimate : estimates) {
      Prediction cpu = estimate.cpuMillicores();
      boolean isKnown = cpu.provenance() != Provenance.DEFAULT;
      most = Math.max(most, isKnown ? 1000 * Math.ceil(cpu.value() / 1000) : part);
    }
    return most;
  }

  /**
   * The upper end of the interval, but no more than the part of the node unless more is expected.
   */
  private static double hostMemory(List<ResourceEstimate> estimates, double part) {
    double most = 0;
    for (ResourceEstimate estimate : estimates) {
      Prediction memory = estimate.memory();
      boolean isKnown = memory.provenance() != Provenance.DEFAULT;
      double ask = isKnown ? Math.min(memory.high(), part) : part;
      most = Math.max(most, isKnown ? Math.max(ask, memory.value()) : ask);
    }
    return most;
  }

  private static boolean isKnown(Prediction prediction) {
    return prediction.provenance() == Provenance.MEASURED
        || prediction.provenance() == Provenance.LEARNED;
  }

  private static boolean isUsable(double amount) {
    return amount > 0 && amount < 1e18;
  }

  static Memory larger(Memory left, Memory right) {
    return left.compareTo(right) >= 0 ? left : right;
  }

  static Memory smaller(Memory left, Memory right) {
    return left.compareTo(right) <= 0 ? left : right;
  }
}
