package io.github.liquidscheduler.simulator;

import static io.github.liquidscheduler.simulator.Runs.at;
import static io.github.liquidscheduler.simulator.Runs.cluster;
import static io.github.liquidscheduler.simulator.Runs.job;
import static io.github.liquidscheduler.simulator.Runs.scheduler;
import static io.github.liquidscheduler.simulator.Runs.script;
import static io.github.liquidscheduler.simulator.Runs.trace;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.simulator.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A scheduler that breaks a promise is found out. */
class BrokenPromiseTest {

  private final ClusterTopology cluster = cluster(2, 2);
  private final Trace trace = trace(job("a", 0, 2, 100), job("b", 10, 2, 100));

  private Simulation.Builder run(UnaryOperator<List<Decision>> tampering) {
    return Simulation.builder(trace, new TamperedScheduler(scheduler("fifo", cluster), tampering));
  }

  private static UnaryOperator<List<Decision>> starting(UnaryOperator<Placement> change) {
    return decisions ->
        decisions.stream()
            .map(
                decision ->
                    decision instanceof Decision.Start start
                        ? new Decision.Start(
                            start.job(), change.apply(start.placement()), start.why())
                        : decision)
            .toList();
  }

  private static Placement moved(Placement placement, String node) {
    List<TaskPlacement> tasks = new ArrayList<>();
    for (TaskPlacement task : placement.tasks()) {
      tasks.add(new TaskPlacement(task.task(), NodeId.of(node), task.gpus(), task.request()));
    }
    return new Placement(placement.job(), tasks);
  }

  private static void assertFound(Simulation.Builder simulation, String rule) {
    assertThatThrownBy(() -> simulation.build().run())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(rule);
  }

  @Test
  void aGpuGivenTwiceIsFound() {
    assertFound(run(starting(placement -> moved(placement, "n0"))), "over-committed");
  }

  @Test
  void aNodeThatIsNotThereIsFound() {
    assertFound(run(starting(placement -> moved(placement, "n7"))), "named n7");
  }

  @Test
  void aGpuThatIsNotThereIsFound() {
    assertFound(
        run(
            starting(
                placement -> {
                  TaskPlacement task = placement.tasks().get(0);
                  List<TaskPlacement> tasks = new ArrayList<>(placement.tasks());
                  tasks.set(
                      0, new TaskPlacement(task.task(), task.node(), List.of(9), task.request()));
                  return new Placement(placement.job(), tasks);
                })),
        "must be placed on nodes and GPUs that are up");
  }

  @Test
  void halfAGangIsFound() {
    assertFound(
        run(starting(placement -> new Placement(placement.job(), placement.tasks().subList(0, 1)))),
        "a gang must be whole");
  }

  @Test
  void aLostStartIsFound() {
    assertFound(run(decisions -> List.of()), "every job must be accounted for");
  }

  @Test
  void aJobStartedTwiceIsFound() {
    assertFound(
        run(
            decisions -> {
              List<Decision> twice = new ArrayList<>(decisions);
              twice.addAll(decisions);
              return twice;
            }),
        "a decision must be about a job that is WAITING, but 'a' is RUNNING");
  }

  @Test
  void aJobLeftOnALostNodeIsFound() {
    assertFound(
        run(decisions -> decisions.stream().filter(Decision.Start.class::isInstance).toList())
            .failures(script(cluster, new ClusterEvent.NodeLost(at(20), NodeId.of("n0")))),
        "no job must run on a lost node or GPU");
  }
}
