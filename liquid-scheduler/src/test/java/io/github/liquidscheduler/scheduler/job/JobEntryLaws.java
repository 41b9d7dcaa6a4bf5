package io.github.liquidscheduler.scheduler.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.SizeSpeed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class JobEntryLaws {

  private static final Duration DAY = Duration.ofDays(1);

  @Property
  void savedAndCopiedJobsContinueLikeTheOriginal(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    JobEntry job = Entries.waiting(elastic(), 3);
    JobEntry other = job.copy();
    Instant now = Instant.EPOCH;
    for (int step = 0; step < 20; step++) {
      now = now.plusMillis(random.nextInt(3) * 1000L + random.nextInt(1000));
      long seed = random.nextLong();
      step(job, now, new Random(seed));
      step(other, now, new Random(seed));
      assertThat(shown(other, now)).isEqualTo(shown(job, now));
      if (random.nextInt(3) == 0) {
        other = random.nextBoolean() ? other.copy() : other.save().read(JobEntry::load);
      }
      Instant later = now.plusMillis(random.nextInt(3000));
      assertThat(shown(other, later)).isEqualTo(shown(job, later));
    }
  }

  private static final List<JobId> OTHERS = List.of(JobId.of("x"), JobId.of("y"));

  private static void step(JobEntry job, Instant now, Random random) {
    if (!job.isRunning()) {
      switch (random.nextInt(8)) {
        case 0 -> job.own().countBypass(1 + random.nextInt(3));
        case 1 -> job.own().countPreemption();
        case 2 -> delay(job, now, random);
        case 3 ->
            job.own().countFailure(Duration.ofSeconds(random.nextInt(3)), Duration.ofSeconds(1));
        case 4 ->
            new JobTransition(job, now).startAfter(OTHERS, on(size(random)), now.plusSeconds(1));
        case 5 -> new JobTransition(job, now).launch(on(size(random)));
        default -> new JobTransition(job, now).start(on(size(random)));
      }
      return;
    }
    if (job.isStarting()) {
      switch (random.nextInt(4)) {
        case 0 -> new JobTransition(job, now).stopAwaiting(OTHERS.getFirst());
        case 1 -> new JobTransition(job, now).stop(false);
        case 2 -> new JobTransition(job, now).launch();
        default -> new JobTransition(job, now).begin(now);
      }
      return;
    }
    if (!job.hasBegun()) {
      switch (random.nextInt(4)) {
        case 0 -> new JobTransition(job, now).stop(false);
        case 1 -> new JobTransition(job, now).runAt(0.5 + random.nextDouble(), 1);
        case 2 -> new JobTransition(job, now).begin(job.since());
        default -> new JobTransition(job, now).begin(now);
      }
      return;
    }
    switch (random.nextInt(11)) {
      case 0, 1 -> new JobTransition(job, now).progress(progress(random));
      case 2 -> new JobTransition(job, now).stop(random.nextInt(3) > 0);
      case 3 ->
          new JobTransition(job, now).runAt(0.5 + random.nextDouble(), 0.5 + random.nextDouble());
      case 4 -> new JobTransition(job, now).beginProfile();
      case 5 -> new JobTransition(job, now).endProfile(List.of());
      case 6 ->
          new JobTransition(job, now)
              .endProfile(List.of(new SizeSpeed(size(random), 1 + random.nextInt(9))));
      case 7 ->
          job.own()
              .drift(
                  job.history().drift().after(job.size(), 1 + random.nextInt(9), .5, size -> size));
      case 8 ->
          job.own()
              .gpuSpeeds(
                  job.history().gpuSpeeds().with(GpuModel.of("V100"), 1 + random.nextInt(9)));
      default -> {
        if (job.resizing().isEmpty()) {
          new JobTransition(job, now).resize(on(size(random)), List.of());
        } else if (random.nextBoolean()) {
          new JobTransition(job, now).readyToResize();
        } else {
          new JobTransition(job, now).endResize(job.placement().orElseThrow());
        }
      }
    }
  }

  private static void delay(JobEntry job, Instant now, Random random) {
    switch (random.nextInt(3)) {
      case 0 -> new JobTransition(job, now).delayUntil(now.plusSeconds(1));
      case 1 ->
          new JobTransition(job, now).holdUntil(Optional.of(now.plusSeconds(random.nextInt(3))));
      default -> new JobTransition(job, now).endDelay();
    }
  }

  private static Progress progress(Random random) {
    Progress progress = Progress.of(random.nextInt(100), random.nextInt(3));
    return random.nextBoolean()
        ? progress
        : new Progress(
            progress.iterations(),
            progress.iterationsPerSecond(),
            Optional.of(Duration.ofMillis(random.nextInt(100_000))));
  }

  private static List<Object> shown(JobEntry job, Instant now) {
    JobAtInstant view = job.at(now);
    JobHistory history = job.history();
    List<Object> all = new ArrayList<>(List.of(job.save().values(), job.sequence()));
    all.addAll(List.of(view.since(), view.executed(), view.attained(), view.remaining()));
    all.addAll(List.of(view.attains(DAY), view.preemptions(), view.gpus(), job.speed().pace(job)));
    all.addAll(List.of(view.timeLeft(), job.expectedEnd(now), job.knownAt(), history.sizedAt()));
    all.addAll(
        List.of(history.failures(), history.drift().hasDrifted(), history.speeds().sizesSeen()));
    all.addAll(
        List.of(
            history.bypassed(), job.history().hasRun(), job.isProfiling(), history.wasProfiled()));
    return all;
  }

  @Property
  void workIsTheSumOverAllSizes(@ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    JobEntry job = Entries.waiting(elastic(), 3);
    Instant now = Instant.EPOCH;
    long seconds = 0;
    long gpuSeconds = 0;
    int size = 0;
    for (int step = 0; step < 12; step++) {
      int passed = 4 * random.nextInt(1000);
      now = now.plusSeconds(passed);
      seconds += size == 0 ? 0 : passed;
      gpuSeconds += (long) size * passed;

      JobAtInstant view = job.at(now);
      assertThat(view.executed()).isEqualTo(Duration.ofSeconds(seconds));
      assertThat(view.attained()).isEqualTo(Duration.ofSeconds(gpuSeconds));
      // It takes a day with 4 tasks.
      Duration left = DAY.minusSeconds(gpuSeconds / 4);
      assertThat(view.timeLeft())
          .contains(
              left.isNegative()
                  ? Duration.ZERO
                  : size == 0 ? left : left.multipliedBy(4).dividedBy(size));

      if (size == 0) {
        size = size(random);
        new JobTransition(job, now).start(on(size));
      } else if (random.nextInt(3) == 0) {
        new JobTransition(job, now).stop(true);
        size = 0;
      } else {
        size = size(random);
        new JobTransition(job, now).resize(on(size), List.of());
        new JobTransition(job, now).endResize(on(size));
      }
    }
  }

  private static int size(Random random) {
    return List.of(2, 4, 8).get(random.nextInt(3));
  }

  private static JobSpec.Builder elastic() {
    return JobSpec.builder("j")
        .role("worker", 4, ResourceRequest.ofGpus(1))
        .parallelism(Parallelism.between(2, 4, 8))
        .expectedWork(ExpectedWork.ofDuration(DAY));
  }

  private static Placement on(int gpus) {
    return Entries.on("j", "n0", IntStream.range(0, gpus).toArray());
  }
}
