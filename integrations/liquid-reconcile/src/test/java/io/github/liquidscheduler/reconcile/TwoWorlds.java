package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A scheduler, and what a manager shows beside it, which may be anything. */
final class TwoWorlds {
  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final NodeId A = NodeId.of("a");
  static final NodeId B = NodeId.of("b");
  static final JobId JOB = JobId.of("1");

  final LiquidScheduler scheduler;

  final Map<JobId, JobNote> notes = new HashMap<>();
  final Map<NodeId, NodeCondition> conditions = new LinkedHashMap<>();
  final Map<JobId, ObservedJob> answers = new HashMap<>();
  final Set<JobId> gone = new HashSet<>();
  final Set<JobId> young = new HashSet<>();
  final Map<JobId, Sight.Refusal> refusals = new HashMap<>();
  final List<ObservedJob> shown = new ArrayList<>();
  final List<AdvanceReservation.Maintenance> maintenance = new ArrayList<>();
  JobSpec spec = job(JOB, A).build();
  String epoch = "first";
  boolean isLate;
  boolean isHoldSaved = true;
  boolean isStopped;
  boolean isOwned = true;
  Instant now = NOON;
  Instant submitted = NOON;

  TwoWorlds() {
    this(builder -> {});
  }

  TwoWorlds(Consumer<LiquidScheduler.Builder> more) {
    LiquidScheduler.Builder builder =
        LiquidScheduler.builder(cluster(A, B))
            .policy(Policies.priority())
            .preemption(PreemptionRules.NONE.gracePeriod(Duration.ofMinutes(1)))
            .startsReported();
    more.accept(builder);
    scheduler = builder.build();
    conditions.put(A, NodeCondition.UP);
    conditions.put(B, NodeCondition.UP);
  }

  static ClusterTopology cluster(NodeId... nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (NodeId node : nodes) {
      cluster.node(
          Node.builder(node.value()).gpus(4, GpuModel.of("A100"), Memory.ofGib(40)).build());
    }
    return cluster.build();
  }

  /** A job that needs all of one node. */
  static JobSpec.Builder job(JobId id, NodeId on) {
    return JobSpec.builder(id)
        .role("w", 1, ResourceRequest.ofGpus(4))
        .excludeNodes(List.of(on.equals(A) ? "b" : "a"));
  }

  // What the scheduler believes of the job.

  TwoWorlds waiting() {
    // It cannot start, since others have all GPUs.
    submit(job(JobId.of("x"), A).priority(1).preemptible(false).build());
    submit(job(JobId.of("y"), B).priority(1).preemptible(false).build());
    submit(spec);
    for (String other : List.of("x", "y")) {
      shown.add(
          new ObservedJob(
              JobId.of(other),
              Optional.of(NOON),
              0,
              new ObservedState.Running(NOON),
              List.of(other.equals("x") ? A : B),
              new ObservedRequest.Understood(
                  scheduler.job(JobId.of(other)).orElseThrow(), List.of()),
              true));
      tell(new ClusterEvent.JobStarted(now, JobId.of(other)));
      begun(other, 0, other.equals("x") ? A : B);
    }
    return this;
  }

  TwoWorlds starting() {
    submit(spec);
    return this;
  }

  TwoWorlds running() {
    starting();
    tell(new ClusterEvent.JobStarted(now, JOB));
    begun("1", 0, A);
    return this;
  }

  TwoWorlds stopping() {
    running();
    // Nobody is stopped at the instant of his start.
    now = now.plusSeconds(1);
    submit(JobSpec.builder("big").role("w", 2, ResourceRequest.ofGpus(4)).priority(5).build());
    return this;
  }

  TwoWorlds ended() {
    running();
    tell(new ClusterEvent.JobFinished(now, JOB));
    notes.put(JOB, note().ends(new JobNote.Ended(0, ObservedState.Outcome.FINISHED)));
    return this;
  }

  TwoWorlds rejected() {
    spec = JobSpec.builder(JOB).gpus(400).build();
    submit(spec);
    return this;
  }

  void begun(String job, int attempt, NodeId... on) {
    JobId id = JobId.of(job);
    notes.put(
        id,
        notes
            .getOrDefault(id, new JobNote(id))
            .begins(new JobNote.Began(attempt, List.of(on), epoch)));
  }

  JobNote note() {
    return notes.getOrDefault(JOB, new JobNote(JOB));
  }

  void submit(JobSpec job) {
    tell(new ClusterEvent.JobSubmitted(now, job));
  }

  void tell(ClusterEvent event) {
    scheduler.on(event);
  }

  // What the manager shows of it.

  /** Returns what a pass finds: events first, then commands. */
  List<String> sees(ObservedState state, int attempt, NodeId... on) {
    shown.add(
        new ObservedJob(
            JOB,
            Optional.of(submitted),
            attempt,
            state,
            List.of(on),
            new ObservedRequest.Understood(spec, List.of()),
            isOwned));
    return looks();
  }

  List<String> looks() {
    Differences found = compare();
    List<String> all = new ArrayList<>();
    found.eventsAt(now).forEach(event -> all.add(describe(event)));
    found.commands().stream()
        .filter(command -> command.job().equals(JOB))
        .forEach(command -> all.add(describe(command)));
    found.notes().forEach(note -> notes.put(note.job(), note));
    return all;
  }

  Differences compare() {
    ClusterTopology cluster = cluster(conditions.keySet().toArray(NodeId[]::new));
    Observation seen = new Observation(0, epoch, cluster, conditions, shown, maintenance);
    return Pass.of(
        new Sight(
            seen,
            answers,
            gone,
            young::contains,
            job -> notes.getOrDefault(job, new JobNote(job)),
            own -> JobId.of(own.value().replaceAll("[#@].*", "")),
            job -> Optional.ofNullable(refusals.get(job)),
            job -> isLate,
            job -> isHoldSaved,
            job -> isStopped,
            now,
            NOON,
            Duration.ofMinutes(10)),
        scheduler);
  }

  private static String describe(ClusterEvent event) {
    String name = event.getClass().getSimpleName();
    return switch (event) {
      case ClusterEvent.JobFailed failed ->
          name + " " + failed.failure() + (failed.retry().again() ? " again" : "");
      case ClusterEvent.AboutJob about -> about.job().equals(JOB) ? name : name + " " + about.job();
      case ClusterEvent.NodeLost node -> name + " " + node.node();
      case ClusterEvent.NodeDraining node -> name + " " + node.node();
      case ClusterEvent.NodeReturned node -> name + " " + node.node();
      case ClusterEvent.NodeAdded node -> name + " " + node.node().id();
      case ClusterEvent.NodeRetired node -> name + " " + node.node();
      default -> name;
    };
  }

  private static String describe(Command command) {
    return switch (command) {
      case Command.Start start ->
          "start on "
              + String.join(",", start.placement().nodes().stream().map(NodeId::value).toList());
      case Command.Stop stop -> "stop " + stop.attempt() + " " + stop.grace();
      case Command.Hold hold -> "hold";
      case Command.Explain explain -> "explain";
      case Command.Refuse refuse -> "refuse: " + refuse.text();
      case Command.GiveUp giveUp -> "give up";
    };
  }
}
