package io.github.liquidscheduler.lab.reference.gavel;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What runs on the same GPUs: a job alone, or two jobs of as many GPUs, each with its speed. */
final class Combination {

  private final List<GavelJob> jobs;
  private final double[][] speeds;
  private final ShareAccount[] accounts;

  private Combination(List<GavelJob> jobs, double[][] speeds, double received) {
    this.jobs = jobs;
    this.speeds = speeds;
    this.accounts = new ShareAccount[speeds[0].length];
    Arrays.setAll(accounts, model -> new ShareAccount(received));
  }

  /** Returns a job alone, which counts as having run for half a round. */
  static Combination of(GavelJob job) {
    return new Combination(List.of(job), new double[][] {job.speeds()}, ShareAccount.HALF_ROUND);
  }

  /**
   * Returns two jobs.
   *
   * @param speeds the steps per second of the first and of the second, by GPU model, 0 where they
   *     cannot run
   */
  static Combination of(GavelJob first, GavelJob second, double[][] speeds) {
    return new Combination(List.of(first, second), speeds, 0);
  }

  List<GavelJob> jobs() {
    return jobs;
  }

  GavelJob first() {
    return jobs.getFirst();
  }

  boolean isPair() {
    return jobs.size() > 1;
  }

  int gpus() {
    return first().gpus();
  }

  /** Returns the speed of the first job, in steps per second. */
  double speed(int model) {
    return speeds[0][model];
  }

  /** Returns the speed of one of the jobs, in steps per second. */
  double speed(int job, int model) {
    return speeds[job][model];
  }

  boolean runsOn(int model) {
    return Arrays.stream(speeds).allMatch(ofJob -> ofJob[model] > 0);
  }

  /** Returns the sum of what its jobs retain of their speed alone, over all GPU models. */
  double retained() {
    double sum = 0;
    for (int model = 0; model < accounts.length; model++) {
      if (!runsOn(model)) {
        return 0;
      }
      for (int job = 0; job < jobs.size(); job++) {
        sum += speeds[job][model] / jobs.get(job).speed(model);
      }
    }
    return sum;
  }

  ShareAccount account(int model) {
    return accounts[model];
  }

  /** Returns the seconds until all its jobs have done what they do in a round. */
  double duration(int model, double round) {
    double longest = 0;
    for (int job = 0; job < jobs.size(); job++) {
      double speed = speeds[job][model];
      longest = Math.max(longest, jobs.get(job).steps(speed, round) / speed);
    }
    return longest;
  }

  /** Tells that a round is over, which began and ended at these seconds. */
  void complete(int model, double round, double start, double finish) {
    for (int job = 0; job < jobs.size(); job++) {
      GavelJob each = jobs.get(job);
      each.complete(each.steps(speeds[job][model], round), start, finish);
    }
  }

  /** Returns the names of the jobs. */
  String id() {
    return jobs.stream().map(GavelJob::id).collect(Collectors.joining("+"));
  }
}
