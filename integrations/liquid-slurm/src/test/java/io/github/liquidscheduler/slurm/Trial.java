package io.github.liquidscheduler.slurm;

import static io.github.liquidscheduler.slurm.PrivateSlurm.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.reconcile.Command;
import io.github.liquidscheduler.reconcile.Confirmation;
import io.github.liquidscheduler.reconcile.ObservedJob;
import io.github.liquidscheduler.reconcile.ObservedState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A real Slurm and a port to it. */
record Trial(PrivateSlurm slurm, SlurmPort port) {

  String running(String... nodes) throws IOException {
    String id = slurm.submit("sleep 60", "-N" + nodes.length, "--gpus-per-node=1");
    job(id);
    assertThat(carryOut(start(id, 0, 1, nodes)).refused()).isEmpty();
    until("it runs", () -> job(id).state() instanceof ObservedState.Running);
    return id;
  }

  List<String> statesOf(String array) throws IOException {
    return port.observe().jobs().stream()
        .filter(job -> job.id().value().startsWith(array + "_"))
        .sorted((a, b) -> a.id().compareTo(b.id()))
        .map(job -> job.state().getClass().getSimpleName())
        .toList();
  }

  ObservedJob job(String id) throws IOException {
    return port.observe().jobs().stream()
        .filter(job -> job.id().value().equals(id))
        .findFirst()
        .orElseThrow();
  }

  Confirmation carryOut(Command command) {
    return port.carryOut(List.of(command)).toCompletableFuture().join().getFirst();
  }

  static Command start(String id, int attempt, int gpus, String... nodes) {
    List<TaskPlacement> tasks = new ArrayList<>();
    for (int task = 0; task < nodes.length; task++) {
      tasks.add(
          new TaskPlacement(
              new TaskId("node", task),
              NodeId.of(nodes[task]),
              IntStream.range(0, gpus).boxed().toList(),
              ResourceRequest.ofGpus(gpus)));
    }
    return new Command.Start(JobId.of(id), attempt, new Placement(JobId.of(id), tasks));
  }
}
