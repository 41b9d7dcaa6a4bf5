package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Places jobs beside others on one GPU where they may share and a {@link ColocationPolicy} finds it
 * weight it; all others by another placer.
 *
 * <p>A job shares if it is {@linkplain io.github.liquidscheduler.job.Sharing guaranteed or
 * opportunistic}, is a gang of one role, and each task asks for one GPU or a share of it. It is
 * granted a share of each GPU, also of one where it is alone, so that others can join; shares and
 * device memory are never over-committed. An exclusive job gets whole GPUs, whatever it asks.
 *
 * <p>GPUs with the same co-runners are one candidate, so the cost of a decision grows with the
 * number of different co-locations and not of GPUs. Not thread-safe, as predictors are not.
 */
public final class ColocationPlacer implements Placer {

  private static final GpuModel NONE_ENOUGH = GpuModel.of("any that is more than a slice");

  private final Placer base;
  private final ColocationPolicy rule;
  private final SharingTrigger onWhen;
  private final Map<GpuModel, SharingMode> modes;
  private final SharingMode mode;
  private final double spanPenalty;
  private final ColocationCache colocations;
  private final ColocationBans bans = new ColocationBans();
  private final Scratch scratch = Scratch.empty();

  private ColocationPlacer(Builder builder) {
    base = builder.base;
    rule = builder.rule;
    onWhen = builder.onWhen;
    modes = new LinkedHashMap<>(builder.modes);
    mode = builder.mode;
    spanPenalty = builder.spanPenalty;
    colocations = new ColocationCache(builder.profiles, this::modeOf);
  }

  /** Returns a builder of a placer that shares by the rule. */
  public static Builder builder(ColocationPolicy rule) {
    return new Builder(Objects.requireNonNull(rule, "rule"));
  }

  /** Returns the rule. */
  public ColocationPolicy rule() {
    return rule;
  }

  public ColocationCache colocations() {
    return colocations;
  }

  ColocationBans bans() {
    return bans;
  }

  Scratch scratch() {
    return scratch;
  }

  double spanPenalty() {
    return spanPenalty;
  }

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    ClusterState state = ClusterState.of(view);
    boolean shares = CandidateJob.mayShare(job);
    Optional<Placement> alone = base.place(view, alone(state, job));
    if (!shares) {
      return alone;
    }
    CandidateJob candidateJob = colocations.candidateJob(job);
    if (alone.isPresent() && !onWhen.isOn(state, job)) {
      return alone.map(place -> shared(state, candidateJob, place));
    }
    @Nullable ColocationCandidate found = new ColocationSearch(state, candidateJob, this).find();
    if (found == null || (alone.isPresent() && rule.costOfEmpty() < found.cost())) {
      return alone.map(place -> shared(state, candidateJob, place));
    }
    return Optional.of(found.placement());
  }

  @Override
  public boolean allows(ClusterView view, JobSpec job, Placement place) {
    ClusterState state = ClusterState.of(view);
    List<GpuId> shared =
        place.tasks().stream()
            .flatMap(task -> task.gpus().stream().map(gpu -> new GpuId(task.node(), gpu)))
            .filter(gpu -> !state.residents(gpu).isEmpty())
            .toList();
    return shared.isEmpty()
        || (CandidateJob.mayShare(job)
            && new ColocationSearch(state, colocations.candidateJob(job), this).allowsAll(shared));
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    return place(view, job).isPresent()
        ? List.of()
        : base.unmetConstraints(view, alone(ClusterState.of(view), job));
  }

  /** Returns the job with whole GPUs instead of shares, on GPUs that are enough for it. */
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

  /** Returns the models named, or all of which a GPU or slice is as much as each task asks. */
  private List<GpuModel> allowedModels(ClusterState state, JobSpec job) {
    if (modes.isEmpty() || !job.gpuModels().isEmpty()) {
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
      return List.of(NONE_ENOUGH);
    }
    return enough.size() == all.size() ? job.gpuModels() : enough;
  }

  private boolean isEnough(GpuModel model, JobSpec job) {
    return !(modeOf(model) instanceof SharingMode.MigSlice slice)
        || job.roles().stream()
            .map(TaskRole::request)
            .filter(request -> request.gpus() > 0)
            .allMatch(d -> d.share().orElse(GpuShare.WHOLE).compareTo(slice.compute()) <= 0);
  }

  private SharingMode modeOf(GpuModel model) {
    return modes.getOrDefault(model, mode);
  }

  /** Returns the placement with shares granted instead of whole GPUs. */
  public Placement shared(ClusterState state, JobSpec job, Placement alone) {
    return shared(state, colocations.candidateJob(job), alone);
  }

  private Placement shared(ClusterState state, CandidateJob candidateJob, Placement alone) {
    CapacityIndex index = state.index();
    List<TaskPlacement> tasks = new ArrayList<>(alone.tasks().size());
    for (TaskPlacement task : alone.tasks()) {
      GpuModel model = index.topology().gpu(new GpuId(task.node(), task.gpus().get(0))).model();
      ResourceRequest granted = candidateJob.granted(modeOf(model), model);
      tasks.add(new TaskPlacement(task.task(), task.node(), task.gpus(), granted));
    }
    return new Placement(alone.job(), tasks);
  }

  private static TaskRole whole(TaskRole role) {
    ResourceRequest request = role.request();
    return request.share().isEmpty()
        ? role
        : new TaskRole(role.name(), role.count(), request.toBuilder().gpus(1).build());
  }

  /** Builds a {@link ColocationPlacer}. Not thread-safe. */
  public static final class Builder {
    private final ColocationPolicy rule;
    private Placer base = BestFitPlacer.bestFit();
    private SharingTrigger onWhen = SharingTrigger.whenFull();
    private SharingMode mode = new SharingMode.TimeSlicing(2);
    private final Map<GpuModel, SharingMode> modes = new LinkedHashMap<>();
    private BiFunction<JobSpec, GpuModel, ColocationProfile> profiles = ColocationCache::stated;
    private double spanPenalty = 0.3;

    private Builder(ColocationPolicy rule) {
      this.rule = rule;
    }

    /** Sets who places jobs alone; best fit by default. */
    public Builder base(Placer base) {
      this.base = Objects.requireNonNull(base, "base");
      return this;
    }

    /** Sets when jobs share although there is room for them alone; never by default. */
    public Builder onWhen(SharingTrigger onWhen) {
      this.onWhen = Objects.requireNonNull(onWhen, "onWhen");
      return this;
    }

    /** Sets how GPUs are shared; by time slicing, two jobs on each, by default. */
    public Builder mode(SharingMode mode) {
      this.mode = Objects.requireNonNull(mode, "mode");
      return this;
    }

    /** Sets how the GPUs of a model are shared. */
    public Builder mode(GpuModel gpu, SharingMode mode) {
      modes.put(Objects.requireNonNull(gpu, "gpu"), Objects.requireNonNull(mode, "mode"));
      return this;
    }

    /**
     * Sets what is known of a job on a GPU model: by default its workload and the memory that it
     * states. It is asked once for each kind of job, so it must look at nothing but workload,
     * sharing and request.
     */
    public Builder profiles(BiFunction<JobSpec, GpuModel, ColocationProfile> profiles) {
      this.profiles = Objects.requireNonNull(profiles, "profiles");
      return this;
    }

    /**
     * Sets what it costs a gang, in the rule's unit, to span several nodes; 0.3 by default.
     *
     * @throws IllegalArgumentException if it is negative or not finite
     */
    public Builder spanPenalty(double penalty) {
      if (!(penalty >= 0 && penalty < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "a span penalty must be finite and not negative, but was " + penalty);
      }
      spanPenalty = penalty;
      return this;
    }

    /** Returns the placer. */
    public ColocationPlacer build() {
      return new ColocationPlacer(this);
    }
  }
}
