package io.github.liquidscheduler.planner.search;

import ai.timefold.solver.core.api.domain.common.PlanningId;
import ai.timefold.solver.core.api.domain.entity.PlanningEntity;
import ai.timefold.solver.core.api.domain.solution.PlanningEntityCollectionProperty;
import ai.timefold.solver.core.api.domain.solution.PlanningScore;
import ai.timefold.solver.core.api.domain.solution.PlanningSolution;
import ai.timefold.solver.core.api.domain.solution.cloner.SolutionCloner;
import ai.timefold.solver.core.api.domain.valuerange.ValueRange;
import ai.timefold.solver.core.api.domain.valuerange.ValueRangeProvider;
import ai.timefold.solver.core.api.domain.variable.PlanningVariable;
import ai.timefold.solver.core.api.score.HardMediumSoftScore;
import ai.timefold.solver.core.api.score.calculator.IncrementalScoreCalculator;
import ai.timefold.solver.core.impl.heuristic.selector.move.factory.MoveIteratorFactory;
import ai.timefold.solver.core.impl.score.director.ScoreDirector;
import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.Occupancy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The solver's view of the problem. It makes and fills these classes by reflection, which works
 * with public ones only; they are nested here so that nobody else sees them. Only this class knows
 * inner types of the solver.
 */
final class SolverModel {

  private SolverModel() {}

  /** A gang: what is planned is its assignment. */
  @PlanningEntity
  public static final class GangEntity {

    /** The position of the gang in the problem. */
    @PlanningId public int id;

    /** Whatever assignment fits the gang; {@link GangAssignment#UNASSIGNED} among them. */
    @ValueRangeProvider public ValueRange<Object> range;

    /**
     * The {@link GangAssignment} of the gang; the type is for the solver, which sees public ones
     * only.
     */
    @PlanningVariable public Object assignment;

    /** For the solver only. */
    public GangEntity() {
      this(0, new AnyAssignment(0), GangAssignment.UNASSIGNED);
    }

    GangEntity(int id, ValueRange<Object> range, GangAssignment assignment) {
      this.id = id;
      this.range = range;
      this.assignment = assignment;
    }

    GangAssignment assignment() {
      return (GangAssignment) assignment;
    }
  }

  /**
   * A plan. A copy remembers the assignments only and makes its entities when they are first asked
   * for: the solver copies thousands of plans and looks into few.
   */
  @PlanningSolution(solutionCloner = PlanCloner.class)
  public static final class Plan {

    private final @Nullable SolverContext context;
    private final GangAssignment[] frozen;
    private @Nullable List<GangEntity> gangs;
    private @Nullable HardMediumSoftScore score;

    /** For the solver only. */
    public Plan() {
      context = null;
      frozen = new GangAssignment[0];
    }

    Plan(SolverContext context, GangAssignment[] assignments) {
      this.context = context;
      frozen = assignments;
    }

    SolverContext context() {
      if (context == null) {
        throw new IllegalStateException("a plan must belong to a run of the solver");
      }
      return context;
    }

    /** Returns the gangs. */
    @PlanningEntityCollectionProperty
    public List<GangEntity> getGangs() {
      if (gangs == null) {
        gangs = new ArrayList<>(frozen.length);
        for (Gang gang : context().problem().gangs()) {
          gangs.add(new GangEntity(gang.id, new AnyAssignment(gang.tasks), frozen[gang.id]));
        }
      }
      return gangs;
    }

    /** Returns the score of the plan, if the solver knows it yet. */
    @PlanningScore
    public @Nullable HardMediumSoftScore getScore() {
      return score;
    }

    /** Sets how good the plan is. */
    public void setScore(@Nullable HardMediumSoftScore score) {
      this.score = score;
    }

    /** Returns the assignment of each gang. */
    GangAssignment[] assignments() {
      if (gangs == null) {
        return frozen;
      }
      GangAssignment[] assignments = new GangAssignment[gangs.size()];
      for (int id = 0; id < assignments.length; id++) {
        assignments[id] = gangs.get(id).assignment();
      }
      return assignments;
    }
  }

  /** Copies plans. */
  public static final class PlanCloner implements SolutionCloner<Plan> {

    /** For the solver only. */
    public PlanCloner() {}

    @Override
    public Plan cloneSolution(Plan original) {
      Plan copy = new Plan(original.context(), original.assignments());
      copy.setScore(original.getScore());
      return copy;
    }
  }

  /** Keeps an {@link Occupancy} in step with the solver's plan; its sums are the score. */
  public static final class Score implements IncrementalScoreCalculator<Plan, HardMediumSoftScore> {

    private @Nullable SolverContext context;
    private @Nullable Occupancy occupancy;

    /** For the solver only. */
    public Score() {}

    @Override
    public void resetWorkingSolution(Plan plan) {
      context = plan.context();
      occupancy = Occupancy.of(context.problem(), plan.assignments());
    }

    @Override
    public void beforeVariableChanged(Object entity, String variable) {
      Occupancy current = occupancy();
      current.remove(current.problem.gangs()[((GangEntity) entity).id]);
    }

    @Override
    public void afterVariableChanged(Object entity, String variable) {
      Occupancy current = occupancy();
      GangEntity gang = (GangEntity) entity;
      current.put(current.problem.gangs()[gang.id], gang.assignment());
    }

    @Override
    public HardMediumSoftScore calculateScore() {
      Occupancy current = occupancy();
      if (context != null) {
        // An asserting solver has a second calculator; moves must read the one in use.
        context.use(current);
      }
      return HardMediumSoftScore.of(-current.over(), -current.waiting(), -current.soft());
    }

    private Occupancy occupancy() {
      if (occupancy == null) {
        throw new IllegalStateException("the solver must set a plan before it changes one");
      }
      return occupancy;
    }
  }

  /** Gives the solver the moves that {@link Search} finds. */
  public static final class Moves implements MoveIteratorFactory<Plan, AssignmentMove> {

    /** For the solver only. */
    public Moves() {}

    @Override
    public long getSize(ScoreDirector<Plan> director) {
      return director.getWorkingSolution().getGangs().size();
    }

    @Override
    public Iterator<AssignmentMove> createOriginalMoveIterator(ScoreDirector<Plan> director) {
      throw new UnsupportedOperationException("moves are drawn, not listed");
    }

    @Override
    public Iterator<AssignmentMove> createRandomMoveIterator(
        ScoreDirector<Plan> director, RandomGenerator random) {
      Plan plan = director.getWorkingSolution();
      plan.context().stepEnded();
      return new Found(plan.context(), plan.getGangs());
    }
  }

  private record Found(SolverContext context, List<GangEntity> gangs)
      implements Iterator<AssignmentMove> {

    @Override
    public boolean hasNext() {
      return true;
    }

    @Override
    public AssignmentMove next() {
      Search found = context.search();
      GangEntity[] moved = new GangEntity[found.size()];
      GangAssignment[] to = new GangAssignment[moved.length];
      for (int i = 0; i < moved.length; i++) {
        moved[i] = gangs.get(found.gang(i));
        to[i] = found.to(i);
      }
      return new AssignmentMove(moved, to);
    }
  }
}
