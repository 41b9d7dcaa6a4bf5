package io.github.liquidscheduler.simulator.rounds.relaxation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

/** The least weighted sum of ends of blocks on one machine, as far as prefixes tell. */
final class StartProgram {

  private static final int FIRST_PREFIXES = 150;
  private static final int MOST_ROUNDS = 40;
  private static final double TOLERANCE = 1e-5;

  private final List<RoundBlock> blocks;
  private final ExpressionsBasedModel program = new ExpressionsBasedModel();
  private final List<Variable> starts = new ArrayList<>();
  private int conditions;

  StartProgram(List<RoundBlock> blocks) {
    this.blocks = blocks;
    for (int at = 0; at < blocks.size(); at++) {
      RoundBlock block = blocks.get(at);
      starts.add(program.newVariable("start " + at).lower(block.earliest()).weight(block.weight()));
      if (at > 0 && blocks.get(at - 1).isFollowedBy(block)) {
        program
            .newExpression("behind " + at)
            .set(starts.get(at), 1)
            .set(starts.get(at - 1), -1)
            .lower(blocks.get(at - 1).length());
      }
    }
  }

  /** Returns the starts of the blocks, found from the prefixes of the order of {@code guess} on. */
  double[] solve(double[] guess) {
    int[] order = order(guess);
    for (int prefix = 1; prefix <= FIRST_PREFIXES; prefix++) {
      addPrefix(order, (int) ((long) order.length * prefix / FIRST_PREFIXES));
    }
    double[] solution = blocks.stream().mapToDouble(RoundBlock::earliest).toArray();
    for (int round = 0; round < MOST_ROUNDS && addBroken(solution) > 0; round++) {
      Optimisation.Result result = program.minimise();
      if (!result.getState().isFeasible()) {
        throw new IllegalStateException("the program of starts has no solution: " + result);
      }
      for (int at = 0; at < solution.length; at++) {
        solution[at] = result.doubleValue(at);
      }
    }
    return solution;
  }

  private int[] order(double[] solution) {
    return IntStream.range(0, blocks.size())
        .boxed()
        .sorted(Comparator.comparingDouble(at -> blocks.get(at).middle(solution[at])))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Adds conditions that a solution breaks, and returns how many. */
  private int addBroken(double[] solution) {
    int[] order = order(solution);
    double work = 0;
    double weighted = 0;
    int added = 0;
    double[] violations = new double[order.length];
    for (int size = 1; size <= order.length; size++) {
      RoundBlock block = blocks.get(order[size - 1]);
      work += block.work();
      weighted += block.work() * block.middle(solution[order[size - 1]]);
      violations[size - 1] = (work / 2 - weighted / work) / work;
    }
    for (int size = 1; size <= order.length; size++) {
      if (isPeak(violations, size - 1)) {
        addPrefix(order, size);
        added++;
      }
    }
    return added;
  }

  private static boolean isPeak(double[] violations, int at) {
    return violations[at] > TOLERANCE
        && (at == 0 || violations[at] >= violations[at - 1])
        && (at == violations.length - 1 || violations[at] > violations[at + 1]);
  }

  private void addPrefix(int[] order, int size) {
    if (size == 0) {
      return;
    }
    double work = 0;
    double own = 0;
    for (int at = 0; at < size; at++) {
      double of = blocks.get(order[at]).work();
      work += of;
      own += of * of;
    }
    Expression condition =
        program.newExpression("prefix " + conditions++).lower((work - own / work) / 2);
    for (int at = 0; at < size; at++) {
      condition.set(starts.get(order[at]), blocks.get(order[at]).work() / work);
    }
  }
}
