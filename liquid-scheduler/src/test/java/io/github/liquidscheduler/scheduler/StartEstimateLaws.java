package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.explanation.StartEstimate;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Jobs with exact durations start exactly when they are expected to. */
class StartEstimateLaws {

  /** A job and the seconds since the arrival before it. */
  record Arrival(int after, int tasks, int gpusOfTask, int seconds) {
    JobSpec named(String id) {
      return JobSpec.builder(id)
          .role("worker", tasks, ResourceRequest.ofGpus(gpusOfTask))
          .expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(seconds)))
          .build();
    }
  }

  /** A cluster of equal nodes, and the arrivals. */
  record Workday(int nodes, int gpusOfNode, List<Arrival> arrivals) {}

  private record End(Instant at, int start, JobId job) implements Comparable<End> {
    @Override
    public int compareTo(End other) {
      int byTime = at.compareTo(other.at);
      return byTime != 0 ? byTime : Integer.compare(start, other.start);
    }
  }

  /** The times at which waiting jobs are asked about. */
  private enum Asking {
    ALWAYS,
    SINCE_ALL_ARE_HERE,
    WHEN_ALL_ARE_HERE
  }

  /** Runs a workday and keeps what was expected of each job, and when it did start. */
  private static final class Run {
    private final LiquidScheduler scheduler;
    private final Map<JobId, Instant> started = new LinkedHashMap<>();
    private final Map<JobId, List<StartEstimate>> expected = new LinkedHashMap<>();
    private final PriorityQueue<End> ends = new PriorityQueue<>();
    private final Asking asking;
    private boolean isLastHere;

    Run(Workday day, SchedulingPolicy policy, Asking asking) {
      int[] nodes = new int[day.nodes()];
      Arrays.fill(nodes, day.gpusOfNode());
      scheduler = LiquidScheduler.builder(Session.cluster(nodes)).policy(policy).build();
      this.asking = asking;
    }

    void play(List<Arrival> arrivals) {
      Instant now = Instant.EPOCH;
      for (int i = 0; i < arrivals.size(); i++) {
        now = now.plusSeconds(arrivals.get(i).after());
        endUntil(now);
        isLastHere = i == arrivals.size() - 1;
        take(new ClusterEvent.JobSubmitted(now, arrivals.get(i).named("j" + i)));
      }
      isLastHere = asking != Asking.WHEN_ALL_ARE_HERE;
      endUntil(Instant.MAX);
    }

    private void endUntil(Instant instant) {
      while (!ends.isEmpty() && ends.peek().at().isBefore(instant)) {
        End end = ends.remove();
        take(new ClusterEvent.JobFinished(end.at(), end.job()));
      }
    }

    private void take(ClusterEvent event) {
      for (Decision decision : scheduler.on(event)) {
        if (decision instanceof Decision.Start start) {
          JobSpec job = scheduler.job(start.job()).orElseThrow();
          Duration time = job.expectedWork().flatMap(ExpectedWork::duration).orElseThrow();
          started.put(job.id(), event.at());
          ends.add(new End(event.at().plus(time), started.size(), job.id()));
        }
      }
      if (isLastHere || asking == Asking.ALWAYS) {
        scheduler.waiting().forEach(this::ask);
      }
    }

    private void ask(JobId job) {
      Optional<StartEstimate> estimate = scheduler.explain(job).queue().expectedStart();
      assertThat(estimate).isPresent();
      expected.computeIfAbsent(job, each -> new ArrayList<>()).add(estimate.get());
    }
  }

  @Provide
  Arbitrary<Workday> workdays() {
    return days(1, 40);
  }

  @Provide
  Arbitrary<Workday> longWorkdays() {
    return days(150, 250);
  }

  private static Arbitrary<Workday> days(int least, int most) {
    return Combinators.combine(
            Arbitraries.integers().between(1, 4),
            Arbitraries.integers().between(1, 4),
            Combinators.combine(
                    Arbitraries.integers().between(0, 30),
                    Arbitraries.integers().between(1, 6),
                    Arbitraries.integers().between(1, 3),
                    Arbitraries.integers().between(1, 90))
                .as(Arrival::new)
                .list()
                .ofMinSize(least)
                .ofMaxSize(most))
        .as(Workday::new);
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void underFifoWhateverArrivesLater(@ForAll("workdays") Workday day) {
    everybodyStartsWhenExpected(day, Policies.fifo(), Asking.ALWAYS);
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void underBestEffortFifoIfNobodyComesLater(@ForAll("workdays") Workday day) {
    everybodyStartsWhenExpected(day, Policies.bestEffortFifo(), Asking.SINCE_ALL_ARE_HERE);
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void underShortestJobFirstIfNobodyComesLater(@ForAll("workdays") Workday day) {
    everybodyStartsWhenExpected(day, Policies.shortestJobFirst(), Asking.SINCE_ALL_ARE_HERE);
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  void orNotBeforeWhatIsToldIfManyAreAhead(@ForAll("longWorkdays") Workday day) {
    Run run = new Run(day, Policies.fifo(), Asking.WHEN_ALL_ARE_HERE);
    run.play(day.arrivals().stream().map(StartEstimateLaws::atOnce).toList());

    run.expected.forEach(
        (job, estimates) ->
            estimates.forEach(
                estimate -> {
                  if (estimate instanceof StartEstimate.NotBefore) {
                    assertThat(run.started.get(job)).isAfterOrEqualTo(estimate.instant());
                  } else {
                    assertThat(run.started.get(job)).isEqualTo(estimate.instant());
                  }
                }));
  }

  private static Arrival atOnce(Arrival arrival) {
    return new Arrival(0, arrival.tasks(), arrival.gpusOfTask(), arrival.seconds());
  }

  private static void everybodyStartsWhenExpected(
      Workday day, SchedulingPolicy policy, Asking asking) {
    Run run = new Run(day, policy, asking);
    run.play(day.arrivals());

    run.expected.forEach(
        (job, estimates) ->
            assertThat(estimates)
                .as("%s in %s", job, day)
                .containsOnly(
                    new StartEstimate.ExpectedAt(Objects.requireNonNull(run.started.get(job)))));
  }
}
