package io.github.liquidscheduler.rounds.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.GpuSequencePlan;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.RoundTask;
import io.github.liquidscheduler.rounds.TaskRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RoundSchedulerLaws {

  private static final List<GpuModel> MODELS =
      List.of(GpuModel.of("V100"), GpuModel.of("T4"), GpuModel.of("K80"));

  @Provide
  Arbitrary<RoundPolicy> policies() {
    return Arbitraries.of(
        RoundPolicy.hlas(2, 9),
        RoundPolicy.scaleFreeHlas(),
        RoundPolicy.leastAttainedService(),
        RoundPolicy.shortestRemaining());
  }

  /** The books of {@link RoundWorld} check each decision. */
  @Property(tries = 120)
  void everyTaskRunsToItsEndOnceWhateverBecomesOfGpus(
      @ForAll long seed, @ForAll("policies") RoundPolicy policy) {
    Random random = new Random(seed);
    RoundWorld world = new RoundWorld(scheduler(policy));
    for (int step = 0; step < 40; step++) {
      happen(world, random);
    }
    finish(world);

    for (RoundWorld.Job job : world.jobs.values()) {
      if (!world.cancelled.contains(job.spec().id())) {
        assertThat(world.completed).contains(job.spec().id());
        assertThat(world.round(job)).isEqualTo(job.rounds());
      }
    }
  }

  /** Without plans. */
  @Property(tries = 100)
  void noGpuIdlesWhileATaskWaits(@ForAll long seed, @ForAll("policies") RoundPolicy policy) {
    Random random = new Random(seed);
    RoundWorld world = new RoundWorld(scheduler(policy));
    for (int step = 0; step < 25; step++) {
      happen(world, random);
      world.on(new RoundEvent.PlanProposed(world.now, new GpuSequencePlan(Map.of())));
      assertThat(isIdleFor(world)).isFalse();
    }
  }

  @Property(tries = 100)
  void tasksRunInTheOrderOfAPlan(@ForAll long seed, @ForAll("policies") RoundPolicy policy) {
    Random random = new Random(seed);
    RoundWorld world = new RoundWorld(scheduler(policy));
    for (int gpu = 0; gpu < 3; gpu++) {
      world.add(GpuId.of("n", gpu), MODELS.get(gpu));
    }
    for (int job = 0; job < 3; job++) {
      world.submit(job(random, "j" + job), true);
    }
    GpuSequencePlan plan = plan(world, random, true);
    world.on(new RoundEvent.PlanProposed(world.now, plan));
    List<TaskRun> before = world.inFlight();
    finish(world);

    plan.sequences()
        .forEach(
            (gpu, tasks) -> {
              List<RoundTask> expected = new ArrayList<>(tasks);
              before.forEach(run -> expected.remove(run.task()));
              assertThat(run(world, gpu, expected)).isEqualTo(expected);
            });
  }

  private static List<RoundTask> run(RoundWorld world, GpuId gpu, List<RoundTask> of) {
    return world.decided.stream()
        .filter(RoundDecision.RunTask.class::isInstance)
        .map(RoundDecision.RunTask.class::cast)
        .map(RoundDecision.RunTask::run)
        .filter(run -> run.gpu().equals(gpu) && of.contains(run.task()))
        .map(TaskRun::task)
        .toList();
  }

  private static RoundScheduler scheduler(RoundPolicy policy) {
    return RoundScheduler.builder(policy)
        .relativeSpeed(MODELS.get(0), 5)
        .relativeSpeed(MODELS.get(1), 2)
        .build();
  }

  private static void happen(RoundWorld world, Random random) {
    switch (random.nextInt(10)) {
      case 0, 1 -> world.submit(job(random, "j" + world.jobs.size()), random.nextBoolean());
      case 2 -> {
        GpuId gpu = GpuId.of("n", random.nextInt(4));
        if (!world.gpus.containsKey(gpu)) {
          world.add(gpu, MODELS.get(random.nextInt(3)));
        } else if (world.askedBack.containsKey(gpu)) {
          world.add(gpu, world.gpus.get(gpu));
        }
      }
      case 3 -> any(world.gpus.keySet(), random).forEach(world::lose);
      case 4 ->
          any(world.gpus.keySet(), random)
              .forEach(gpu -> world.askBack(gpu, Duration.ofSeconds(random.nextInt(8))));
      case 5 -> any(world.inFlight(), random).forEach(world::fail);
      case 6 ->
          any(world.scheduler.jobs(), random)
              .filter(job -> random.nextInt(3) == 0)
              .forEach(world::cancel);
      case 7 ->
          world.on(
              new RoundEvent.PlanProposed(world.now, plan(world, random, random.nextBoolean())));
      default -> world.advance();
    }
  }

  private static <T> Stream<T> any(Collection<T> of, Random random) {
    return of.isEmpty()
        ? Stream.empty()
        : Stream.of(List.copyOf(of).get(random.nextInt(of.size())));
  }

  private static void finish(RoundWorld world) {
    world.add(GpuId.of("last", 0), MODELS.get(0));
    int steps = 0;
    while (world.advance()) {
      assertThat(steps++).as("comes to an end").isLessThan(100_000);
    }
  }

  private static RoundWorld.Job job(Random random, String id) {
    Map<GpuModel, Integer> seconds = new LinkedHashMap<>();
    MODELS.forEach(model -> seconds.put(model, 1 + random.nextInt(6)));
    return RoundWorld.Job.of(id, 1 + random.nextInt(4), 1 + random.nextInt(4), seconds);
  }

  /**
   * Returns a plan in which rounds come in their order, or tasks in any, some of which cannot be.
   */
  private static GpuSequencePlan plan(RoundWorld world, Random random, boolean isInOrder) {
    List<RoundTask> tasks = new ArrayList<>();
    List<GpuId> gpus = new ArrayList<>(world.gpus.keySet());
    for (int round = 0; round < 4; round++) {
      for (RoundWorld.Job job : world.jobs.values()) {
        for (int index = 0; index < job.scale() && round < job.rounds(); index++) {
          tasks.add(new RoundTask(job.spec().id(), round, index));
        }
      }
    }
    if (!isInOrder) {
      Collections.shuffle(tasks, random);
      tasks.add(new RoundTask(JobId.of("nobody"), 0, 0));
      gpus.add(GpuId.of("nowhere", 0));
    }
    Map<GpuId, List<RoundTask>> sequences = new LinkedHashMap<>();
    for (RoundTask task : tasks) {
      if (!gpus.isEmpty() && (isInOrder || random.nextInt(4) > 0)) {
        sequences
            .computeIfAbsent(gpus.get(random.nextInt(gpus.size())), none -> new ArrayList<>())
            .add(task);
      }
    }
    return new GpuSequencePlan(sequences);
  }

  private static boolean isIdleFor(RoundWorld world) {
    boolean idles =
        world.gpus.keySet().stream()
            .anyMatch(
                gpu ->
                    !world.askedBack.containsKey(gpu)
                        && world.computing.values().stream()
                            .noneMatch(run -> run.gpu().equals(gpu)));
    return idles && world.jobs.values().stream().anyMatch(job -> waits(world, job));
  }

  private static boolean waits(RoundWorld world, RoundWorld.Job job) {
    if (world.isOver(job.spec().id())) {
      return false;
    }
    for (int index = 0; index < job.scale(); index++) {
      RoundTask task = new RoundTask(job.spec().id(), world.round(job), index);
      boolean isUnderWay = world.inFlight().stream().anyMatch(run -> run.task().equals(task));
      if (!world.done.contains(task) && !isUnderWay) {
        return true;
      }
    }
    return false;
  }
}
