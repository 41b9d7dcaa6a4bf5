package io.github.liquidscheduler.rounds.scheduler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.rounds.ComputeTimes;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.RoundTask;
import io.github.liquidscheduler.rounds.TaskRun;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A pool on a cluster where gangs come and go and nodes are lost, with books of its own. */
class RoundPoolLaws {

  private static final JobId POOL = JobId.of("pool");
  private static final Duration GRACE = Duration.ofSeconds(20);
  private static final Duration SHRINKING = Duration.ofSeconds(15);

  @Property(tries = 100)
  void tasksRunOnlyOnWhatThePoolHoldsAndNoneIsLostOrDoneTwice(@ForAll long seed) {
    World world = new World(new Random(seed));
    world.begin();
    for (int step = 0; step < 80; step++) {
      world.happen();
    }
    world.finish();
  }

  /** The cluster, the pool and the gangs. */
  private static final class World {
    private final Random random;
    private final Scheduler cluster;
    private RoundPool pool =
        RoundPool.of(POOL, SHRINKING, RoundScheduler.builder(RoundPolicy.hlas(20, 100)).build());

    private Instant now = Instant.EPOCH;
    private int jobs;
    private final Map<Long, TaskRun> runs = new TreeMap<>();
    private final Map<Long, Instant> due = new LinkedHashMap<>();
    private final Set<RoundTask> done = new HashSet<>();
    private final Set<RoundTask> expected = new LinkedHashSet<>();
    private final Map<JobId, Placement> present = new LinkedHashMap<>();
    private final Map<JobId, Decision.Start> starting = new LinkedHashMap<>();
    private final Map<JobId, Instant> leaving = new LinkedHashMap<>();
    private final Deque<ClusterEvent> untold = new ArrayDeque<>();
    private boolean isTelling;
    private final Set<NodeId> lost = new LinkedHashSet<>();
    private final Map<GpuId, Instant> mustLeave = new LinkedHashMap<>();

    World(Random random) {
      this.random = random;
      ClusterTopology.Builder topology = ClusterTopology.builder();
      for (int node = 0; node < 4; node++) {
        GpuModel model = GpuModel.of(node < 2 ? "V100" : "T4");
        topology.node(Node.builder("n" + node).gpus(2, model, Memory.ofGib(16)).build());
      }
      List<SchedulingPolicy> policies =
          List.of(Policies.fifo(), Policies.priority(), Policies.leastAttainedService());
      cluster =
          LiquidScheduler.builder(topology.build())
              .policy(policies.get(random.nextInt(3)))
              .preemption(PreemptionRules.NONE.gracePeriod(GRACE))
              .elasticity(
                  Elasticity.by(SizingPolicy.elasticTiresias())
                      .coolDown(Duration.ofSeconds(10))
                      .pendingLimit(0)
                      .build())
              .build();
    }

    void begin() {
      JobSpec spec =
          JobSpec.builder(POOL)
              .role("node", 2, ResourceRequest.ofGpus(2))
              .parallelism(Parallelism.between(1, 2, 4))
              .build();
      on(new ClusterEvent.JobSubmitted(now, spec));
    }

    void happen() {
      switch (random.nextInt(8)) {
        case 0 -> submitRounds();
        case 1 -> submitGang();
        case 2 -> loseOrReturn();
        case 3 -> finishGang();
        default -> advance(now.plusSeconds(1 + random.nextInt(12)));
      }
      check();
    }

    /** Everybody but the pool leaves, and every task has to come to its end. */
    void finish() {
      List.copyOf(lost).forEach(this::giveBack);
      for (int turn = 0; turn < 3000 && !done.containsAll(expected); turn++) {
        finishGang();
        advance(now.plusSeconds(10));
        check();
      }
      assertThat(done)
          .as(
              "%s, pool %s, gangs %s, starting %s, leaving %s",
              cluster.status(POOL),
              pool.snapshot().sections().get("pool"),
              present,
              starting,
              leaving)
          .containsExactlyInAnyOrderElementsOf(expected);
    }

    private void submitRounds() {
      int scale = 1 + random.nextInt(3);
      int rounds = 1 + random.nextInt(4);
      JobSpec spec =
          JobSpec.builder("r" + jobs++)
              .gpus(scale)
              .synchronization(new Synchronization.RelaxedRounds(scale, rounds))
              .build();
      for (int round = 0; round < rounds; round++) {
        for (int index = 0; index < scale; index++) {
          expected.add(new RoundTask(spec.id(), round, index));
        }
      }
      carryOut(pool.on(List.of(new RoundEvent.JobSubmitted(now, spec, ComputeTimes.UNKNOWN))));
    }

    private void submitGang() {
      JobSpec gang =
          JobSpec.builder("g" + jobs++)
              .gpus(1 + random.nextInt(6))
              .priority(random.nextInt(3) - 1)
              .build();
      on(new ClusterEvent.JobSubmitted(now, gang));
    }

    private void finishGang() {
      List<JobId> gangs = new ArrayList<>(present.keySet());
      gangs.removeAll(leaving.keySet());
      if (!gangs.isEmpty()) {
        JobId gang = gangs.get(random.nextInt(gangs.size()));
        present.remove(gang);
        on(new ClusterEvent.JobFinished(now, gang));
        left(gang);
      }
    }

    private void loseOrReturn() {
      NodeId node = NodeId.of("n" + random.nextInt(4));
      if (lost.contains(node)) {
        giveBack(node);
      } else if (lost.size() < 2) {
        lost.add(node);
        runs.values().removeIf(run -> run.gpu().node().equals(node));
        List<JobId> gone = new ArrayList<>();
        present.forEach(
            (gang, placement) -> {
              if (placement.nodes().contains(node)) {
                gone.add(gang);
              }
            });
        gone.forEach(present::remove);
        carryOut(pool.on(List.of(new RoundEvent.NodeLost(now, node))));
        on(new ClusterEvent.NodeLost(now, node));
        gone.forEach(this::leave);
      }
    }

    private void giveBack(NodeId node) {
      lost.remove(node);
      on(new ClusterEvent.NodeReturned(now, node));
    }

    /** Lets time pass, from one thing that happens by itself to the next. */
    private void advance(Instant to) {
      while (now.isBefore(to)) {
        Instant next = to;
        for (Instant at : due.values()) {
          next = at.isAfter(now) && at.isBefore(next) ? at : next;
        }
        for (Instant at : leaving.values()) {
          next = at.isAfter(now) && at.isBefore(next) ? at : next;
        }
        for (Optional<Instant> wake : List.of(pool.nextWakeUp(), cluster.nextWakeUp())) {
          next = wake.isPresent() && wake.get().isBefore(next) ? wake.get() : next;
        }
        now = next.isAfter(now) ? next : now;
        runTasks();
        carryOut(pool.on(List.of(new RoundEvent.TimePassed(now))));
        for (JobId gang : List.copyOf(leaving.keySet())) {
          if (!requireNonNull(leaving.get(gang)).isAfter(now)) {
            leave(gang);
          }
        }
        on(new ClusterEvent.TimePassed(now));
        if (!next.isAfter(now) && cluster.nextWakeUp().filter(now::equals).isPresent()) {
          now = now.plusNanos(1);
        }
      }
    }

    private void runTasks() {
      List<RoundEvent> events = new ArrayList<>();
      for (TaskRun run : List.copyOf(runs.values())) {
        if (!requireNonNull(due.get(run.number())).isAfter(now)) {
          runs.remove(run.number());
          due.remove(run.number());
          assertThat(done.add(run.task())).as("%s is done once", run).isTrue();
          events.add(new RoundEvent.TaskSynchronized(now, run));
        }
      }
      if (!events.isEmpty()) {
        carryOut(pool.on(events));
      }
      due.keySet().retainAll(runs.keySet());
    }

    private void leave(JobId gang) {
      leaving.remove(gang);
      present.remove(gang);
      if (cluster.status(gang).filter(JobStatus.Stopping.class::isInstance).isPresent()) {
        on(new ClusterEvent.JobStopped(now, gang));
      }
      left(gang);
    }

    /** Takes note that a gang, or the pool, has left what it held. */
    private void left(JobId job) {
      carryOut(pool.left(now, job));
      for (Decision.Start start : List.copyOf(starting.values())) {
        if (start.after().contains(job)) {
          List<JobId> after = new ArrayList<>(start.after());
          after.remove(job);
          start(new Decision.Start(start.job(), start.placement(), start.why(), after));
        }
      }
    }

    /** Tells the scheduler, and then what has to be reported, each when the one before is done. */
    private void on(ClusterEvent event) {
      untold.add(event);
      if (!isTelling) {
        isTelling = true;
        while (!untold.isEmpty()) {
          ClusterEvent next = untold.removeFirst();
          tell(next);
          if (isOfPool(next)) {
            left(POOL);
          }
        }
        isTelling = false;
      }
    }

    private static boolean isOfPool(ClusterEvent event) {
      return switch (event) {
        case ClusterEvent.JobStopped stopped -> stopped.job().equals(POOL);
        case ClusterEvent.ResizeReported report -> true;
        default -> false;
      };
    }

    private void tell(ClusterEvent event) {
      List<Decision> decisions = cluster.on(event);
      RoundPool.Outcome outcome = pool.take(now, decisions, cluster.view().topology());
      outcome.decisions().forEach(this::carryOut);
      boolean isPoolGone = false;
      for (Decision decision : decisions) {
        if (decision instanceof Decision.Preempt preemption && preemption.job().equals(POOL)) {
          isPoolGone = preemption.until().isEmpty();
        } else if (decision instanceof Decision.Preempt preemption) {
          preempt(preemption);
        }
      }
      for (Decision decision : decisions) {
        if (decision instanceof Decision.Start start && !start.job().equals(POOL)) {
          start(start);
        }
      }
      askBack();
      if (isPoolGone || holdings().isEmpty()) {
        left(POOL);
      }
      outcome.reports().forEach(this::on);
    }

    private void preempt(Decision.Preempt preemption) {
      boolean hasBegun = starting.remove(preemption.job()) == null;
      if (preemption.until().isEmpty()) {
        present.remove(preemption.job());
        left(preemption.job());
      } else {
        long within = Duration.between(now, preemption.until().get()).toSeconds();
        int seconds = hasBegun ? random.nextInt((int) within + 1) : 0;
        leaving.put(preemption.job(), now.plusSeconds(seconds));
      }
    }

    private void start(Decision.Start start) {
      if (!start.after().isEmpty()) {
        starting.put(start.job(), start);
        return;
      }
      starting.remove(start.job());
      Set<GpuId> gpus = gpus(start.placement());
      assertThat(runs.values()).as("GPUs of " + start).noneMatch(run -> gpus.contains(run.gpu()));
      present.put(start.job(), start.placement());
    }

    private void carryOut(RoundPool.Outcome outcome) {
      outcome.decisions().forEach(this::carryOut);
      outcome.reports().forEach(this::on);
    }

    private void carryOut(RoundDecision decision) {
      switch (decision) {
        case RoundDecision.RunTask start -> run(start.run());
        case RoundDecision.StopTask stop -> runs.remove(stop.run().number());
        case RoundDecision.GiveBack back ->
            assertThat(runs.values()).noneMatch(run -> run.gpu().equals(back.gpu()));
        case RoundDecision.Complete complete -> {}
      }
    }

    private void run(TaskRun run) {
      assertThat(done).doesNotContain(run.task());
      assertThat(runs.values())
          .noneMatch(other -> other.task().equals(run.task()) || other.gpu().equals(run.gpu()));
      runs.put(run.number(), run);
      due.put(run.number(), now.plusSeconds(1 + random.nextInt(30)));
    }

    /** Checks who is where, and that a pool restored from a snapshot is the same. */
    private void check() {
      Set<GpuId> held = holdings();
      assertThat(runs.values()).allMatch(run -> held.contains(run.gpu()));
      for (Placement placement : present.values()) {
        Set<GpuId> theirs = gpus(placement);
        assertThat(runs.values()).noneMatch(run -> theirs.contains(run.gpu()));
      }
      askBack();
      mustLeave.forEach((gpu, until) -> assertThat(until).as("%s is back", gpu).isAfter(now));
      RoundPool restored =
          RoundPool.restore(RoundScheduler.builder(RoundPolicy.hlas(20, 100)), pool.snapshot());
      assertThat(restored.snapshot()).isEqualTo(pool.snapshot());
      pool = restored;
    }

    /** Takes note of when the GPUs that the pool shall not keep have to be given back. */
    private void askBack() {
      Optional<JobStatus> status = cluster.status(POOL);
      Set<GpuId> kept =
          switch (status.orElseThrow()) {
            case JobStatus.Starting starting -> gpus(starting.placement());
            case JobStatus.Running running -> gpus(running.placement());
            case JobStatus.Resizing resizing -> gpus(resizing.next());
            default -> new LinkedHashSet<>();
          };
      Instant until =
          status.get() instanceof JobStatus.Stopping stopping
              ? stopping.until()
              : now.plus(SHRINKING);
      mustLeave.keySet().retainAll(pool.gpus());
      mustLeave.keySet().removeAll(kept);
      for (GpuId gpu : pool.gpus()) {
        if (!kept.contains(gpu)) {
          mustLeave.merge(gpu, until, (one, other) -> one.isBefore(other) ? one : other);
        }
      }
    }

    /** Returns the GPUs that the scheduler of the cluster lets the pool have now. */
    private Set<GpuId> holdings() {
      return cluster
          .status(POOL)
          .map(
              status ->
                  switch (status) {
                    case JobStatus.Starting starting -> gpus(starting.placement());
                    case JobStatus.Running running -> gpus(running.placement());
                    case JobStatus.Stopping stopping -> gpus(stopping.placement());
                    case JobStatus.Resizing resizing -> {
                      Set<GpuId> both = gpus(resizing.placement());
                      both.addAll(gpus(resizing.next()));
                      yield both;
                    }
                    default -> new LinkedHashSet<GpuId>();
                  })
          .orElse(new LinkedHashSet<>());
    }

    private static Set<GpuId> gpus(Placement placement) {
      Set<GpuId> gpus = new LinkedHashSet<>();
      for (TaskPlacement task : placement.tasks()) {
        task.gpus().forEach(index -> gpus.add(new GpuId(task.node(), index)));
      }
      return gpus;
    }
  }
}
