package io.github.liquidscheduler.scheduler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.RoundProgress;
import io.github.liquidscheduler.rounds.RoundTask;
import io.github.liquidscheduler.rounds.TaskRun;
import io.github.liquidscheduler.rounds.scheduler.PooledScheduler;
import io.github.liquidscheduler.rounds.scheduler.PooledScheduler.Step;
import io.github.liquidscheduler.rounds.scheduler.RoundPolicy;
import io.github.liquidscheduler.rounds.scheduler.RoundScheduler;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.testkit.PresenceLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Jobs of rounds beside ordinary jobs, with books of who is really there: those of the cluster, in
 * which a job of rounds is there with all GPUs that its pool has of it, and those of its tasks.
 */
final class PooledWorld {

  private static final Duration GRACE = Duration.ofSeconds(15);

  private static final RoundProgress UNBEGUN = new RoundProgress(0, 0, 0, 0);

  private final Random random;
  private final Supplier<LiquidScheduler.Builder> options;
  private final List<String> queues;
  private final PresenceLedger books = new PresenceLedger();
  private PooledScheduler scheduler;
  private Instant now = Instant.EPOCH;
  private int submitted;
  private int events;

  private final Map<JobId, JobSpec> ofRounds = new TreeMap<>();
  private final Set<JobId> ordinary = new TreeSet<>();
  private final Set<JobId> over = new TreeSet<>();
  private final Set<TaskRun> computing = new LinkedHashSet<>();
  private final Set<TaskRun> synchronizing = new LinkedHashSet<>();
  private final Set<RoundTask> done = new HashSet<>();
  private final Map<JobId, Decision.Resize> resizes = new LinkedHashMap<>();
  private final List<ClusterEvent> answers = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private final Set<NodeId> down = new TreeSet<>();
  private final Set<GpuId> lost = new LinkedHashSet<>();

  PooledWorld(Random random, Supplier<LiquidScheduler.Builder> options, Optional<QueueTree> tree) {
    this.random = random;
    this.options = options;
    queues = tree.isPresent() ? List.of("a", "b") : List.of("default");
    scheduler = PooledScheduler.around(recorded(options.get().build()), tasks(), GRACE);
    tree.ifPresent(queue -> send(new ClusterEvent.QueuesChanged(now, queue)));
  }

  private static RoundScheduler.Builder tasks() {
    return RoundScheduler.builder(RoundPolicy.hlas(20, 100));
  }

  private Scheduler recorded(Scheduler cluster) {
    return new RecordedScheduler(cluster, books);
  }

  /** Lets something happen, or time pass. */
  void happen() {
    switch (random.nextInt(16)) {
      case 0, 1 -> submitRounds();
      case 2, 3 -> submitOrdinary();
      case 4 -> changeNode();
      case 5 -> changeGpu();
      case 6 -> any(running()).ifPresent(this::finish);
      case 7 -> cancel();
      case 8 -> update();
      case 9 -> any(List.copyOf(resizes.keySet())).ifPresent(this::switchSize);
      case 10 -> any(stopping()).ifPresent(this::stop);
      case 11, 12, 13 -> anyRun().ifPresent(this::report);
      default -> pass(Duration.ofSeconds(1 + random.nextInt(12)));
    }
  }

  /** Everything that is down comes back and everybody does what is left to do. */
  void comeToAnEnd() {
    List.copyOf(down).forEach(this::giveBack);
    List.copyOf(lost).forEach(this::giveBack);
    for (int turn = 0; turn < 400 && !isOver(); turn++) {
      List.copyOf(resizes.keySet()).forEach(this::switchSize);
      stopping().forEach(this::stop);
      running().forEach(this::finish);
      List.copyOf(computing).forEach(this::reportIfThere);
      List.copyOf(synchronizing).forEach(this::reportIfThere);
      pass(Duration.ofSeconds(30));
    }
    assertThat(over).as("jobs that are over").containsAll(ofRounds.keySet());
    assertThat(scheduler.snapshot().section("rounds").values()).doesNotContainKey("pools");
  }

  private boolean isOver() {
    return over.containsAll(ofRounds.keySet())
        && scheduler.snapshot().section("rounds").values().get("pools") == null;
  }

  private void submitRounds() {
    int scale = 1 + random.nextInt(3);
    int rounds = 1 + random.nextInt(3);
    JobSpec spec = ofRounds("r" + submitted++, scale, rounds, random.nextInt(3));
    ofRounds.put(spec.id(), spec);
    send(new ClusterEvent.JobSubmitted(now, spec));
  }

  private JobSpec ofRounds(String id, int scale, int rounds, int priority) {
    return JobSpec.builder(id)
        .queue(queues.get(submitted % queues.size()))
        .gpus(scale)
        .priority(priority)
        .synchronization(new Synchronization.RelaxedRounds(scale, rounds))
        .build();
  }

  private void submitOrdinary() {
    int gpus = 1 + random.nextInt(4);
    JobSpec.Builder spec =
        JobSpec.builder("o" + submitted++)
            .queue(queues.get(random.nextInt(queues.size())))
            .gpus(gpus)
            .priority(random.nextInt(3));
    if (random.nextBoolean()) {
      spec.parallelism(Parallelism.between(1, gpus, gpus + 2));
    }
    ordinary.add(JobId.of("o" + (submitted - 1)));
    send(new ClusterEvent.JobSubmitted(now, spec.build()));
  }

  private void changeNode() {
    NodeId node = NodeId.of("n" + random.nextInt(4));
    if (down.contains(node)) {
      giveBack(node);
    } else if (down.size() < 2) {
      down.add(node);
      if (random.nextBoolean()) {
        forget(run -> run.gpu().node().equals(node));
        send(new ClusterEvent.NodeLost(now, node));
      } else {
        Optional<Instant> until =
            Optional.of(now.plusSeconds(random.nextInt(30))).filter(at -> random.nextBoolean());
        send(new ClusterEvent.NodeDraining(now, node, until));
      }
    }
  }

  private void changeGpu() {
    GpuId gpu = GpuId.of("n" + random.nextInt(4), random.nextInt(2));
    if (lost.contains(gpu)) {
      giveBack(gpu);
    } else if (lost.size() < 2 && scheduler.view().health(gpu.node()) != NodeHealth.LOST) {
      lost.add(gpu);
      forget(run -> run.gpu().equals(gpu));
      send(new ClusterEvent.GpuLost(now, gpu));
    }
  }

  private void forget(Predicate<TaskRun> isGone) {
    computing.removeIf(isGone);
    synchronizing.removeIf(isGone);
  }

  private void giveBack(NodeId node) {
    down.remove(node);
    send(new ClusterEvent.NodeReturned(now, node));
  }

  private void giveBack(GpuId gpu) {
    lost.remove(gpu);
    send(new ClusterEvent.GpuReturned(now, gpu));
  }

  private void cancel() {
    List<JobId> all = new ArrayList<>(ofRounds.keySet());
    all.addAll(ordinary);
    all.removeAll(over);
    if (random.nextInt(3) == 0) {
      any(all)
          .ifPresent(
              job -> {
                over.add(job);
                resizes.remove(job);
                send(new ClusterEvent.JobCancelled(now, job));
              });
    }
  }

  /** Gives a job that waits another priority, and other rounds if it has not begun. */
  private void update() {
    List<JobId> waiting =
        scheduler.waiting().stream()
            .filter(job -> ofRounds.containsKey(job) && !over.contains(job))
            .filter(
                job ->
                    scheduler.status(job).filter(JobStatus.Waiting.class::isInstance).isPresent())
            .toList();
    any(waiting)
        .ifPresent(
            job -> {
              JobSpec.Builder spec = requireNonNull(ofRounds.get(job)).toBuilder();
              boolean mayChange =
                  scheduler.progress(job).filter(UNBEGUN::equals).isPresent()
                      && random.nextBoolean();
              if (mayChange) {
                spec.roles(List.of()).gpus(2);
                spec.synchronization(new Synchronization.RelaxedRounds(2, 2));
              }
              JobSpec updated = spec.priority(random.nextInt(3)).build();
              ofRounds.put(job, updated);
              send(new ClusterEvent.JobUpdated(now, updated));
            });
  }

  private List<JobId> running() {
    return ordinary.stream()
        .filter(job -> !over.contains(job))
        .filter(
            job ->
                scheduler
                    .status(job)
                    .filter(
                        status ->
                            status instanceof JobStatus.Running
                                || status instanceof JobStatus.Resizing)
                    .isPresent())
        .toList();
  }

  private List<JobId> stopping() {
    return ordinary.stream()
        .filter(
            job -> scheduler.status(job).filter(JobStatus.Stopping.class::isInstance).isPresent())
        .toList();
  }

  private void finish(JobId job) {
    if (running().contains(job)) {
      over.add(job);
      resizes.remove(job);
      send(new ClusterEvent.JobFinished(now, job));
    }
  }

  private void stop(JobId job) {
    if (stopping().contains(job)) {
      send(new ClusterEvent.JobStopped(now, job));
    }
  }

  private void switchSize(JobId job) {
    Decision.Resize resize = requireNonNull(resizes.get(job));
    boolean isUnderWay =
        scheduler.status(job).filter(JobStatus.Resizing.class::isInstance).isPresent();
    if (!isUnderWay) {
      resizes.remove(job);
    } else if (books.mayGrow(job)) {
      resizes.remove(job);
      send(new ClusterEvent.ResizeReported(now, job, resize.number(), ResizeStep.SWITCHED));
    }
  }

  private Optional<TaskRun> anyRun() {
    List<TaskRun> runs = new ArrayList<>(computing);
    runs.addAll(synchronizing);
    return any(runs);
  }

  private void reportIfThere(TaskRun run) {
    if (computing.contains(run) || synchronizing.contains(run)) {
      report(run);
    }
  }

  private void report(TaskRun run) {
    boolean isComputing = computing.remove(run);
    if (random.nextInt(8) == 0) {
      synchronizing.remove(run);
      tell(new RoundEvent.TaskFailed(now, run));
    } else if (isComputing && random.nextBoolean()) {
      synchronizing.add(run);
      tell(new RoundEvent.TaskComputed(now, run));
    } else {
      synchronizing.remove(run);
      assertThat(done.add(run.task())).as("%s is done once", run).isTrue();
      tell(new RoundEvent.TaskSynchronized(now, run));
    }
  }

  private void pass(Duration time) {
    Instant to = now.plus(time);
    for (int wakeUps = 0; wakeUps < 20 && now.isBefore(to); wakeUps++) {
      Instant wake = scheduler.nextWakeUp().filter(to::isAfter).orElse(to);
      now = wake.isBefore(now) ? now : wake;
      send(new ClusterEvent.TimePassed(now));
    }
    now = to;
  }

  private <T> Optional<T> any(List<T> of) {
    return of.isEmpty() ? Optional.empty() : Optional.of(of.get(random.nextInt(of.size())));
  }

  private void send(ClusterEvent event) {
    play(event, each -> each.on(event));
    while (!answers.isEmpty()) {
      ClusterEvent answer = answers.removeFirst();
      play(answer, each -> each.on(answer));
    }
  }

  private void tell(RoundEvent event) {
    play(event, each -> each.on(List.of(event)));
    while (!answers.isEmpty()) {
      ClusterEvent answer = answers.removeFirst();
      play(answer, each -> each.on(answer));
    }
  }

  /** Has the scheduler decide, a copy or a restored one the same, and goes on with either. */
  private void play(Object what, Function<PooledScheduler, List<Step>> event) {
    SchedulerSnapshot snapshot = scheduler.snapshot();
    PooledScheduler copy =
        events % 2 == 0 ? scheduler.copy() : restored(snapshot, options.get()::restore);
    if (events++ % 3 == 0) {
      scheduler = restored(snapshot, saved -> recorded(options.get().restore(saved)));
    }
    List<Step> steps = event.apply(scheduler);
    assertThat(event.apply(copy)).as("of a copy or a restored scheduler").isEqualTo(steps);
    requireSame(copy.snapshot(), scheduler.snapshot());
    log.add("%s: %s".formatted(what, steps));
    try {
      steps.forEach(this::carryOut);
      check();
    } catch (AssertionError failure) {
      String last = String.join("\n", log.subList(Math.max(0, log.size() - 12), log.size()));
      throw new AssertionError(failure.getMessage() + "\n" + last, failure);
    }
  }

  private void requireSame(SchedulerSnapshot one, SchedulerSnapshot other) {
    assertThat(one.sections()).hasSameSizeAs(other.sections());
    one.sections()
        .forEach(
            (name, section) ->
                assertThat(section.values())
                    .as("%s before %s", name, log)
                    .containsExactlyEntriesOf(other.section(name).values()));
  }

  private static PooledScheduler restored(
      SchedulerSnapshot snapshot, Function<SchedulerSnapshot, Scheduler> cluster) {
    return PooledScheduler.restore(cluster, tasks(), GRACE, snapshot);
  }

  private void carryOut(Step step) {
    switch (step) {
      case Step.Task task -> carryOut(task.decision());
      case Step.Cluster cluster -> carryOut(cluster.decision());
      case Step.Pool pool ->
          assertThat(ofRounds).containsKey(((Decision.AboutJob) pool.decision()).job());
      case Step.Report report ->
          assertThat(ofRounds).containsKey(((ClusterEvent.AboutJob) report.event()).job());
    }
  }

  private void carryOut(Decision decision) {
    switch (decision) {
      case Decision.Reject reject -> over.add(reject.job());
      case Decision.RequestPlan request ->
          answers.add(
              new ClusterEvent.PlanProposed(now, BatchPlanners.greedy().plan(request.request())));
      case Decision.Resize resize -> resizes.put(resize.job(), resize);
      case Decision.AboutJob about -> resizes.remove(about.job());
      default -> {}
    }
  }

  private void carryOut(RoundDecision decision) {
    switch (decision) {
      case RoundDecision.RunTask start -> {
        TaskRun run = start.run();
        assertThat(done).doesNotContain(run.task());
        assertThat(over).doesNotContain(run.task().job());
        assertThat(computing).noneMatch(other -> other.gpu().equals(run.gpu()));
        assertThat(inFlight()).noneMatch(other -> other.task().equals(run.task()));
        computing.add(run);
      }
      case RoundDecision.StopTask stop -> {
        assertThat(inFlight()).contains(stop.run());
        computing.remove(stop.run());
        synchronizing.remove(stop.run());
      }
      case RoundDecision.GiveBack back ->
          assertThat(inFlight()).noneMatch(run -> run.gpu().equals(back.gpu()));
      case RoundDecision.Complete complete -> {
        assertThat(over.add(complete.job())).as("%s ends once", complete.job()).isTrue();
        assertThat(done.stream().filter(task -> task.job().equals(complete.job())))
            .hasSize(tasks(requireNonNull(ofRounds.get(complete.job()))));
      }
    }
  }

  private static int tasks(JobSpec job) {
    Synchronization.RelaxedRounds rounds = (Synchronization.RelaxedRounds) job.synchronization();
    return rounds.rounds() * rounds.tasksPerRound();
  }

  private List<TaskRun> inFlight() {
    List<TaskRun> runs = new ArrayList<>(computing);
    runs.addAll(synchronizing);
    return runs;
  }

  /** Checks that each task is on a GPU that a job of its pool is on, and nobody else. */
  private void check() {
    for (TaskRun run : inFlight()) {
      JobSpec job = requireNonNull(ofRounds.get(run.task().job()));
      assertThat(books.on(run.gpu())).as("who is on the GPU of %s", run).hasSize(1);
      assertThat(ofRounds.get(books.on(run.gpu()).getFirst()))
          .as("the job that brought the GPU of %s", run)
          .isNotNull()
          .extracting(JobSpec::queue)
          .isEqualTo(job.queue());
    }
  }

  static ClusterTopology cluster() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int n = 0; n < 4; n++) {
      cluster.node(
          Node.builder("n" + n)
              .gpus(2, GpuModel.of(n < 2 ? "V100" : "T4"), Memory.ofGib(16))
              .build());
    }
    return cluster.build();
  }
}
