package io.github.liquidscheduler.scheduler.models;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.job.JobEntry;
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
 * Tries a job's GPU models in order of its predicted speed with another placer. If other waiting
 * jobs can start too, the model that {@linkplain ModelChoice falls} to the job among them comes
 * first: it leaves faster GPUs to jobs that gain more, and no GPU idles.
 *
 * <p>Allowed models and feasibility are unchanged. Jobs with unknown speeds are placed by the other
 * placer.
 *
 * @param speeds the speeds of jobs by model
 */
public record ModelPlacer(Placer placer, JobSpeeds speeds, JobTable table)
    implements ForwardingPlacer {

  /** The number of rivals considered, in queue order. */
  private static final int MOST_RIVALS = 64;

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
    return entry == null ? SeenSpeeds.NONE : entry.history().gpuSpeeds();
  }

  /** Returns the job's models: the chosen one, the others by speed, then those of unknown speed. */
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
        Map<GpuModel, Double> theirs =
            speeds.of(rival.job(), rival.history().gpuSpeeds(), view.topology());
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
