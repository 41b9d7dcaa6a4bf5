package io.github.liquidscheduler.benchmarks.events;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.ComputeTimes;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.TaskRun;
import io.github.liquidscheduler.rounds.scheduler.RoundPolicy;
import io.github.liquidscheduler.rounds.scheduler.RoundScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;

/**
 * GPUs of four models that are always busy: twice as many jobs as GPUs, and another for each that
 * ends. Their tasks differ as those of Hare's four kinds of jobs do.
 */
final class RoundLoad {

  private static final List<GpuModel> MODELS =
      List.of(GpuModel.of("V100"), GpuModel.of("T4"), GpuModel.of("K80"), GpuModel.of("M60"));

  private static final double[][] SPEEDS = {
    {6.9, 2.2, 1, 1.5}, {2.2, 1.95, 1, 1.2}, {4.1, 1.7, 1, 1.4}, {5.6, 1.85, 1, 1.3}
  };

  private static final int[] SCALES = {1, 2, 4, 4};

  private record Due(long order, RoundEvent event) {}

  private final RoundScheduler scheduler;
  private final Random random;
  private final Timings timings;
  private final Map<JobId, double[]> seconds = new HashMap<>();
  private final Map<GpuId, Integer> models = new HashMap<>();
  private final PriorityQueue<Due> due =
      new PriorityQueue<>(
          Comparator.comparing((Due each) -> each.event().at()).thenComparingLong(Due::order));

  private Instant now = Instant.EPOCH;
  private long events;
  private int jobs;

  RoundLoad(RoundPolicy policy, int gpus, long seed, Timings timings) {
    scheduler = RoundScheduler.builder(policy).build();
    random = new Random(seed);
    this.timings = timings;
    List<RoundEvent> fleet = new ArrayList<>();
    for (int gpu = 0; gpu < gpus; gpu++) {
      fleet.add(addition(GpuId.of("n" + gpu / 8, gpu % 8), modelAt(gpu)));
    }
    scheduler.on(fleet);
    for (int job = 0; job < 2 * gpus; job++) {
      submit();
    }
  }

  /** Half of the GPUs are V100s, a quarter T4s, as in Hare's cluster. */
  private static int modelAt(int gpu) {
    int of = gpu % 16;
    return of < 9 ? 0 : of < 13 ? 1 : of < 14 ? 2 : 3;
  }

  private RoundEvent addition(GpuId gpu, int model) {
    models.put(gpu, model);
    return new RoundEvent.GpuAdded(now, gpu, MODELS.get(model));
  }

  /** Lets so many tasks begin. */
  void run(int tasks) {
    int begun = 0;
    while (begun < tasks) {
      RoundEvent event = requireNonNull(due.poll()).event();
      now = event.at();
      begun += on(event.getClass().getSimpleName(), event);
    }
  }

  /** Loses a GPU and gets it back. */
  void replaceGpu() {
    List<GpuId> gpus = scheduler.gpus();
    GpuId gpu = gpus.get(random.nextInt(gpus.size()));
    due.removeIf(
        each -> each.event() instanceof RoundEvent.AboutRun run && run.run().gpu().equals(gpu));
    on("GpuLost", new RoundEvent.GpuLost(now, gpu));
    on("GpuAdded", addition(gpu, requireNonNull(models.get(gpu))));
  }

  private int on(String name, RoundEvent event) {
    int begun = 0;
    int ended = 0;
    for (RoundDecision decision : timings.time(name, () -> scheduler.on(event))) {
      if (decision instanceof RoundDecision.RunTask start) {
        begin(start.run());
        begun++;
      } else if (decision instanceof RoundDecision.Complete) {
        ended++;
      }
    }
    for (int job = 0; job < ended; job++) {
      begun += submit();
    }
    return begun;
  }

  private void begin(TaskRun run) {
    double[] times = requireNonNull(seconds.get(run.task().job()));
    double computing = times[requireNonNull(models.get(run.gpu()))];
    Instant computed = now.plus(duration(computing));
    Instant done = computed.plus(duration(0.1 * times[0]));
    due.add(new Due(events++, new RoundEvent.TaskComputed(computed, run)));
    due.add(new Due(events++, new RoundEvent.TaskSynchronized(done, run)));
  }

  private int submit() {
    double[] speeds = SPEEDS[random.nextInt(SPEEDS.length)];
    int slowest = 20 + random.nextInt(100);
    int scale = SCALES[random.nextInt(SCALES.length)];
    JobSpec job =
        JobSpec.builder("j" + jobs++)
            .gpus(scale)
            .synchronization(new Synchronization.RelaxedRounds(scale, 2 + random.nextInt(10)))
            .build();
    double[] times = new double[speeds.length];
    Map<GpuModel, Double> expected = new TreeMap<>();
    for (int model = 0; model < times.length; model++) {
      times[model] = slowest / speeds[model];
      expected.put(MODELS.get(model), times[model]);
    }
    seconds.put(job.id(), times);
    return on("JobSubmitted", new RoundEvent.JobSubmitted(now, job, new ComputeTimes(expected)));
  }

  private static Duration duration(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }
}
