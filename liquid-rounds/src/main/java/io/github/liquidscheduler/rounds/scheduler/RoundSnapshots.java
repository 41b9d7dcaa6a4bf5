package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.ComputeTimes;
import io.github.liquidscheduler.rounds.RoundProgress;
import io.github.liquidscheduler.rounds.RoundTask;
import io.github.liquidscheduler.rounds.TaskRun;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Saves the state of a round scheduler in sections, and brings it back. */
final class RoundSnapshots {

  private static final int VERSION = 1;
  private static final String PARAMETERS = "parameters";
  private static final String COUNTERS = "counters";
  private static final String GPUS = "gpus";
  private static final String JOBS = "jobs";
  private static final String RUNS = "runs";

  private final Map<String, String> parameters;

  RoundSnapshots(Map<String, String> parameters) {
    this.parameters = parameters;
  }

  SchedulerSnapshot save(RoundState state) {
    Map<String, SnapshotSection> sections = new LinkedHashMap<>();
    sections.put(PARAMETERS, new SnapshotSection(new LinkedHashMap<>(parameters)));
    sections.put(
        COUNTERS,
        SnapshotSection.builder()
            .put(GPUS, state.gpusSeen())
            .put(JOBS, state.jobsSeen())
            .put(RUNS, state.runs())
            .build());
    sections.put(GPUS, list(GPUS, state.fleet().all().stream().map(RoundSnapshots::save).toList()));
    sections.put(JOBS, list(JOBS, state.jobs().stream().map(RoundSnapshots::save).toList()));
    sections.put(RUNS, list(RUNS, state.running().stream().map(RoundSnapshots::save).toList()));
    return new SchedulerSnapshot(VERSION, state.now(), sections);
  }

  /**
   * Brings what was saved to a state without events.
   *
   * @throws IllegalArgumentException if it is of another version or other parameters, or
   *     contradicts itself
   */
  void load(SchedulerSnapshot snapshot, RoundState state) {
    requireMine(snapshot);
    snapshot
        .section(COUNTERS)
        .readAll(
            in ->
                state.restore(
                    snapshot.now(), in.longCount(GPUS), in.longCount(JOBS), in.longCount(RUNS)));
    each(snapshot, JOBS, in -> loadJob(in, state));
    each(snapshot, GPUS, in -> loadGpu(in, state));
    each(snapshot, RUNS, in -> loadRun(in, state));
    state.fleet().all().forEach(state::settle);
    state.fileAll(true);
    for (JobRounds job : state.jobs()) {
      if (!job.isWhole()) {
        throw contradiction("the round of job '" + job.id() + "'");
      }
    }
  }

  private void requireMine(SchedulerSnapshot snapshot) {
    Map<String, Object> then = snapshot.section(PARAMETERS).values();
    if (snapshot.version() != VERSION || !then.equals(new TreeMap<String, Object>(parameters))) {
      throw new IllegalArgumentException(
          "a snapshot must be of version %d and of the same parameters, %s, but is of version %d and of %s"
              .formatted(VERSION, parameters, snapshot.version(), then));
    }
  }

  private static SnapshotSection list(String name, List<SnapshotSection> elements) {
    return SnapshotSection.builder().list(name, elements, element -> element).build();
  }

  private static void each(
      SchedulerSnapshot snapshot, String name, Consumer<SnapshotSection.Reader> load) {
    snapshot
        .section(name)
        .readAll(
            in ->
                in.list(
                    name,
                    SnapshotSection.class,
                    section -> {
                      section.readAll(load);
                      return name;
                    }));
  }

  private static SnapshotSection save(PoolGpu gpu) {
    return put(SnapshotSection.builder(), gpu.id())
        .put("position", gpu.position())
        .text("model", gpu.model())
        .text("until", Optional.ofNullable(gpu.until))
        .list("sequence", gpu.sequence, RoundSnapshots::save)
        .build();
  }

  private static void loadGpu(SnapshotSection.Reader in, RoundState state) {
    PoolGpu gpu = new PoolGpu(in.longCount("position"), gpu(in), in.text("model", GpuModel::of));
    gpu.until = in.optionalText("until", Instant::parse).orElse(null);
    boolean isNew =
        state.fleet().find(gpu.id()) == null && state.fleet().at(gpu.position()) == null;
    if (!isNew || gpu.position() >= state.gpusSeen()) {
      throw contradiction("GPU " + gpu.id() + " at position " + gpu.position());
    }
    for (RoundTask task :
        in.list("sequence", SnapshotSection.class, each -> each.read(RoundSnapshots::task))) {
      JobRounds job = job(task.job(), state);
      gpu.sequence.add(task);
      job.restorePlanned(task);
    }
    state.fleet().add(gpu);
  }

  private static SnapshotSection save(JobRounds job) {
    RoundProgress progress = job.progress();
    return SnapshotSection.builder()
        .put("job", job.spec())
        .put("order", job.order())
        .put("round", progress.round())
        .put("synchronized", progress.synchronizedTasks())
        .put("served", job.servedTasks())
        .put("nanos", job.servedNanos())
        .put("repeated", progress.repeatedRuns())
        .list("waiting", job.waiting().stream().boxed().toList(), Integer::longValue)
        .list("times", job.times().known().entrySet(), RoundSnapshots::save)
        .build();
  }

  private static void loadJob(SnapshotSection.Reader in, RoundState state) {
    Map<GpuModel, Double> known = new TreeMap<>();
    JobSpec spec = in.value("job", JobSpec.class);
    in.list("times", SnapshotSection.class, each -> each.read(time -> loadTime(time, known)));
    JobRounds job =
        new JobRounds(spec, in.longCount("order"), state.estimates(new ComputeTimes(known)));
    job.restore(
        in.count("round"),
        in.count("synchronized"),
        in.longCount("served"),
        in.longCount("nanos"),
        in.longCount("repeated"));
    in.list("waiting", Long.class, Math::toIntExact).forEach(job::await);
    if (state.find(job.id()) != null || job.order() >= state.jobsSeen() || job.isComplete()) {
      throw contradiction("job '" + job.id() + "'");
    }
    state.addJob(job);
  }

  private static SnapshotSection save(Map.Entry<GpuModel, Double> time) {
    return SnapshotSection.builder()
        .text("model", time.getKey())
        .put("seconds", time.getValue())
        .build();
  }

  private static GpuModel loadTime(SnapshotSection.Reader in, Map<GpuModel, Double> known) {
    GpuModel model = in.text("model", GpuModel::of);
    known.put(model, in.value("seconds", Double.class));
    return model;
  }

  private static SnapshotSection save(RunningTask run) {
    return put(SnapshotSection.builder(), run.run().gpu())
        .put("number", run.run().number())
        .put("task", save(run.run().task()))
        .text("since", run.since())
        .put("charged", run.charged())
        .put("computing", (Object) run.isComputing())
        .build();
  }

  private static void loadRun(SnapshotSection.Reader in, RoundState state) {
    TaskRun run =
        new TaskRun(
            in.value("task", SnapshotSection.class).read(RoundSnapshots::task),
            gpu(in),
            in.longCount("number"));
    JobRounds job = job(run.task().job(), state);
    @Nullable PoolGpu gpu = state.fleet().find(run.gpu());
    boolean isComputing = in.value("computing", Boolean.class);
    boolean isNew = run.number() <= state.runs() && state.find(run.number()) == null;
    if (gpu == null || !isNew || (isComputing && gpu.computing != null)) {
      throw contradiction("run " + run);
    }
    RunningTask running =
        new RunningTask(run, job, gpu, in.text("since", Instant::parse), in.longCount("charged"));
    if (isComputing) {
      gpu.computing = running;
    }
    job.restore(running);
    state.keep(running);
  }

  private static JobRounds job(JobId id, RoundState state) {
    @Nullable JobRounds job = state.find(id);
    if (job == null) {
      throw contradiction("job '" + id + "', which is not there");
    }
    return job;
  }

  private static SnapshotSection save(RoundTask task) {
    return SnapshotSection.builder()
        .text("job", task.job())
        .put("round", task.round())
        .put("index", task.index())
        .build();
  }

  private static RoundTask task(SnapshotSection.Reader in) {
    return new RoundTask(in.text("job", JobId::of), in.count("round"), in.count("index"));
  }

  static SnapshotSection save(GpuId gpu) {
    return put(SnapshotSection.builder(), gpu).build();
  }

  private static SnapshotSection.Builder put(SnapshotSection.Builder out, GpuId gpu) {
    return out.text("node", gpu.node()).put("gpu", gpu.index());
  }

  static GpuId gpu(SnapshotSection.Reader in) {
    return new GpuId(in.text("node", NodeId::of), in.count("gpu"));
  }

  private static IllegalArgumentException contradiction(String what) {
    return new IllegalArgumentException(
        "a snapshot must not contradict itself, but does in " + what);
  }
}
