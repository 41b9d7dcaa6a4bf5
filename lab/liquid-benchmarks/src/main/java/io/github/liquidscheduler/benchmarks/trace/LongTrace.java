package io.github.liquidscheduler.benchmarks.trace;

import java.io.PrintStream;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Prints a trace of many jobs in the format of the Tiresias simulator, to time simulations with.
 *
 * <p>Sizes and durations are like those of Philly (Jeon et al., USENIX ATC 2019): most jobs have
 * one GPU; half of them end within 19 minutes, one in a hundred takes longer than 71 hours, with
 * the logarithms normal in between. Arrivals are exponential.
 */
@Command(
    name = "trace",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Prints a trace in the format of Tiresias, drawn by the published figures of Philly.")
public final class LongTrace implements Callable<Integer> {

  private static final double MEDIAN_SECONDS = 19 * 60;
  private static final double LONG_SECONDS = 71 * 3600;
  // The 99th percentile of the standard normal distribution.
  private static final double LONG_DEVIATIONS = 2.3263;
  private static final double DEVIATION =
      StrictMath.log(LONG_SECONDS / MEDIAN_SECONDS) / LONG_DEVIATIONS;

  @Option(
      names = "--jobs",
      paramLabel = "JOBS",
      defaultValue = "500000",
      description = "How many jobs (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "1.2",
      description = "Mean seconds between two arrivals (default: ${DEFAULT-VALUE}).")
  private double interval;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "Random seed (default: ${DEFAULT-VALUE}).")
  private long seed;

  /** Prints a trace as the options say. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new LongTrace()).execute(arguments));
  }

  @Override
  public Integer call() {
    print(System.out);
    return System.out.checkError() ? 1 : 0;
  }

  void print(PrintStream out) {
    Random random = new Random(seed);
    out.println("job_id,num_gpu,submit_time,iterations,model_name,duration,interval");
    double submitted = 0;
    for (int job = 0; job < jobs; job++) {
      submitted -= interval * StrictMath.log(1 - random.nextDouble());
      long duration = duration(random);
      out.println(
          job
              + ","
              + gpus(random)
              + ","
              + (long) submitted
              + ","
              + duration
              + ",any,"
              + duration
              + ",0");
    }
  }

  private static long duration(Random random) {
    double seconds = MEDIAN_SECONDS * StrictMath.exp(DEVIATION * random.nextGaussian());
    return Math.max(1, Math.round(seconds));
  }

  /** Returns 1 for 93 of 100 jobs, up to the 8 of a node for the others. */
  private static int gpus(Random random) {
    int drawn = random.nextInt(1000);
    if (drawn < 930) {
      return 1;
    }
    return drawn < 965 ? 2 : drawn < 985 ? 4 : 8;
  }
}
