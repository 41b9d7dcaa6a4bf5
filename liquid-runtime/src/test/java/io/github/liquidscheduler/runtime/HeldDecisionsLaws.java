package io.github.liquidscheduler.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.RefusedEventException;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.PlanSource;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.lifecycle.AfterProperty;

/** Whoever carries out each decision as it is handed out never puts two jobs on one GPU. */
class HeldDecisionsLaws {

  private static final List<SchedulingPolicy> POLICIES =
      List.of(
          Policies.priority(),
          Policies.shortestRemainingTimeFirst(),
          Policies.leastAttainedService(List.of(Duration.ofSeconds(90))));

  private static final PlanCertificate CERTIFICATE = new PlanCertificate(0, 0, 0, 0, List.of());
  private static final TaskRole SMALL = new TaskRole("worker", 1, ResourceRequest.ofGpus(1));
  private static final TaskRole LARGE = new TaskRole("worker", 1, ResourceRequest.ofGpus(3));

  private record World(
      SchedulingPolicy policy,
      Duration grace,
      boolean isElastic,
      int nodes,
      List<ClusterStep> steps) {

    LiquidScheduler.Builder options(ClusterTopology cluster) {
      LiquidScheduler.Builder options =
          LiquidScheduler.builder(cluster)
              .policy(policy)
              .preemption(
                  PreemptionRules.NONE.gracePeriod(grace).moving(3).movePause(Duration.ZERO));
      return isElastic
          ? options.elasticity(
              Elasticity.by(SizingPolicy.marginalGain())
                  .coolDown(Duration.ofSeconds(5))
                  .worthwhile(0)
                  .cost(ResizeCost.NONE)
                  .preemptToGrow()
                  .build())
          : options;
    }

    ClusterTopology cluster() {
      ClusterTopology.Builder cluster =
          ClusterTopology.builder()
              .levels("zone", "rack")
              .domain(Domain.of("zone", "z0"))
              .domain(Domain.of("rack", "r0").in("z0"));
      for (int n = 0; n < nodes; n++) {
        cluster.node(
            Node.builder("n" + n)
                .gpus(4, JobDraft.MODELS.get(n % 2), Memory.ofGib(32))
                .cpu(CpuCores.of(64))
                .memory(Memory.ofGib(256))
                .domain("r0")
                .label("disk", "ssd")
                .build());
      }
      return cluster.build();
    }
  }

  private int worlds;
  private int starts;
  private int moves;
  private int resizes;
  private int neverBegan;

  @Provide
  Arbitrary<World> worlds() {
    return Combinators.combine(
            Arbitraries.of(POLICIES),
            Arbitraries.of(7, 20, 60).map(Duration::ofSeconds),
            Arbitraries.of(true, false),
            Arbitraries.integers().between(2, 5),
            ClusterStep.any(Arbitraries.oneOf(JobDraft.ofOneRole(), JobDraft.inParts()))
                .list()
                .ofMinSize(40)
                .ofMaxSize(120)
                .withSizeDistribution(RandomDistribution.uniform()))
        .as(
            (policy, grace, isElastic, nodes, steps) ->
                new World(policy, grace, isElastic, nodes, isElastic ? steps : withGaps(steps)));
  }

  /** Returns steps of jobs that leave small gaps on nodes, so that others move for larger ones. */
  private static List<ClusterStep> withGaps(List<ClusterStep> steps) {
    return steps.stream()
        .map(
            step ->
                new ClusterStep(
                    step.kind() == ClusterStep.Kind.RESIZE ? ClusterStep.Kind.DRAIN : step.kind(),
                    step.pick(),
                    step.seconds(),
                    step.job().plain(step.pick() % 3 == 0 ? LARGE : SMALL)))
        .toList();
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void nobodyIsToldToUseWhatAnotherStillUses(@ForAll("worlds") World world) {
    worlds++;
    new Run(world).play();
  }

  /** In few worlds chance decides what is kept back. */
  @AfterProperty
  void decisionsOfEachKindAreKeptBack() {
    if (worlds >= 1000) {
      assertThat(starts).as("starts").isGreaterThan(1000);
      assertThat(moves).as("moves").isGreaterThan(30);
      assertThat(resizes).as("changes of size").isGreaterThan(3);
      assertThat(neverBegan).as("jobs that stop and never began").isGreaterThan(10);
    }
  }

  private final class Run {
    private final World world;
    private final Processes processes = new Processes();
    private LiquidScheduler scheduler;
    private HeldDecisions held;
    private Playback playback;

    Run(World world) {
      this.world = world;
      scheduler = world.options(world.cluster()).build();
      playback = new Playback(scheduler, PlanSource.NONE);
      held = new HeldDecisions(scheduler);
    }

    void play() {
      for (ClusterStep step : world.steps()) {
        if (step.pick() % 13 == 5) {
          restart();
        }
        for (int due = 0; due < 3 && isDue(step); due++) {
          playback.event(step(ClusterStep.Kind.WAKE_UP, 0)).ifPresent(event -> take(event, 1));
        }
        playback.event(step).filter(processes::knows).ifPresent(event -> take(event, step.pick()));
        BatchPlan plan = ontoLeavers();
        if (!plan.migrations().isEmpty() && step.pick() % 2 == 0) {
          take(new ClusterEvent.PlanProposed(playback.now(), plan), 1);
        }
      }
    }

    private boolean isDue(ClusterStep step) {
      return scheduler
          .nextWakeUp()
          .filter(at -> !at.isAfter(playback.now().plusSeconds(step.seconds())))
          .isPresent();
    }

    private ClusterStep step(ClusterStep.Kind kind, int pick) {
      return new ClusterStep(kind, pick, 0, world.steps().getFirst().job());
    }

    /** Returns a plan by which running jobs move to where others stop. */
    private BatchPlan ontoLeavers() {
      List<TaskPlacement> leaving = new ArrayList<>();
      for (JobId job : scheduler.waiting()) {
        if (scheduler.status(job).orElseThrow() instanceof JobStatus.Stopping at) {
          leaving.addAll(at.placement().tasks());
        }
      }
      List<Migration> moves = new ArrayList<>();
      for (JobId job : scheduler.view().runningJobs()) {
        List<TaskPlacement> tasks = scheduler.view().placement(job).orElseThrow().tasks();
        if (tasks.size() == 1) {
          leaving.stream()
              .flatMap(there -> moved(tasks.getFirst(), there).stream())
              .findFirst()
              .ifPresent(
                  to -> moves.add(new Migration(job, new Placement(job, List.of(to)), 1, 100)));
        }
      }
      return new BatchPlan(0, List.of(), moves, List.of(), CERTIFICATE);
    }

    /** Returns a task on the last GPUs of another that are free once that has left. */
    private Optional<TaskPlacement> moved(TaskPlacement task, TaskPlacement there) {
      List<Integer> free =
          there.gpus().stream()
              .filter(gpu -> scheduler.view().isFree(new GpuId(there.node(), gpu)))
              .toList();
      int wanted = task.gpus().size();
      return free.size() < wanted
          ? Optional.empty()
          : Optional.of(
              new TaskPlacement(
                  task.task(),
                  there.node(),
                  free.subList(free.size() - wanted, free.size()),
                  task.request()));
    }

    private void restart() {
      scheduler = world.options(scheduler.view().topology()).restore(scheduler.snapshot());
      playback = playback.goingOnWith(scheduler);
      held = new HeldDecisions(scheduler);
    }

    private Playback.Turn together(ClusterEvent event, int pick) {
      Optional<ClusterEvent> drain =
          playback
              .event(step(ClusterStep.Kind.DRAIN, pick))
              .filter(any -> !(event instanceof ClusterEvent.JobProgressed));
      try {
        return playback.take(
            drain.map(other -> ClusterEvent.together(List.of(event, other))).orElse(event));
      } catch (RefusedEventException isLost) {
        return playback.take(event);
      }
    }

    /** Takes an event, in some turns together with one that changes what was decided. */
    private void take(ClusterEvent event, int pick) {
      Playback.Turn turn = pick % 3 == 0 ? together(event, pick / 3) : playback.take(event);
      for (Decision decision : turn.decisions()) {
        switch (decision) {
          case Decision.Start it when !it.after().isEmpty() -> starts++;
          case Decision.Migrate it when !it.after().isEmpty() -> moves++;
          case Decision.Resize it when !it.after().isEmpty() -> resizes++;
          default -> {}
        }
      }
      turn.event().events().forEach(processes::note);
      List<Decision> ready = held.ready(turn.event(), turn.decisions(), scheduler);
      try {
        ready.forEach(processes::carryOut);
        stopWhatNeverBegan();
        processes.requireAsSaid(scheduler);
      } catch (AssertionError | NullPointerException e) {
        throw new AssertionError(turn + "\n-> " + ready, e);
      }
    }

    private void stopWhatNeverBegan() {
      for (JobId job = held.nextNeverBegan(); job != null; job = held.nextNeverBegan()) {
        neverBegan++;
        take(new ClusterEvent.JobStopped(playback.now(), job), 1);
      }
    }
  }
}
