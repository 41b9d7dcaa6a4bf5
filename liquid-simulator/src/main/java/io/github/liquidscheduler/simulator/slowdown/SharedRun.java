package io.github.liquidscheduler.simulator.slowdown;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The contribution of a running job to the sharing figures per second, or a sum over jobs or
 * seconds.
 *
 * @param coRunners the jobs with which it shares GPUs; empty for a sum
 * @param held its GPUs, of shared ones its part
 * @param shared its parts of the GPUs that it shares
 * @param work the retained speed times its GPUs
 * @param sharing its GPUs if it has co-runners, else 0
 * @param retained the same times the retained speed
 * @param promised 1 if it is guaranteed and has co-runners
 * @param below 1 if it is slower than its floor, too
 */
record SharedRun(
    List<JobId> coRunners,
    double held,
    double shared,
    double work,
    double sharing,
    double retained,
    double promised,
    double below) {

  static final SharedRun NONE = new SharedRun(List.of(), 0, 0, 0, 0, 0, 0, 0);

  private static final double TAKING_TURNS = 0.5;

  /** Returns this plus a multiple of another. */
  SharedRun plus(SharedRun other, double times) {
    return new SharedRun(
        List.of(),
        held + times * other.held,
        shared + times * other.shared,
        work + times * other.work,
        sharing + times * other.sharing,
        retained + times * other.retained,
        promised + times * other.promised,
        below + times * other.below);
  }

  /** Returns the contribution of a running job per second. */
  static SharedRun of(ClusterView view, JobId id, MeasuredJobs measured) {
    JobSpec job = view.job(id).orElseThrow();
    Set<JobId> coRunners = new LinkedHashSet<>();
    int gpus = 0;
    double held = 0;
    double shared = 0;
    double slowest = 1;
    for (TaskPlacement task : view.placement(id).orElseThrow().tasks()) {
      for (int index : task.gpus()) {
        GpuId gpu = new GpuId(task.node(), index);
        Set<JobId> others = others(view, gpu, id);
        double part = 1.0 / (1 + others.size());
        gpus++;
        held += part;
        if (!others.isEmpty()) {
          shared += part;
          double here = retained(view, job, others, gpu, measured);
          slowest = coRunners.isEmpty() ? here : Math.min(slowest, here);
          coRunners.addAll(others);
        }
      }
    }
    return of(job, List.copyOf(coRunners), gpus, held, shared, slowest);
  }

  private static SharedRun of(
      JobSpec job, List<JobId> coRunners, int gpus, double held, double shared, double retained) {
    int sharing = coRunners.isEmpty() ? 0 : gpus;
    double floor = job.sharing() instanceof Sharing.Guaranteed promise ? promise.floor() : 0;
    int promised = floor > 0 && sharing > 0 ? 1 : 0;
    int below = retained < floor ? promised : 0;
    return new SharedRun(
        coRunners, held, shared, retained * gpus, sharing, retained * sharing, promised, below);
  }

  private static Set<JobId> others(ClusterView view, GpuId gpu, JobId job) {
    Set<JobId> others = new LinkedHashSet<>();
    for (Resident resident : view.residents(gpu)) {
      if (!resident.job().equals(job)) {
        others.add(resident.job());
      }
    }
    return others;
  }

  private static double retained(
      ClusterView view, JobSpec job, Set<JobId> others, GpuId gpu, MeasuredJobs measured) {
    GpuModel model = view.topology().gpu(gpu).model();
    double product = 1;
    for (JobId other : others) {
      JobSpec beside = view.job(other).orElseThrow();
      product *= measured.retained(model, job, beside).orElse(TAKING_TURNS);
    }
    return product;
  }
}
