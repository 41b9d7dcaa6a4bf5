package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Forecast;
import io.github.liquidscheduler.scheduling.Retry;
import java.util.List;

/** A full cluster whose jobs stand in many queues. */
final class QueuedCluster {

  private static final int LOOK_AHEAD = 10;

  private final QueueForest queues;
  private final DistinctJobs shapes;
  private final Timings timings = new Timings();
  private final Driver driver;
  private int waiting;
  private int gangs;

  QueuedCluster(QueueForest queues, LiquidScheduler scheduler, long seed) {
    this.queues = queues;
    shapes = new DistinctJobs(seed);
    driver = new Driver(scheduler, timings, seed);
    driver.on("tree", at -> new ClusterEvent.QueuesChanged(at, queues.tree()));
  }

  /** Submits jobs, mostly small ones, until so many run and so many wait. */
  void fill(int running, int waiting) {
    this.waiting = waiting;
    while (driver.running() < running && driver.waiting() < waiting) {
      submit(shapes.small());
    }
    refill();
    print("filling");
  }

  private void refill() {
    while (driver.waiting() < waiting) {
      submit(shapes.anyOf(2) == 0 ? shapes.small() : shapes.next());
    }
  }

  private void submit(JobSpec job) {
    JobSpec queued = job.toBuilder().queue(queues.any().value()).build();
    driver.on("submit", at -> new ClusterEvent.JobSubmitted(at, queued));
  }

  /** Gives so many rounds of events of all kinds, of which those after the warm-up count. */
  void run(int warmUp, int rounds) {
    for (int round = 0; round < warmUp + rounds; round++) {
      if (round == warmUp) {
        timings.clear();
      }
      round(round);
    }
    print("events");
  }

  private void print(String what) {
    timings.print(what);
    System.out.printf(
        "%s: %d run, %d wait, %d GPUs are free, decisions %08x%n",
        what, driver.running(), driver.waiting(), free(), driver.decided());
  }

  private int free() {
    return driver.scheduler().view().topology().nodes().stream()
        .mapToInt(node -> driver.scheduler().view().freeGpus(node.id()))
        .sum();
  }

  private void round(int round) {
    driver.on("finish", at -> new ClusterEvent.JobFinished(at, driver.anyRunning()));
    driver.on("time", ClusterEvent.TimePassed::new);
    driver.on(
        "fail",
        at -> new ClusterEvent.JobFailed(at, driver.anyRunning(), Failure.CRASHED, Retry.now()));
    driver.on("cancel", at -> new ClusterEvent.JobCancelled(at, driver.anyWaiting()));
    driver.on("update", at -> new ClusterEvent.JobUpdated(at, anotherOf(driver.anyWaiting())));
    if (round % 10 == 0) {
      List<Node> nodes = driver.scheduler().view().topology().nodes();
      Node node = nodes.get(shapes.anyOf(nodes.size()));
      driver.on("node lost", at -> new ClusterEvent.NodeLost(at, node.id()));
      driver.on("node returned", at -> new ClusterEvent.NodeReturned(at, node.id()));
    }
    refill();
  }

  private JobSpec anotherOf(JobId job) {
    return shapes.next(job.value()).toBuilder().queue(queues.any().value()).build();
  }

  /** Has a gang of tasks of so many GPUs come that takes back what it needs, and end. */
  void reclaim(int tasks, int gpusOfTask, int warmUp, int times) {
    for (int time = 0; time < warmUp + times; time++) {
      if (time == warmUp) {
        timings.clear();
      }
      JobSpec gang =
          JobSpec.builder("gang-" + gangs++)
              .role("worker", tasks, ResourceRequest.ofGpus(gpusOfTask))
              .queue(queues.owner().value())
              .build();
      List<Decision> decisions =
          driver.on("reclaim", at -> new ClusterEvent.JobSubmitted(at, gang));
      if (!driver.isRunning(gang.id())) {
        throw new IllegalStateException("the gang did not start: " + decisions.size());
      }
      driver.on("gang ends", at -> new ClusterEvent.JobFinished(at, gang.id()));
    }
    print("reclaim");
  }

  /** Asks what happens if somebody comes, so many times. */
  void whatIf(int warmUp, int answers) {
    for (int answer = 0; answer < warmUp + answers; answer++) {
      if (answer == warmUp) {
        timings.clear();
      }
      JobSpec job = shapes.small().toBuilder().queue(queues.any().value()).build();
      ClusterEvent comes = new ClusterEvent.JobSubmitted(driver.now(), job);
      Forecast forecast =
          timings.time("what if", () -> driver.scheduler().whatIf(List.of(comes), LOOK_AHEAD));
      if (forecast.steps().isEmpty()) {
        throw new IllegalStateException("nothing was answered");
      }
    }
    print("what if");
  }
}
