package io.github.liquidscheduler.simulator.rounds.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.rounds.planner.FigureOne;
import io.github.liquidscheduler.rounds.planner.GeneratedRounds;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundPlanChecks;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jgrapht.alg.matching.KuhnMunkresMinimalWeightBipartitePerfectMatching;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;
import org.junit.jupiter.api.Test;

class AlloxPlannerTest {

  @Test
  void jobsOfFigureOneTakeOneGpuEach() {
    RoundProblem problem = FigureOne.problem(1, 1);

    RoundPlan plan = new AlloxPlanner().plan(problem);

    RoundPlanChecks.assertFollowsTheRules(problem, plan);
    assertThat(plan.weightedEnd(problem)).isEqualTo(9);
    assertThat(plan.makespan()).isEqualTo(4);
  }

  @Test
  void jobsThatComeLaterWaitForAGpu() {
    RoundProblem problem = GeneratedRounds.problem(15838, 40, 20);

    RoundPlan plan = new AlloxPlanner().plan(problem);

    RoundPlanChecks.assertFollowsTheRules(problem, plan);
    assertThat(plan.sequences()).allMatch(AlloxPlannerTest::jobsFollowOneAnother);
  }

  private static boolean jobsFollowOneAnother(List<RoundPlan.Run> sequence) {
    List<Object> jobs = new ArrayList<>();
    for (RoundPlan.Run run : sequence) {
      if (jobs.isEmpty() || !jobs.getLast().equals(run.job())) {
        jobs.add(run.job());
      }
    }
    return new LinkedHashSet<>(jobs).size() == jobs.size();
  }

  @Property(tries = 200)
  void theAssignmentCostsWhatALibraryFinds(@ForAll long seed) {
    Random random = new Random(seed);
    double[] delays = random.doubles(1 + random.nextInt(4), 0, 5).toArray();
    double[][] lengths = new double[1 + random.nextInt(6)][];
    for (int job = 0; job < lengths.length; job++) {
      lengths[job] = random.doubles(delays.length, 0.5, 9).toArray();
    }

    assertThat(new AugmentingAssignment(delays, lengths).cost())
        .isEqualTo(leastCost(delays, lengths), within(1e-9));
  }

  /** A position of a queue from its end, or a job that takes one. */
  private record Node(int of, int fromEnd, boolean isJob) {

    double cost(Node position, double[] delays, double[][] lengths) {
      return of < lengths.length
          ? position.fromEnd * lengths[of][position.of] + delays[position.of]
          : 0;
    }
  }

  /** All positions for all jobs, and jobs that cost nothing for the positions left. */
  private static double leastCost(double[] delays, double[][] lengths) {
    SimpleWeightedGraph<Node, DefaultWeightedEdge> graph =
        new SimpleWeightedGraph<>(DefaultWeightedEdge.class);
    Set<Node> jobs = new LinkedHashSet<>();
    Set<Node> positions = new LinkedHashSet<>();
    for (int queue = 0; queue < delays.length; queue++) {
      for (int fromEnd = 1; fromEnd <= lengths.length; fromEnd++) {
        positions.add(new Node(queue, fromEnd, false));
        jobs.add(new Node(jobs.size(), 0, true));
      }
    }
    jobs.forEach(graph::addVertex);
    positions.forEach(graph::addVertex);
    for (Node job : jobs) {
      for (Node position : positions) {
        DefaultWeightedEdge edge = graph.addEdge(job, position);
        graph.setEdgeWeight(edge, job.cost(position, delays, lengths));
      }
    }
    return new KuhnMunkresMinimalWeightBipartitePerfectMatching<>(graph, jobs, positions)
        .getMatching()
        .getWeight();
  }
}
