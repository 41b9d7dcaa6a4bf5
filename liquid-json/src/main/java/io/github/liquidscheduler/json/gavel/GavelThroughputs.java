package io.github.liquidscheduler.json.gavel;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Throughputs measured by Gavel (Narayanan et al., OSDI 2020), in iterations per second, in the
 * order of their file: of jobs alone, and of pairs of jobs that share a GPU. A throughput of 0
 * means that the job or the pair does not fit.
 *
 * @param alone the throughputs of jobs alone
 * @param pairs the throughputs of jobs on one GPU, each beside another on the same GPU
 */
public record GavelThroughputs(List<Alone> alone, List<Pair> pairs) {

  /** Copies the lists. */
  public GavelThroughputs {
    alone = List.copyOf(alone);
    pairs = List.copyOf(pairs);
  }

  /**
   * Reads Gavel's {@code simulation_throughputs.json}.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if it is no such table; the message names file, line and rule
   */
  public static GavelThroughputs read(Path file) throws IOException {
    return GavelTableReader.read(file);
  }

  /** Returns the pairs on one node that fit and whose job was also measured alone. */
  public List<Shared> shared() {
    Map<List<Record>, Double> rates = new HashMap<>();
    alone.forEach(each -> rates.put(List.of(each.gpus(), each.job()), each.throughput()));
    return pairs.stream()
        .filter(pair -> !pair.gpus().isSpread() && pair.throughput() > 0)
        .map(
            pair ->
                new Shared(
                    pair,
                    rates.getOrDefault(List.of(pair.gpus(), pair.job()), Double.NaN),
                    rates.getOrDefault(List.of(pair.gpus(), pair.coRunner()), Double.NaN)))
        .filter(shared -> shared.rate() > 0)
        .toList();
  }

  /** A pair, and the throughputs of its jobs alone; the co-runner's is NaN if not measured. */
  public record Shared(Pair pair, double rate, double coRunnerRate) {

    /** Returns the part of its throughput that the job keeps beside the co-runner, above 0. */
    public double retained() {
      return pair.throughput() / rate;
    }
  }

  /** A job of the table: its model as in the file, and the number of its workers of one GPU. */
  public record Job(String model, int gpus) {}

  /** The model, in lower case, of GPUs measured, and whether workers were spread over nodes. */
  public record Gpus(String model, boolean isSpread) {}

  /** The throughput of a job alone on some GPUs, in iterations per second, from 0 on. */
  public record Alone(Gpus gpus, Job job, double throughput) {}

  /** The throughput of a job beside a co-runner, in iterations per second, from 0 on. */
  public record Pair(Gpus gpus, Job job, Job coRunner, double throughput) {}
}
