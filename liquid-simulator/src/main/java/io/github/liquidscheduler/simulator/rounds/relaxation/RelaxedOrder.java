package io.github.liquidscheduler.simulator.rounds.relaxation;

import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.TaskOrder;
import java.util.List;

/**
 * Rounds in the order in which they would begin if the fleet were one machine, by the linear
 * program whose solutions Hare orders by (HPDC'22, section 4.2): starts of rounds, one behind the
 * other in a job, and in any set of rounds no more work than the machine has time for until the
 * weighted middle of the set. Of these conditions, one for each set, the ones that a solution
 * breaks are added until it breaks none: if any is broken, one of a prefix in the order of the
 * middles is (Queyranne, Mathematical Programming 58, 1993). The first are those of the order by
 * work.
 *
 * <p>The work of a round is its tasks divided by what the fleet does of them in a second. So its
 * value orders; it bounds nothing.
 *
 * <p>Rounds of a job that follow each other are taken together where the problem has more than
 * {@code blocks} of them, so that the program has at most that many variables, or one for each job.
 *
 * @param blocks how many variables the program may have
 */
public record RelaxedOrder(int blocks) implements TaskOrder {

  /** Returns an order that takes a second or so for 300 jobs. */
  public static RelaxedOrder create() {
    return new RelaxedOrder(600);
  }

  @Override
  public double[][] keys(RoundProblem problem) {
    List<RoundBlock> all = RoundBlock.of(problem, blocks);
    double[][] byWork = TaskOrder.byWork().keys(problem);
    double[] guess =
        all.stream().mapToDouble(block -> byWork[block.job()][block.first()]).toArray();
    double[] starts = new StartProgram(all).solve(guess);
    double[][] keys = new double[problem.jobs().size()][];
    for (int job = 0; job < keys.length; job++) {
      keys[job] = new double[problem.jobs().get(job).rounds()];
    }
    for (int at = 0; at < starts.length; at++) {
      all.get(at).writeKeys(starts[at], keys);
    }
    return keys;
  }
}
