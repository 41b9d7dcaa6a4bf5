package io.github.liquidscheduler.planner.search;

import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.problem.Problem;
import io.github.liquidscheduler.planning.PlanOptions;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of one run of the solver: the occupancy in use, the search on it, and when to
 * stop.
 */
final class SolverContext {

  private static final int MOVES_AT_ONCE = 256;
  private static final int ROUNDS_BEFORE_CLOCK = 64;

  private final Problem problem;
  private final PlanOptions options;
  private final Runnable end;
  private @Nullable Occupancy occupancy;
  private @Nullable Search search;
  private @Nullable Acceptance acceptance;
  private long evaluatedBefore;

  SolverContext(Problem problem, PlanOptions options, Runnable end) {
    this.problem = problem;
    this.options = options;
    this.end = end;
  }

  Problem problem() {
    return problem;
  }

  /** Returns the number of moves evaluated. */
  long movesEvaluated() {
    return evaluatedBefore + (search == null ? 0 : search.movesEvaluated());
  }

  /** Takes the occupancy that the solver calculates with. */
  void use(Occupancy inUse) {
    if (inUse != occupancy) {
      evaluatedBefore = movesEvaluated();
      occupancy = inUse;
      search = null;
    }
  }

  /** Notes that the solver has made a step, or begins. */
  void stepEnded() {
    Occupancy now = inUse();
    if (acceptance == null) {
      acceptance = new Acceptance(now.waiting(), now.soft());
    } else {
      acceptance.step(now.waiting(), now.soft());
    }
  }

  /**
   * Looks for a move, and returns the search with what it found; with nothing if it has to stop or
   * let the solver check its time limit.
   */
  Search search() {
    Search current = currentSearch();
    boolean found = false;
    for (int i = 0; i < ROUNDS_BEFORE_CLOCK && !found; i++) {
      long left = options.steps() - movesEvaluated();
      if (left <= 0 || options.stop().getAsBoolean()) {
        end.run();
        current.find(0);
        return current;
      }
      found = current.find(Math.min(MOVES_AT_ONCE, left));
    }
    return current;
  }

  private Search currentSearch() {
    if (search == null) {
      Acceptance history = acceptance;
      if (history == null) {
        throw new IllegalStateException("the search has not begun");
      }
      search = new Search(inUse(), history, options.seed() + evaluatedBefore, maxRemoved());
    }
    return search;
  }

  private Occupancy inUse() {
    if (occupancy == null) {
      throw new IllegalStateException("nothing was calculated yet");
    }
    return occupancy;
  }

  /** Short searches remove fewer gangs: they have much to gain by small moves yet. */
  private int maxRemoved() {
    boolean isShort = options.steps() / 200 < problem.gangs().length;
    return isShort ? 6 : 15;
  }
}
