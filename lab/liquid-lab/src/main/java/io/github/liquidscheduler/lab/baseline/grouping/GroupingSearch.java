package io.github.liquidscheduler.lab.baseline.grouping;

import io.github.liquidscheduler.lab.baseline.grouping.NodePacking.Group;
import io.github.liquidscheduler.planning.PlanOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * The genetic algorithm itself. The paper gives the operators and the fitness but no parameters;
 * those here are of the released program: 30 plans and one more for each two tasks, the better of
 * three drawn at random as a parent, crossover for 70 % and mutation for 50 % of the children,
 * until 30 generations and one for each task have brought nothing better. Unlike there, the best
 * plan so far lives on, and children are repaired by first fit as in the paper, not by random fit.
 */
final class GroupingSearch {

  private static final int LEAST_PLANS = 30;
  private static final int DRAWN = 3;
  private static final double CROSSOVERS = 0.7;
  private static final double MUTATIONS = 0.5;
  private static final double BETTER_BY = 1e-6;

  private final GroupingProblem problem;
  private final GroupOperators operators;
  private final PlanOptions options;
  private final SplittableRandom random;
  private List<Scored> plans = new ArrayList<>();
  private long movesEvaluated;

  /** A plan and what it costs. */
  private record Scored(NodePacking packing, double cost) {}

  GroupingSearch(GroupingProblem problem, PlanOptions options) {
    this.problem = problem;
    this.options = options;
    operators = new GroupOperators(problem.rooms());
    random = new SplittableRandom(options.seed());
  }

  /** Returns how many plans were looked at. */
  long movesEvaluated() {
    return movesEvaluated;
  }

  /** Returns the best plan found, no worse than {@code first}, which is whole. */
  NodePacking improve(NodePacking first) {
    populate(first);
    Scored best = best();
    int patience = LEAST_PLANS + problem.tasks().size();
    for (int idle = 0; idle < patience && mayGoOn(); idle++) {
      breed(best);
      Scored found = best();
      if (found.cost < best.cost - BETTER_BY) {
        idle = -1;
      }
      best = found.cost < best.cost ? found : best;
    }
    return best.packing;
  }

  private boolean mayGoOn() {
    return movesEvaluated < options.steps() && !options.stop().getAsBoolean();
  }

  /** Makes the first plans as different as can be: jobs and nodes in any order. */
  private void populate(NodePacking first) {
    int size = LEAST_PLANS + problem.tasks().size() / 2;
    add(plans, first);
    while (plans.size() < size && mayGoOn()) {
      List<Group> nodes = shuffled(problem.nodes());
      List<Integer> tasks = shuffled(problem.tasks());
      add(
          plans,
          plans.size() % 2 == 0
              ? operators.firstFit(nodes, problem.tasks())
              : operators.randomFit(nodes, tasks, random));
    }
  }

  private void breed(Scored best) {
    List<Scored> children = new ArrayList<>();
    children.add(best);
    while (children.size() < plans.size()) {
      NodePacking child = select().packing;
      if (random.nextDouble() < CROSSOVERS) {
        child = crossover(select().packing, child);
      }
      if (random.nextDouble() < MUTATIONS && child.groups().size() > 1) {
        child = operators.mutation(child, random.nextInt(child.groups().size()));
      }
      add(children, child);
    }
    plans = children;
  }

  private NodePacking crossover(NodePacking donor, NodePacking receiver) {
    List<Integer> used = new ArrayList<>();
    for (int i = 0; i < donor.groups().size(); i++) {
      if (!donor.groups().get(i).tasks().isEmpty()) {
        used.add(i);
      }
    }
    if (used.isEmpty()) {
      return receiver;
    }
    int donated = used.get(random.nextInt(used.size()));
    int position = random.nextInt(receiver.groups().size() + 1);
    return operators.crossover(donor, donated, receiver, position);
  }

  private Scored select() {
    Scored winner = plans.get(random.nextInt(plans.size()));
    for (int i = 1; i < DRAWN; i++) {
      Scored other = plans.get(random.nextInt(plans.size()));
      winner = other.cost < winner.cost ? other : winner;
    }
    return winner;
  }

  private Scored best() {
    Scored best = plans.get(0);
    for (Scored plan : plans) {
      best = plan.cost < best.cost ? plan : best;
    }
    return best;
  }

  private void add(List<Scored> to, NodePacking packing) {
    movesEvaluated++;
    to.add(new Scored(packing, problem.cost(packing)));
  }

  private <T> List<T> shuffled(List<T> list) {
    List<T> shuffled = new ArrayList<>(list);
    Collections.shuffle(shuffled, new Random(random.nextLong()));
    return shuffled;
  }
}
