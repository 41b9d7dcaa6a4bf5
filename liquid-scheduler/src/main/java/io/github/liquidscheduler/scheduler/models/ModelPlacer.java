package io.github.liquidscheduler.scheduler.models;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.speed.JobSpeeds;
import io.github.liquidscheduler.scheduler.speed.SeenSpeeds;
import io.github.liquidscheduler.scheduling.ForwardingPlacer;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Has another placer try the GPU models that a job may use in the order of its predicted speed.
 * Where others wait that can start as well, the model comes first that falls to the job when all of
 * them {@linkplain ModelChoice choose}: so that it leaves faster GPUs to those who gain more by
 * them, and nobody leaves GPUs free.
 *
 * <p>What a job may use, and whether it fits at all, stay as they are. Jobs of which nothing is
 * known are placed as the other placer does.
 */
public final class ModelPlacer implements ForwardingPlacer {

  /** How many waiting jobs are looked at, those next in turn. */
  private static final int MOST_RIVALS = 64;

  private final Placer placer;
  private final JobSpeeds speeds;
  private final JobTable table;

  /** Makes a placer for the jobs of a table, who wait for the same GPUs. */
  public ModelPlacer(Placer placer, JobSpeeds speeds, JobTable table) {
    this.placer = placer;
    this.speeds = speeds;
    this.table = table;
  }

  @Override
  public Placer placer() {
    return placer;
  }

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    ClusterTopology topology = view.topology();
    if (topology.gpusByModel().size() < 2) {
      return placer.place(view, job);
    }
    Map<GpuModel, Double> own = speeds.of(job, seen(job), topology);
    if (own.size() < 2) {
      return placer.place(view, job);
    }
    JobSpec ordered = job.toBuilder().gpuModels(order(view, job, own)).build();
    Optional<Placement> found = placer.place(view, ordered);
    return found.isPresent() || !job.gpuModels().isEmpty() ? found : placer.place(view, job);
  }

  private SeenSpeeds seen(JobSpec job) {
    @Nullable JobEntry entry = table.find(job.id());
    return entry == null ? SeenSpeeds.NONE : entry.gpuSpeeds();
  }

  /** Returns all models that the job may use: the chosen one, by speed, and the unknown ones. */
  private List<GpuModel> order(ClusterView view, JobSpec job, Map<GpuModel, Double> own) {
    Set<GpuModel> order = new LinkedHashSet<>();
    choice(view, job, own).ifPresent(order::add);
    order.addAll(own.keySet());
    order.addAll(
        job.gpuModels().isEmpty() ? view.topology().gpusByModel().keySet() : job.gpuModels());
    return List.copyOf(order);
  }

  private Optional<GpuModel> choice(ClusterView view, JobSpec job, Map<GpuModel, Double> own) {
    Map<GpuModel, Integer> free = freeGpus(view);
    List<ModelChoice.Claim> claims = new ArrayList<>();
    claims.add(new ModelChoice.Claim(job.gpus(), own));
    long left = free.values().stream().mapToLong(Integer::longValue).sum() - job.gpus();
    for (JobEntry rival : table.eligible().head(MOST_RIVALS)) {
      int gpus = rival.job().gpus();
      if (!rival.id().equals(job.id()) && gpus > 0 && gpus <= left) {
        Map<GpuModel, Double> theirs = speeds.of(rival.job(), rival.gpuSpeeds(), view.topology());
        if (!theirs.isEmpty()) {
          claims.add(new ModelChoice.Claim(gpus, theirs));
          left -= gpus;
        }
      }
    }
    return ModelChoice.ofFirst(free, claims);
  }

  /** Returns the free GPUs of each model. */
  static Map<GpuModel, Integer> freeGpus(ClusterView view) {
    Map<GpuModel, Integer> free = new TreeMap<>();
    for (GpuPool pool : ClusterState.of(view).index().pools()) {
      pool.model().ifPresent(model -> free.merge(model, pool.freeGpus(), Integer::sum));
    }
    return free;
  }
}
