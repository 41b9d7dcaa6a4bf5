package io.github.liquidscheduler.simulator.report;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulationListener;
import io.github.liquidscheduler.simulator.trace.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Records the GPUs held by each job and the reasons of waiting, for an {@link HtmlReport}. A
 * waiting job is explained after 5 minutes and whenever its wait has doubled, so that its last
 * explanation is of the second half of its wait and the cost grows with its logarithm. Not
 * thread-safe.
 */
public final class RunRecorder implements SimulationListener {

  private static final Duration FIRST_EXPLANATION = Duration.ofMinutes(5);

  /** Explaining costs about as much as a decision. */
  private static final int MOST_EXPLANATIONS = 20_000;

  private final ClusterTopology topology;
  private final Map<JobId, Integer> positions = new HashMap<>();
  private final Map<JobId, Held> held = new HashMap<>();
  private final Map<JobId, Instant> waitingSince = new HashMap<>();
  private final PriorityQueue<Due> due = new PriorityQueue<>(Due.ORDER);
  private final List<Allocation> allocations = new ArrayList<>();
  private final List<SizeChange> sizeChanges = new ArrayList<>();
  private final List<List<WaitingSample>> samples = new ArrayList<>();
  private final int[] preemptions;
  private int explanations;
  private final Instant start;
  private Instant last;

  /** Makes a recorder of one run of {@code trace} on a cluster, which starts at the epoch. */
  public RunRecorder(ClusterTopology topology, Trace trace) {
    this(topology, trace, Instant.EPOCH);
  }

  /** Makes a recorder of one run of {@code trace} on a cluster, which starts at an instant. */
  public RunRecorder(ClusterTopology topology, Trace trace, Instant start) {
    this.start = Objects.requireNonNull(start, "start");
    last = start;
    this.topology = Objects.requireNonNull(topology, "topology");
    trace
        .jobs()
        .forEach(
            job -> {
              positions.put(JobId.of(job.id()), samples.size());
              samples.add(new ArrayList<>());
            });
    preemptions = new int[samples.size()];
  }

  @Override
  public void decided(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
    last = event.at();
    switch (event) {
      case ClusterEvent.JobSubmitted submitted -> waits(submitted.job());
      case ClusterEvent.JobFinished finished -> leave(finished.job());
      case ClusterEvent.JobCancelled cancelled -> forget(cancelled.job());
      case ClusterEvent.JobStopped stopped -> stop(stopped.job());
      case ClusterEvent.JobFailed failed -> stop(failed.job());
      default -> {
        // Nobody leaves by itself.
      }
    }
    decisions.forEach(this::carryOut);
    explainDue(scheduler);
  }

  private void carryOut(Decision decision) {
    switch (decision) {
      case Decision.Start start -> hold(start.job(), start.placement());
      case Decision.Preempt preempt -> {
        if (held.containsKey(preempt.job())) {
          preemptions[position(preempt.job())]++;
          stop(preempt.job());
        }
      }
      case Decision.Migrate migrate -> hold(migrate.job(), migrate.placement());
      case Decision.Resize resize -> resize(resize);
      case Decision.Reject reject -> forget(reject.job());
      case Decision.Profile profile -> {}
      case Decision.Prefetch prefetch -> {}
      case Decision.CancelPrefetch cancel -> {}
      case Decision.RequestPlan request -> {}
    }
  }

  private void resize(Decision.Resize resize) {
    Held before = held.get(resize.job());
    hold(resize.job(), resize.placement());
    int after = resize.placement().gpus();
    if (before != null && before.gpus.size() != after) {
      sizeChanges.add(
          new SizeChange(position(resize.job()), seconds(last), before.gpus.size(), after));
    }
  }

  private void hold(JobId job, Placement placement) {
    leave(job);
    waitingSince.remove(job);
    held.put(job, new Held(last, gpus(placement)));
  }

  private void waits(JobId job) {
    waitingSince.put(job, last);
    due.add(new Due(last.plus(FIRST_EXPLANATION), last, position(job), job));
  }

  private void stop(JobId job) {
    if (held.containsKey(job)) {
      leave(job);
      waits(job);
    }
  }

  private void forget(JobId job) {
    leave(job);
    waitingSince.remove(job);
  }

  private void leave(JobId job) {
    Held was = held.remove(job);
    if (was != null && last.isAfter(was.since)) {
      allocations.add(new Allocation(position(job), seconds(was.since), seconds(last), was.gpus));
    }
  }

  private void explainDue(Scheduler scheduler) {
    while (!due.isEmpty() && !due.peek().at.isAfter(last)) {
      Due next = due.remove();
      if (next.since.equals(waitingSince.get(next.job)) && explanations < MOST_EXPLANATIONS) {
        explanations++;
        samples
            .get(next.position)
            .add(new WaitingSample(seconds(last), scheduler.explain(next.job)));
        Instant doubled = last.plus(Duration.between(next.since, last));
        due.add(new Due(doubled, next.since, next.position, next.job));
      }
    }
  }

  private List<Integer> gpus(Placement placement) {
    return placement.tasks().stream().flatMapToInt(this::gpus).distinct().sorted().boxed().toList();
  }

  private IntStream gpus(TaskPlacement task) {
    if (!topology.contains(task.node())) {
      return IntStream.empty();
    }
    int before = topology.gpusBefore(topology.position(task.node()));
    return task.gpus().stream().mapToInt(gpu -> before + gpu);
  }

  private int position(JobId job) {
    return Objects.requireNonNull(positions.get(job), "position of a job of the trace");
  }

  private long seconds(Instant time) {
    return Duration.between(start, time).toSeconds();
  }

  /** Returns the details until now; current holders count until then. */
  RunDetails details() {
    return new RunDetails(
        allocations(),
        sizeChanges,
        samples,
        IntStream.of(preemptions).boxed().toList(),
        seconds(last),
        List.of());
  }

  private List<Allocation> allocations() {
    List<Allocation> all = new ArrayList<>(allocations);
    held.forEach(
        (job, was) ->
            all.add(new Allocation(position(job), seconds(was.since), seconds(last), was.gpus)));
    all.sort(Comparator.comparingLong(Allocation::start).thenComparingInt(Allocation::job));
    return all;
  }

  private static final class Held {
    private final Instant since;
    private final List<Integer> gpus;

    Held(Instant since, List<Integer> gpus) {
      this.since = since;
      this.gpus = gpus;
    }
  }

  private record Due(Instant at, Instant since, int position, JobId job) {
    static final Comparator<Due> ORDER =
        Comparator.comparing(Due::at).thenComparingInt(Due::position);
  }
}
