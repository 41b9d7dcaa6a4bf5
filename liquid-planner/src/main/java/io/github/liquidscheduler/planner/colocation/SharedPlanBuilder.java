package io.github.liquidscheduler.planner.colocation;

import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.placement.colocation.search.CandidateJob;
import io.github.liquidscheduler.placement.colocation.search.ColocationCandidate;
import io.github.liquidscheduler.placement.colocation.search.ColocationPlacer;
import io.github.liquidscheduler.placement.colocation.search.ColocationSearch;
import io.github.liquidscheduler.planner.problem.AdmissionWeight;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The starts of a plan while jobs come together on GPUs. */
final class SharedPlanBuilder {

  private final ColocationPlacer placer;
  private final ClusterState state;
  private final Map<JobId, JobSpec> pending = new LinkedHashMap<>();
  private final Map<JobId, Placement> starts = new LinkedHashMap<>();

  /** Starts nobody yet. */
  SharedPlanBuilder(PlanRequest request, ColocationPlacer placer) {
    this.placer = placer;
    state = ClusterState.copyOf(request.view());
    request.pending().forEach(job -> pending.put(job.id(), job));
  }

  /** Starts whom the plan starts alone, those that may share on a share of their GPUs. */
  SharedPlanBuilder(PlanRequest request, BatchPlan plan, ColocationPlacer placer) {
    this(request, placer);
    for (Migration migration : plan.migrations()) {
      JobSpec job = request.running(migration.job()).orElseThrow();
      state.release(job.id());
      state.apply(job, migration.to());
    }
    for (Placement start : plan.starts()) {
      JobSpec job = job(start.job());
      start(job, CandidateJob.mayShare(job) ? placer.shared(state, job, start) : start);
    }
  }

  /** Returns the starts in the order of the policy. */
  List<Placement> inOrder() {
    return pending.keySet().stream().filter(starts::containsKey).map(starts::get).toList();
  }

  boolean has(JobId job) {
    return starts.containsKey(job);
  }

  /** Returns the jobs that start. */
  Set<JobId> jobs() {
    return starts.keySet();
  }

  /** Returns whether a job waits. */
  boolean areSomeLeft() {
    return starts.size() < pending.size();
  }

  /**
   * Places who is left as in immediate mode, in the order of the policy, and then brings the jobs
   * of one task to other co-runners, or others in the place of deferrable ones, where that costs
   * less in all.
   *
   * @param deferrable the jobs that others may start instead of
   */
  void placeRest(Set<JobId> deferrable) {
    Set<JobId> before = new LinkedHashSet<>(starts.keySet());
    placeRest();
    Map<JobId, Placement> inTurn = new LinkedHashMap<>(starts);
    leave(inTurn.keySet().stream().filter(job -> !before.contains(job)).toList());
    assign(inTurn.keySet(), deferrable);
    placeRest();
    AdmissionWeight weight = AdmissionWeight.of(List.copyOf(pending.values()), deferrable);
    if (weight.of(inTurn.keySet()) > weight.of(starts.keySet())) {
      restore(inTurn);
    }
  }

  /** Stops those of the jobs that have one GPU, and co-runners on it. */
  private void leave(List<JobId> jobs) {
    jobs.stream()
        .map(this::job)
        .filter(job -> gpu(job).filter(gpu -> state.residents(gpu).size() > 1).isPresent())
        .toList()
        .forEach(this::stop);
  }

  /** Assigns whoever starts in turn, or some others instead of those who are deferrable. */
  private void assign(Set<JobId> inTurn, Set<JobId> deferrable) {
    Set<JobId> mayWait = new LinkedHashSet<>(pending.keySet());
    mayWait.removeIf(job -> inTurn.contains(job) && !deferrable.contains(job));
    List<JobSpec> seekers =
        pending.values().stream()
            .filter(job -> !has(job.id()) && job.tasks() == 1 && CandidateJob.mayShare(job))
            .filter(job -> inTurn.contains(job.id()) || !deferrable.isEmpty())
            .toList();
    for (Placement place : ColocationAssignment.of(state, placer, seekers, mayWait)) {
      if (state.fits(place)) {
        start(job(place.job()), place);
      }
    }
  }

  private void restore(Map<JobId, Placement> before) {
    List.copyOf(starts.keySet()).forEach(job -> stop(job(job)));
    before.forEach((job, place) -> start(job(job), place));
  }

  /** Places who is left, in the order of the policy, as in immediate mode. */
  private void placeRest() {
    for (JobSpec job : pending.values()) {
      if (!has(job.id())) {
        placer.place(state, job).ifPresent(place -> start(job, place));
      }
    }
  }

  /**
   * As long as somebody can use a GPU that falls free by it, brings jobs together that both have
   * one to themselves.
   */
  void makeRoom(CoRunnerMatcher matcher) {
    for (Gpu gpu : gpus()) {
      if (areSomeLeft() && isTimeSliced(gpu)) {
        List<JobSpec> jobs = pending.values().stream().filter(job -> isAloneOn(job, gpu)).toList();
        List<CoRunnerMatching.Pair> pairs =
            new ArrayList<>(matcher.plan(jobs, gpu, state.observations()).pairs());
        pairs.sort(Comparator.comparingDouble(CoRunnerMatching.Pair::gain).reversed());
        makeRoom(pairs);
      }
    }
  }

  private void makeRoom(List<CoRunnerMatching.Pair> pairs) {
    for (CoRunnerMatching.Pair pair : pairs) {
      JobSpec one = job(pair.one());
      JobSpec other = job(pair.other());
      if (areSomeLeft() && isAlone(one) && isAlone(other) && !makeRoom(one, other)) {
        return;
      }
    }
  }

  /** Brings the second beside the first; returns false if nobody can use its GPU. */
  private boolean makeRoom(JobSpec one, JobSpec other) {
    Placement left = Objects.requireNonNull(starts.get(other.id()));
    Optional<Placement> beside = beside(other, one);
    if (beside.isEmpty()) {
      return true;
    }
    stop(other);
    start(other, beside.get());
    if (!startNext()) {
      stop(other);
      start(other, left);
      return false;
    }
    return true;
  }

  /** Starts the first job that waits and has a place now. */
  private boolean startNext() {
    for (JobSpec job : pending.values()) {
      Optional<Placement> place = has(job.id()) ? Optional.empty() : placer.place(state, job);
      if (place.isPresent()) {
        start(job, place.get());
        return true;
      }
    }
    return false;
  }

  /** Returns the place of a job beside another, if that is allowed. */
  private Optional<Placement> beside(JobSpec candidateJob, JobSpec resident) {
    GpuId gpu = gpu(resident).orElseThrow();
    int position = state.topology().gpusBefore(state.topology().position(gpu.node())) + gpu.index();
    ColocationSearch search =
        new ColocationSearch(state, placer.colocations().candidateJob(candidateJob), placer);
    return Optional.ofNullable(search.findOn(position)).map(ColocationCandidate::placement);
  }

  /** Returns the kinds of GPU that jobs of one task start on, by where the first of them is. */
  private Set<Gpu> gpus() {
    Set<Gpu> gpus = new LinkedHashSet<>();
    pending.values().forEach(job -> gpu(job).map(this::kind).ifPresent(gpus::add));
    return gpus;
  }

  private Gpu kind(GpuId id) {
    Gpu gpu = state.topology().gpu(id);
    return Gpu.of(gpu.model(), gpu.memory());
  }

  private boolean isTimeSliced(Gpu gpu) {
    return placer.colocation().mode(gpu.model()) instanceof SharingMode.TimeSlicing slicing
        && slicing.maxResidents() > 1;
  }

  private boolean isAloneOn(JobSpec job, Gpu gpu) {
    return isAlone(job) && gpu(job).map(this::kind).filter(gpu::equals).isPresent();
  }

  private boolean isAlone(JobSpec job) {
    return gpu(job).filter(gpu -> state.residents(gpu).size() == 1).isPresent();
  }

  /** Returns the GPU of a job of one task that starts and may share. */
  private Optional<GpuId> gpu(JobSpec job) {
    @Nullable Placement start = starts.get(job.id());
    if (start == null || start.tasks().size() > 1 || !CandidateJob.mayShare(job)) {
      return Optional.empty();
    }
    TaskPlacement task = start.tasks().get(0);
    return Optional.of(new GpuId(task.node(), task.gpus().get(0)));
  }

  private void start(JobSpec job, Placement place) {
    state.apply(job, place);
    starts.put(job.id(), place);
  }

  private void stop(JobSpec job) {
    state.release(job.id());
    starts.remove(job.id());
  }

  private JobSpec job(JobId job) {
    return Objects.requireNonNull(pending.get(job));
  }
}
