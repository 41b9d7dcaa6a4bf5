package io.github.liquidscheduler.benchmarks;

import com.netflix.fenzo.TaskAssignmentResult;
import com.netflix.fenzo.TaskRequest;
import com.netflix.fenzo.TaskScheduler;
import com.netflix.fenzo.TaskTrackerState;
import com.netflix.fenzo.VMAssignmentResult;
import com.netflix.fenzo.VMTaskFitnessCalculator;
import com.netflix.fenzo.VirtualMachineCurrentState;
import com.netflix.fenzo.VirtualMachineLease;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Fenzo, with the host chosen that is left with the fewest free GPUs. */
final class FenzoBaseline implements Baseline {
  /** Leases are offered at time zero, and this many seconds are more than have passed since. */
  private static final long NEVER_EXPIRES_SECONDS = 100_000_000_000L;

  @Override
  public String name() {
    return "Fenzo 1.0.1 best fit";
  }

  @Override
  public Session open(int hosts) {
    return new FenzoSession(hosts);
  }

  /**
   * Not used by two threads at once; Fenzo itself evaluates hosts on as many as there are cores.
   */
  private static final class FenzoSession implements Session {
    private final TaskScheduler scheduler;
    private final Map<Task, String> running = new LinkedHashMap<>();

    FenzoSession(int hosts) {
      scheduler =
          new TaskScheduler.Builder()
              .withLeaseRejectAction(lease -> {})
              .withLeaseOfferExpirySecs(NEVER_EXPIRES_SECONDS)
              .withSingleOfferPerVM(true)
              .withFitnessCalculator(bestFit())
              .disableShortfallEvaluation()
              .build();
      List<VirtualMachineLease> leases =
          IntStream.range(0, hosts)
              .mapToObj(Host::name)
              .<VirtualMachineLease>map(FenzoLease::new)
              .toList();
      scheduler.scheduleOnce(List.of(), leases);
    }

    @Override
    public void place(List<Task> tasks) {
      List<FenzoRequest> requests = tasks.stream().map(FenzoRequest::new).toList();
      var result = scheduler.scheduleOnce(requests, List.of());
      for (VMAssignmentResult host : result.getResultMap().values()) {
        for (TaskAssignmentResult assignment : host.getTasksAssigned()) {
          scheduler.getTaskAssigner().call(assignment.getRequest(), host.getHostname());
          running.put(((FenzoRequest) assignment.getRequest()).task(), host.getHostname());
        }
      }
    }

    @Override
    public void finish(Task task) {
      scheduler.getTaskUnAssigner().call(task.id(), running.remove(task));
    }

    @Override
    public Map<Task, String> running() {
      return Collections.unmodifiableMap(running);
    }

    @Override
    public void close() {
      scheduler.shutdown();
    }
  }

  /** Fenzo's own bin packers look at cores, memory and network but not at GPUs. */
  private static VMTaskFitnessCalculator bestFit() {
    return new VMTaskFitnessCalculator() {
      @Override
      public String getName() {
        return "gpu-best-fit";
      }

      @Override
      public double calculateFitness(
          TaskRequest request, VirtualMachineCurrentState host, TaskTrackerState ignored) {
        double used = gpus(request);
        for (TaskRequest other : host.getRunningTasks()) {
          used += gpus(other);
        }
        for (TaskAssignmentResult other : host.getTasksCurrentlyAssigned()) {
          used += gpus(other.getRequest());
        }
        return used / Host.GPUS;
      }
    };
  }

  private static int gpus(TaskRequest request) {
    return ((FenzoRequest) request).task().gpus();
  }
}
