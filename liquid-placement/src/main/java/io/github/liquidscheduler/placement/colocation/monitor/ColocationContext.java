package io.github.liquidscheduler.placement.colocation.monitor;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A running job and its co-runners, GPU by GPU. */
final class ColocationContext {

  private final JobSpec job;
  private final GpuShare share;
  private final List<List<Resident>> beside = new ArrayList<>();
  private final List<List<JobId>> coRunners = new ArrayList<>();
  private @Nullable GpuModel gpu;
  private boolean isMixed;

  private ColocationContext(JobSpec job, GpuShare share) {
    this.job = job;
    this.share = share;
  }

  static ColocationContext of(ClusterView view, JobSpec job, Placement placement) {
    ColocationContext context = new ColocationContext(job, placement.tasks().get(0).share());
    for (TaskPlacement task : placement.tasks()) {
      for (int index : task.gpus()) {
        context.add(view, new GpuId(task.node(), index));
      }
    }
    return context;
  }

  private void add(ClusterView view, GpuId id) {
    List<Resident> others =
        view.residents(id).stream().filter(r -> !r.job().equals(job.id())).toList();
    beside.add(others);
    coRunners.add(others.stream().map(Resident::job).toList());
    GpuModel model = view.topology().gpu(id).model();
    isMixed |= gpu != null && !gpu.equals(model);
    gpu = model;
  }

  JobSpec job() {
    return job;
  }

  /** Returns the share that each task of the job holds. */
  GpuShare share() {
    return share;
  }

  /** Returns the model of all its GPUs, or null if they are of several, or none. */
  @Nullable GpuModel gpu() {
    return isMixed ? null : gpu;
  }

  /** Returns the co-runners on each GPU. */
  List<List<JobId>> coRunners() {
    return coRunners;
  }

  boolean isAlone() {
    return coRunners.stream().allMatch(List::isEmpty);
  }

  /** Returns the distinct co-runners. */
  List<JobId> others() {
    return coRunners.stream().flatMap(List::stream).distinct().toList();
  }

  /** Returns the co-runners if they are the same on each shared GPU, else null. */
  @Nullable List<Resident> onlyCoRunners() {
    return coRunners.stream().filter(each -> !each.isEmpty()).distinct().count() == 1
        ? beside.stream().filter(each -> !each.isEmpty()).findFirst().orElse(null)
        : null;
  }
}
