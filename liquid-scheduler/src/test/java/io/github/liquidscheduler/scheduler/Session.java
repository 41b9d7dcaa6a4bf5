package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A scheduler driven by events at seconds after the epoch. Jobs that are spared at the instant of
 * an event give way a nanosecond later. Decisions read {@code start a}, {@code preempt a}, {@code
 * migrate a}, {@code reject a}.
 */
public final class Session {

  private static final int AT_ONCE = 1_000;

  final LiquidScheduler scheduler;
  private Instant now = Instant.EPOCH;
  private List<Decision> last = List.of();
  private boolean goesOn = true;

  Session(LiquidScheduler scheduler) {
    this.scheduler = scheduler;
    now = noEarlierThanTheLastEvent(Instant.EPOCH);
  }

  /** Returns a session on nodes n0, n1, … with the given numbers of V100s. */
  static Session of(SchedulingPolicy policy, int... gpusOfNodes) {
    return new Session(LiquidScheduler.builder(cluster(gpusOfNodes)).policy(policy).build());
  }

  static ClusterTopology cluster(int... gpusOfNodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int n = 0; n < gpusOfNodes.length; n++) {
      cluster.node(
          Node.builder("n" + n)
              .gpus(gpusOfNodes[n], GpuModel.of("V100"), Memory.ofGib(16))
              .build());
    }
    return cluster.build();
  }

  public static JobSpec.Builder aJob(String id, int gpus) {
    return JobSpec.builder(id).gpus(gpus);
  }

  /** Returns a job with an expected run time in seconds. */
  static JobSpec.Builder aJobOf(String id, int gpus, long seconds) {
    return aJob(id, gpus).expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(seconds)));
  }

  /** Goes on at no instant of its own. */
  Session stepByStep() {
    goesOn = false;
    return this;
  }

  /** Lets a nanosecond pass. */
  List<String> passNext() {
    now = now.plusNanos(1);
    return pass();
  }

  /** Sets the time of the events that follow. */
  Session at(long second) {
    now = noEarlierThanTheLastEvent(Instant.ofEpochSecond(second));
    return this;
  }

  private Instant noEarlierThanTheLastEvent(Instant at) {
    Instant last = scheduler.state().jobs().now();
    return last.isAfter(at) && last.getEpochSecond() == at.getEpochSecond() ? last : at;
  }

  /** Returns the time of the events that follow. */
  Instant now() {
    return now;
  }

  /** Takes an event, and goes on at the next instant if it is to be woken there. */
  List<String> on(ClusterEvent event) {
    last = new ArrayList<>(scheduler.on(event));
    Instant soon = event.at().plusNanos(AT_ONCE);
    Optional<Instant> next = scheduler.state().jobs().agenda().nextTry();
    if (goesOn && next.filter(at -> at.isBefore(soon)).isPresent()) {
      now = next.orElseThrow();
      last.addAll(scheduler.on(new ClusterEvent.TimePassed(now)));
    }
    return last.stream().map(Session::inShort).toList();
  }

  /** Returns the jobs that a plan asked for at the last event may leave waiting. */
  List<String> deferrable() {
    return last.stream()
        .filter(Decision.RequestPlan.class::isInstance)
        .flatMap(decision -> ((Decision.RequestPlan) decision).deferrable().stream())
        .map(JobId::value)
        .toList();
  }

  /** Returns the decisions of the last event in full. */
  List<Decision> last() {
    return last;
  }

  List<String> submit(JobSpec.Builder job) {
    return on(new ClusterEvent.JobSubmitted(now, job.build()));
  }

  List<String> submit(String job, int gpus) {
    return submit(aJob(job, gpus));
  }

  List<String> finish(String job) {
    return on(new ClusterEvent.JobFinished(now, JobId.of(job)));
  }

  List<String> fail(String job, Failure failure, Retry retry) {
    return on(new ClusterEvent.JobFailed(now, JobId.of(job), failure, retry));
  }

  List<String> stop(String job) {
    return on(new ClusterEvent.JobStopped(now, JobId.of(job)));
  }

  List<String> update(JobSpec.Builder job) {
    return on(new ClusterEvent.JobUpdated(now, job.build()));
  }

  List<String> cancel(String job) {
    return on(new ClusterEvent.JobCancelled(now, JobId.of(job)));
  }

  /** Reports a step of the last resize of a job. */
  List<String> resizeReported(String job, ResizeStep step) {
    return on(
        new ClusterEvent.ResizeReported(now, JobId.of(job), entry(job).history().resizes(), step));
  }

  List<String> progress(String job, Progress progress) {
    return on(new ClusterEvent.JobProgressed(now, JobId.of(job), progress));
  }

  List<String> remaining(String job, long seconds) {
    return progress(job, Progress.of(0, 0).withRemaining(Duration.ofSeconds(seconds)));
  }

  List<String> lose(String node) {
    return on(new ClusterEvent.NodeLost(now, NodeId.of(node)));
  }

  List<String> drain(String node) {
    return on(new ClusterEvent.NodeDraining(now, NodeId.of(node)));
  }

  List<String> giveBack(String node) {
    return on(new ClusterEvent.NodeReturned(now, NodeId.of(node)));
  }

  List<String> add(Node.Builder node, Domain... domains) {
    return on(new ClusterEvent.NodeAdded(now, node.build(), List.of(domains)));
  }

  List<String> retire(String node) {
    return on(new ClusterEvent.NodeRetired(now, NodeId.of(node)));
  }

  List<String> loseGpu(String node, int index) {
    return on(new ClusterEvent.GpuLost(now, GpuId.of(node, index)));
  }

  List<String> giveBackGpu(String node, int index) {
    return on(new ClusterEvent.GpuReturned(now, GpuId.of(node, index)));
  }

  /** Proposes a plan in which each job runs on GPUs of one node: {@code "a on n0 0 1"}. */
  List<String> plan(long request, String... starts) {
    return plan(request, List.of(), starts);
  }

  List<String> plan(long request, List<Migration> migrations, String... starts) {
    List<Placement> places = Stream.of(starts).map(Session::place).toList();
    PlanCertificate certificate = new PlanCertificate(0, 0, 0, 0, List.of());
    return on(
        new ClusterEvent.PlanProposed(
            now, new BatchPlan(request, places, migrations, List.of(), certificate)));
  }

  /** Returns the place of a job of one GPU a task: {@code "a on n0 0 1"}. */
  static Placement place(String text) {
    List<String> words = List.of(text.split(" "));
    List<TaskPlacement> tasks = new ArrayList<>();
    for (String gpu : words.subList(3, words.size())) {
      tasks.add(
          new TaskPlacement(
              new TaskId("worker", tasks.size()),
              NodeId.of(words.get(2)),
              List.of(Integer.parseInt(gpu)),
              ResourceRequest.ofGpus(1)));
    }
    return new Placement(JobId.of(words.get(0)), tasks);
  }

  /** Returns a session that goes on from a snapshot, on the same cluster by the same policy. */
  Session restored() {
    return new Session(
        LiquidScheduler.builder(scheduler.view().topology())
            .policy(scheduler.state().jobs().policy())
            .restore(scheduler.snapshot()));
  }

  /** Returns a session with a copy of the scheduler. */
  Session copy() {
    return new Session((LiquidScheduler) scheduler.copy());
  }

  /** Returns the nodes that a job runs on. */
  List<String> nodesOf(String job) {
    return entry(job).placement().orElseThrow().nodes().stream().map(NodeId::value).toList();
  }

  Explanation explain(String job) {
    return scheduler.explain(JobId.of(job));
  }

  List<String> pass() {
    return on(new ClusterEvent.TimePassed(now));
  }

  List<String> waiting() {
    return scheduler.waiting().stream().map(JobId::value).toList();
  }

  List<String> running() {
    return scheduler.view().runningJobs().stream().map(JobId::value).toList();
  }

  /** Returns the record of a waiting or running job, as of its last start or stop. */
  JobView record(String job) {
    return entry(job).at(entry(job).since());
  }

  /** Returns a waiting or running job of its own, which may be changed. */
  JobEntry entry(String job) {
    return scheduler.state().jobs().get(JobId.of(job)).copy();
  }

  private static String inShort(Decision decision) {
    return switch (decision) {
      case Decision.Start start -> "start " + start.job();
      case Decision.Preempt preempt -> "preempt " + preempt.job();
      case Decision.Migrate migrate -> "migrate " + migrate.job();
      case Decision.Resize resize ->
          "resize " + resize.job() + " to " + resize.placement().tasks().size();
      case Decision.Profile profile -> "profile " + profile.job() + " at " + profile.sizes();
      case Decision.Reject reject -> "reject " + reject.job();
      case Decision.Prefetch prefetch ->
          "prefetch " + prefetch.dataset().name() + " to " + prefetch.node();
      case Decision.CancelPrefetch cancel -> "cancel " + cancel.dataset() + " to " + cancel.node();
      case Decision.RequestPlan request -> "plan " + request.jobs();
    };
  }
}
