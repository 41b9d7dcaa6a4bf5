package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.ComputeTimes;
import io.github.liquidscheduler.rounds.RoundTask;
import io.github.liquidscheduler.rounds.TaskRun;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Everything that a round scheduler remembers from one event to the next. Mutable. */
final class RoundState {

  private static final double MOST_SECONDS = 1000 * 86_400.0;

  private final GpuFleet fleet = new GpuFleet();
  private final Map<JobId, JobRounds> jobs = new LinkedHashMap<>();
  private final TreeMap<Long, RunningTask> running = new TreeMap<>();

  /** GPUs that compute nothing and may begin the next task of their sequence, by position. */
  private final TreeSet<Long> ready = new TreeSet<>();

  private final Map<GpuModel, Double> relativeSpeeds;
  private final RoundQueue queue;
  private long changesQueued = -1;
  private boolean sequencesBroken;

  private Instant now = Instant.MIN;
  private long gpusSeen;
  private long jobsSeen;
  private long runs;

  RoundState(RoundPolicy policy, Map<GpuModel, Double> relativeSpeeds) {
    this.relativeSpeeds = relativeSpeeds;
    queue = policy.queue(fleet);
  }

  GpuFleet fleet() {
    return fleet;
  }

  RoundQueue queue() {
    return queue;
  }

  Instant now() {
    return now;
  }

  void advance(Instant at) {
    now = at;
  }

  long gpusSeen() {
    return gpusSeen;
  }

  long jobsSeen() {
    return jobsSeen;
  }

  long runs() {
    return runs;
  }

  /** Brings the clock and the counters to what was saved. */
  void restore(Instant now, long gpusSeen, long jobsSeen, long runs) {
    this.now = now;
    this.gpusSeen = gpusSeen;
    this.jobsSeen = jobsSeen;
    this.runs = runs;
  }

  /** Returns the jobs that are not over, in the order in which they were submitted. */
  Collection<JobRounds> jobs() {
    return jobs.values();
  }

  @Nullable JobRounds find(JobId id) {
    return jobs.get(id);
  }

  @Nullable RunningTask find(long run) {
    return running.get(run);
  }

  /** Returns what computes or synchronizes, by the numbers of the runs. */
  Collection<RunningTask> running() {
    return running.values();
  }

  void addGpu(PoolGpu gpu) {
    fleet.add(gpu);
    settle(gpu);
  }

  PoolGpu newGpu(GpuId id, GpuModel model) {
    return new PoolGpu(gpusSeen++, id, model);
  }

  JobRounds newJob(JobSpec spec, ComputeTimes expected) {
    return new JobRounds(spec, jobsSeen++, new TaskTimeEstimates(expected, relativeSpeeds));
  }

  TaskTimeEstimates estimates(ComputeTimes known) {
    return new TaskTimeEstimates(known, relativeSpeeds);
  }

  void addJob(JobRounds job) {
    jobs.put(job.id(), job);
    file(job);
  }

  void removeJob(JobRounds job) {
    queue.remove(job);
    if (job.isPlanned()) {
      fleet.all().forEach(gpu -> gpu.sequence.removeIf(task -> task.job().equals(job.id())));
    }
    jobs.remove(job.id());
    wakeBehindBarrier(job);
  }

  /** Ranks a job again among those with tasks for the policy. */
  void file(JobRounds job) {
    queue.remove(job);
    if (job.waitingTasks() > 0) {
      queue.add(job);
    }
  }

  /** Ranks all jobs again if GPUs have come or gone since the last time, or {@code always}. */
  void fileAll(boolean always) {
    if (always || changesQueued != fleet.changes()) {
      queue.clear();
      jobs.values().forEach(this::file);
      changesQueued = fleet.changes();
    }
  }

  /** Has the GPUs that wait for a round of a job look at it again. */
  void wakeBehindBarrier(JobRounds job) {
    ready.addAll(job.gpusBehindBarrier);
    job.gpusBehindBarrier.clear();
  }

  /** Has a GPU take its next task, from its sequence or from the policy, if it takes any. */
  void settle(PoolGpu gpu) {
    if (gpu.isOpen() && gpu.computing == null) {
      if (gpu.sequence.isEmpty()) {
        fleet.idle(gpu);
      } else {
        fleet.occupy(gpu);
        ready.add(gpu.position());
      }
    }
  }

  /** Returns the next GPU that may begin a task of its sequence; none if there is none left. */
  @Nullable PoolGpu pollReady() {
    while (!ready.isEmpty()) {
      PoolGpu gpu = fleet.at(ready.pollFirst());
      if (gpu != null && gpu.isOpen() && gpu.computing == null) {
        return gpu;
      }
    }
    return null;
  }

  /** Has the task run on the GPU, and returns the run. */
  RunningTask start(JobRounds job, RoundTask task, PoolGpu gpu) {
    double seconds = job.times().seconds(gpu.model());
    RunningTask run =
        new RunningTask(new TaskRun(task, gpu.id(), ++runs), job, gpu, now, charge(seconds));
    fleet.occupy(gpu);
    gpu.computing = run;
    job.start(run);
    keep(run);
    return run;
  }

  private static long charge(double seconds) {
    return Math.round(Math.min(seconds, MOST_SECONDS) * 1e9);
  }

  /** Takes a run into the books. */
  void keep(RunningTask run) {
    running.put(run.run().number(), run);
    run.gpu().runs.put(run.run().number(), run);
  }

  /** Takes a run out of the books; what becomes of its task is up to the caller. */
  void end(RunningTask run) {
    running.remove(run.run().number());
    run.gpu().runs.remove(run.run().number());
    if (run.isComputing()) {
      run.gpu().computing = null;
    }
  }

  /** Leaves what is in the sequence of a GPU to the policy. */
  void dropSequence(PoolGpu gpu) {
    for (RoundTask task : gpu.sequence) {
      @Nullable JobRounds job = jobs.get(task.job());
      if (job != null) {
        job.unplan(task);
        file(job);
      }
    }
    gpu.sequence.clear();
  }

  /** Takes note that a task has fallen out of a sequence, so that others may wait for ever. */
  void breakSequences() {
    sequencesBroken = true;
  }

  /** Returns true if that happened since this was asked last. */
  boolean wereSequencesBroken() {
    boolean were = sequencesBroken;
    sequencesBroken = false;
    return were;
  }
}
