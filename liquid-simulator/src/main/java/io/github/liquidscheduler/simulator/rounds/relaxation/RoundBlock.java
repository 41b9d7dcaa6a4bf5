package io.github.liquidscheduler.simulator.rounds.relaxation;

import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.TaskTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rounds of a job that follow each other: when they start at the earliest, how long the whole fleet
 * works for them and takes at least, and how much their end counts: 0 but for the job's last ones.
 */
record RoundBlock(
    int job, int first, int rounds, double earliest, double work, double length, double weight) {

  /** Divides the rounds of each job evenly, in at most {@code most} blocks, at least one a job. */
  static List<RoundBlock> of(RoundProblem problem, int most) {
    long all = problem.jobs().stream().mapToLong(RoundJob::rounds).sum();
    double part = Math.min(1, (double) Math.max(0, most - problem.jobs().size()) / all);
    List<RoundBlock> blocks = new ArrayList<>();
    for (int job = 0; job < problem.jobs().size(); job++) {
      addBlocks(problem, job, part, blocks);
    }
    return blocks;
  }

  private static void addBlocks(
      RoundProblem problem, int position, double part, List<RoundBlock> blocks) {
    RoundJob job = problem.jobs().get(position);
    TaskTime[] times = problem.times(position);
    double work = job.scale() / Arrays.stream(times).mapToDouble(time -> 1 / time.compute()).sum();
    double least = Arrays.stream(times).mapToDouble(TaskTime::whole).min().orElseThrow();
    int count = part == 1 ? job.rounds() : Math.min(job.rounds(), 1 + (int) (part * job.rounds()));
    double earliest = job.arrival();
    for (int block = 0; block < count; block++) {
      int first = (int) ((long) job.rounds() * block / count);
      int rounds = (int) ((long) job.rounds() * (block + 1) / count) - first;
      double length = rounds * Math.max(work, least);
      double weight = block == count - 1 ? job.weight() : 0;
      blocks.add(new RoundBlock(position, first, rounds, earliest, rounds * work, length, weight));
      earliest += length;
    }
  }

  boolean isFollowedBy(RoundBlock next) {
    return job == next.job;
  }

  double middle(double start) {
    return start + work / 2;
  }

  /** Writes when each of the rounds has half of its time behind it. */
  void writeKeys(double start, double[][] keys) {
    for (int round = 0; round < rounds; round++) {
      keys[job][first + round] = start + length * (round + 0.5) / rounds;
    }
  }
}
