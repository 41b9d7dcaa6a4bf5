package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Idea: alone first, by the base placer; only if that fails, or the trigger is on, are co-runners
 * searched, one candidate for each distinct resident set, scored in one call of the policy.
 * Invariants: shares and device memory are never over-committed; a job alone also gets its share
 * only, so that others can join; caches change no answer (ColocationPlacerLaws).
 * Cost: one placement of the base, plus O(distinct resident sets) and a policy call; gangs also
 * O(shared and empty GPUs). Measured by SharingBenchmark.
 * Rejected: whole GPUs for a job alone, which no co-runner could join (docs/decisions.md).
 * Source: IASP/IAPP, CLWP; Liquid, fine-grained sharing.
 */
/**
 * Places jobs beside others on one GPU where they may share and the policy of a {@link Colocation}
 * admits it; all others by the base placer.
 *
 * <p>A job that may share is granted a share of each GPU, also of one where it is alone, so that
 * others can join; shares and device memory are never over-committed. An exclusive job gets whole
 * GPUs, whatever it asks. Co-location bans in the view's observations are respected.
 *
 * <p>A pure function of view and job, but with caches, so not thread-safe: each thread needs its
 * own.
 */
public final class ColocationPlacer implements Placer {

  private final Colocation colocation;
  private final Placer base;
  private final ColocationCache candidateCache;
  private final Scratch scratch = Scratch.empty();

  /** Makes a placer for a configuration. */
  public ColocationPlacer(Colocation colocation) {
    this.colocation = colocation;
    base = colocation.base();
    candidateCache = new ColocationCache(colocation);
  }

  /** Returns the configuration. */
  public Colocation colocation() {
    return colocation;
  }

  /** Returns the cache of candidates. */
  ColocationCache candidateCache() {
    return candidateCache;
  }

  Scratch scratch() {
    return scratch;
  }

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    ClusterState state = ClusterState.of(view);
    Optional<Placement> alone = base.place(view, alone(state, job));
    if (!CandidateJob.mayShare(job)) {
      return alone;
    }
    if (alone.isPresent() && !colocation.trigger().isOn(state, job)) {
      return alone.map(place -> shared(state, job, place));
    }
    @Nullable ColocationCandidate found = new ColocationSearch(state, job, this).find();
    if (found == null || (alone.isPresent() && colocation.policy().costOfEmpty() < found.cost())) {
      return alone.map(place -> shared(state, job, place));
    }
    return Optional.of(found.placement());
  }

  /**
   * {@inheritDoc}
   *
   * <p>No two tasks of the job may be on one GPU, and each must hold at least its granted request.
   * Beside others the policy must admit the job, on empty GPUs the base placer.
   */
  @Override
  public boolean isInfeasible(ClusterView idle, JobSpec job) {
    return base.isInfeasible(idle, alone(ClusterState.of(idle), job));
  }

  @Override
  public boolean allows(ClusterView view, JobSpec job, Placement place) {
    ClusterState state = ClusterState.of(view);
    List<GpuId> gpus = place.gpuIds().toList();
    if (gpus.stream().distinct().count() < gpus.size()
        || !place.tasks().stream().allMatch(task -> holdsEnough(state, job, task))) {
      return false;
    }
    List<GpuId> shared = gpus.stream().filter(gpu -> !state.residents(gpu).isEmpty()).toList();
    return shared.isEmpty()
        ? base.allows(view, alone(state, job), place)
        : CandidateJob.mayShare(job) && new ColocationSearch(state, job, this).allowsAll(shared);
  }

  private boolean holdsEnough(ClusterState state, JobSpec job, TaskPlacement task) {
    return task.gpuIds()
        .map(gpu -> state.topology().gpu(gpu).model())
        .allMatch(
            model ->
                (!job.gpuModels().isEmpty() || isEnough(model, job))
                    && (task.share().isWhole() || isGranted(job, task, model)));
  }

  private boolean isGranted(JobSpec job, TaskPlacement task, GpuModel model) {
    return CandidateJob.mayShare(job)
        && candidateCache.candidateJob(job).isGranted(task, colocation.mode(model), model);
  }

  @Override
  public boolean isCapacityBound() {
    return base.isCapacityBound();
  }

  @Override
  public boolean mayUse(ClusterView view, JobSpec job, BitSet gpus) {
    ClusterState state = ClusterState.of(view);
    return !CandidateJob.mayShare(job)
        || state.hasFree(gpus)
        || new ColocationSearch(state, job, this, state.shared().groupsOn(gpus)).mayUse(gpus);
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    if (place(view, job).isPresent()) {
      return List.of();
    }
    ClusterState state = ClusterState.of(view);
    List<UnmetConstraint> unmet = new ArrayList<>(base.unmetConstraints(view, alone(state, job)));
    if (CandidateJob.mayShare(job)) {
      unmet.addAll(new RejectedCandidates(state, job, this).closest());
    }
    return List.copyOf(unmet);
  }

  /** Returns the job with whole GPUs instead of shares, on models large enough for it. */
  public JobSpec alone(ClusterState state, JobSpec job) {
    JobSpec.@Nullable Builder alone = null;
    if (job.roles().stream().anyMatch(role -> role.request().share().isPresent())) {
      alone = job.toBuilder().roles(job.roles().stream().map(ColocationPlacer::whole).toList());
    }
    List<GpuModel> models = allowedModels(state, job);
    if (!models.equals(job.gpuModels())) {
      alone = (alone == null ? job.toBuilder() : alone).gpuModels(models);
    }
    return alone == null ? job : alone.build();
  }

  /** Returns the models named, or all whose GPU or slice suffices for each task. */
  private List<GpuModel> allowedModels(ClusterState state, JobSpec job) {
    if (!colocation.hasModesByModel() || !job.gpuModels().isEmpty()) {
      return job.gpuModels();
    }
    List<GpuModel> all =
        state.index().pools().stream()
            .map(GpuPool::model)
            .flatMap(Optional::stream)
            .distinct()
            .toList();
    List<GpuModel> enough = all.stream().filter(model -> isEnough(model, job)).toList();
    if (enough.isEmpty()) {
      return List.of(noneOf(all));
    }
    return enough.size() == all.size() ? job.gpuModels() : enough;
  }

  /** Returns a model that no GPU of the cluster has. */
  private static GpuModel noneOf(List<GpuModel> models) {
    StringBuilder name = new StringBuilder("any that is more than a slice");
    while (models.contains(GpuModel.of(name.toString()))) {
      name.append('!');
    }
    return GpuModel.of(name.toString());
  }

  private boolean isEnough(GpuModel model, JobSpec job) {
    return !(colocation.mode(model) instanceof SharingMode.MigSlice slice)
        || job.roles().stream()
            .map(TaskRole::request)
            .filter(request -> request.gpus() > 0)
            .allMatch(d -> d.share().orElse(GpuShare.WHOLE).compareTo(slice.compute()) <= 0);
  }

  /** Returns the placement with granted shares instead of whole GPUs. */
  public Placement shared(ClusterState state, JobSpec job, Placement alone) {
    CandidateJob candidateJob = candidateCache.candidateJob(job);
    List<TaskPlacement> tasks = new ArrayList<>(alone.tasks().size());
    for (TaskPlacement task : alone.tasks()) {
      GpuModel model = state.topology().gpu(new GpuId(task.node(), task.gpus().get(0))).model();
      ResourceRequest granted = candidateJob.granted(colocation.mode(model), model);
      tasks.add(new TaskPlacement(task.task(), task.node(), task.gpus(), granted));
    }
    return new Placement(alone.job(), tasks);
  }

  private static TaskRole whole(TaskRole role) {
    ResourceRequest request = role.request();
    return request.share().isEmpty() ? role : role.withRequest(request.toBuilder().gpus(1).build());
  }
}
