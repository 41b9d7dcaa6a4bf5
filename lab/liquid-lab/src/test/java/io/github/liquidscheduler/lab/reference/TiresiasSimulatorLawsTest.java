package io.github.liquidscheduler.lab.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class TiresiasSimulatorLawsTest {

  private static final int MOST_GPUS = 8;

  @Property
  void everyJobRunsForItsDuration(
      @ForAll("policies") TiresiasPolicy policy, @ForAll("traces") Trace trace) {
    ReferenceRun run = run(MOST_GPUS, policy, trace);

    assertThat(run.outcomes()).extracting(JobOutcome::job).isEqualTo(trace.jobs());
    assertThat(run.outcomes())
        .allMatch(outcome -> outcome.running().equals(outcome.job().duration().orElseThrow()));
    assertThat(run.utilization()).isBetween(0.0, 1.0);
  }

  @Property
  void noMoreGpusAreHeldThanThereAre(
      @ForAll("policies") TiresiasPolicy policy, @ForAll("traces") Trace trace) {
    GpusHeld held = new GpusHeld();

    TiresiasSimulator.of(MOST_GPUS, policy)
        .run(trace.jobs().stream().map(CountedJob::new).toList(), held);

    assertThat(held.most()).isBetween(0, MOST_GPUS);
  }

  @Property
  void theMakespanIsNoShorterThanTheLongestJobOrTheWork(
      @ForAll("policies") TiresiasPolicy policy, @ForAll("traces") Trace trace) {
    long makespan = run(MOST_GPUS, policy, trace).statistics().makespan().toSeconds();

    assertThat(makespan)
        .isGreaterThanOrEqualTo(
            trace.jobs().stream().mapToLong(job -> secondsOf(job)).max().orElseThrow());
    assertThat(makespan * MOST_GPUS)
        .isGreaterThanOrEqualTo(
            trace.jobs().stream().mapToLong(job -> secondsOf(job) * job.gpus()).sum());
  }

  @Property
  void inTurnJobsStartInTheOrderOfSubmission(@ForAll("traces") Trace trace) {
    assertThat(run(MOST_GPUS, TiresiasPolicy.named("fifo"), trace).outcomes())
        .extracting(JobOutcome::firstStart)
        .isSorted();
  }

  @Property
  void withoutPreemptionNobodyIsStopped(@ForAll("traces") Trace trace) {
    assertThat(run(MOST_GPUS, TiresiasPolicy.named("fifo"), trace).preemptions()).isZero();
    assertThat(run(MOST_GPUS, TiresiasPolicy.named("fjf"), trace).preemptions()).isZero();
  }

  @Property
  void whereOneGpuIsAllNoGpuIdlesAndShortestIsBest(
      @ForAll("policies") TiresiasPolicy policy, @ForAll("narrowTraces") Trace trace) {
    ReferenceRun shortest = run(1, TiresiasPolicy.named("shortest"), trace);
    ReferenceRun other = run(1, policy, trace);

    assertThat(other.statistics().makespan()).isEqualTo(shortest.statistics().makespan());
    assertThat(other.statistics().completion().sum())
        .isGreaterThanOrEqualTo(shortest.statistics().completion().sum());
  }

  @Property
  void whereNobodySinksLeastAttainedServiceIsFirstComeFirstServed(@ForAll("traces") Trace trace) {
    Trace brief =
        Trace.of(
            "brief",
            trace.jobs().stream()
                .map(
                    job ->
                        TestTraces.job(job.id(), job.gpus(), submitOf(job), secondsOf(job) % 400))
                .toList());

    assertThat(run(MOST_GPUS, TiresiasPolicy.named("dlas-gpu"), brief).decisionsDigest())
        .isEqualTo(run(MOST_GPUS, TiresiasPolicy.named("fjf"), brief).decisionsDigest());
  }

  @Property
  void theSameRunDecidesTheSame(
      @ForAll("policies") TiresiasPolicy policy, @ForAll("traces") Trace trace) {
    assertThat(run(MOST_GPUS, policy, trace)).isEqualTo(run(MOST_GPUS, policy, trace));
  }

  @Provide
  Arbitrary<TiresiasPolicy> policies() {
    List<TiresiasPolicy> policies = new ArrayList<>();
    for (String name : "fifo fjf sjf shortest shortest-gpu dlas dlas-gpu".split(" ", -1)) {
      policies.add(TiresiasPolicy.named(name));
    }
    policies.add(TiresiasPolicy.named("dlas-gpu-1"));
    policies.add(TiresiasPolicy.named("dlas-gpu-0.25"));
    policies.add(TiresiasPolicy.gittins(ServiceSamples.of(10, 100, 100, 500, 4000, 9000, 50_000)));
    return Arbitraries.of(policies);
  }

  @Provide
  Arbitrary<Trace> traces() {
    return traces(MOST_GPUS);
  }

  @Provide
  Arbitrary<Trace> narrowTraces() {
    return traces(1);
  }

  private static Arbitrary<Trace> traces(int mostGpus) {
    Arbitrary<TraceJob> jobs =
        Combinators.combine(
                Arbitraries.integers().between(1, mostGpus),
                Arbitraries.longs().between(0, 5_000),
                Arbitraries.longs().between(0, 9_000))
            .as((gpus, submit, duration) -> TestTraces.job("any", gpus, submit, duration));
    return jobs.list().ofMinSize(1).ofMaxSize(20).map(TiresiasSimulatorLawsTest::numbered);
  }

  private static Trace numbered(List<TraceJob> jobs) {
    return Trace.of(
        "generated",
        IntStream.range(0, jobs.size())
            .mapToObj(i -> numbered(Integer.toString(i), jobs.get(i)))
            .toList());
  }

  private static TraceJob numbered(String id, TraceJob job) {
    return TestTraces.job(id, job.gpus(), submitOf(job), secondsOf(job));
  }

  private static ReferenceRun run(int gpus, TiresiasPolicy policy, Trace trace) {
    return TiresiasSimulator.of(gpus, policy).run(trace);
  }

  private static long submitOf(TraceJob job) {
    return job.submit().toSeconds();
  }

  private static long secondsOf(TraceJob job) {
    return job.duration().orElse(Duration.ZERO).toSeconds();
  }

  /** The most GPUs held between two events; within one, starts may be told before stops. */
  private static final class GpusHeld implements RunObserver {

    private int most;
    private int held;
    private long time;

    int most() {
      return Math.max(most, held);
    }

    @Override
    public void started(CountedJob job, long now) {
      change(job.gpus(), now);
    }

    @Override
    public void preempted(CountedJob job, long now) {
      change(-job.gpus(), now);
    }

    @Override
    public void finished(CountedJob job, long now) {
      change(-job.gpus(), now);
    }

    private void change(int gpus, long now) {
      if (now > time) {
        most = Math.max(most, held);
        time = now;
      }
      held += gpus;
    }
  }
}
