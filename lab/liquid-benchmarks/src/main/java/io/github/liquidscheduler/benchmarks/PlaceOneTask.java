package io.github.liquidscheduler.benchmarks;

import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One task finishes and another arrives, on a cluster of which half the GPUs are taken. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class PlaceOneTask {
  private static final long SEED = 7;
  private static final int TASKS = 10_000;

  /** The baseline: how its name begins. */
  @Param({"Fenzo", "Liquid"})
  public String baseline = "";

  /** The size of the cluster. */
  @Param({"1000", "5000"})
  public int hosts;

  @SuppressWarnings("NullAway.Init") // set up before each trial
  private HalfFullCluster cluster;

  @SuppressWarnings("NullAway.Init") // set up before each trial
  private Iterator<Task> arriving;

  /** Fills half of the cluster. */
  @Setup
  public void fill() {
    Baseline named =
        SideBySide.BASELINES.stream()
            .filter(one -> one.name().startsWith(baseline))
            .findFirst()
            .orElseThrow();
    cluster = new HalfFullCluster(named, hosts, SEED);
    arriving =
        Stream.iterate(0, round -> round + 1)
            .flatMap(round -> Task.draw("round-" + round + "-", TASKS, SEED + round).stream())
            .iterator();
  }

  /** Replaces one task by another. */
  @Benchmark
  public void replaceOne() {
    cluster.finishOne();
    cluster.place(arriving.next());
  }

  /** Checks the outcome. */
  @TearDown
  public void check() {
    cluster.packing();
    cluster.close();
  }
}
