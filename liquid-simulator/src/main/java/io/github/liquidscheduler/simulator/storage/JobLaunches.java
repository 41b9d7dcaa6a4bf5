package io.github.liquidscheduler.simulator.storage;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The launches of jobs: a job starts its processes, then reads what its nodes' disks lack over a
 * shared path from storage. Read data stays on the disks, least recently used evicted first. Data
 * sets can be prefetched. Mutable.
 */
public final class JobLaunches {
  private final EventClock clock;
  private final NodeData data;
  private final Set<Launch> underWay = new LinkedHashSet<>();
  private double idle;
  private double reading;

  /** Makes launches on nodes with their first copies; {@code told} hears of what comes or goes. */
  public JobLaunches(
      ClusterTopology cluster, Bandwidth path, EventClock clock, Consumer<ClusterEvent> told) {
    this.clock = clock;
    data = new NodeData(cluster, path, clock, told);
  }

  /** Lets a job launch: its processes start, it reads what is missing, and {@code trains} runs. */
  public Launch begin(JobSpec job, Placement placement, Duration processes, Runnable trains) {
    Launch launch = new Launch(job, placement, processes, trains);
    underWay.add(launch);
    launch.begin();
    return launch;
  }

  /**
   * Begins a transfer.
   *
   * @throws IllegalStateException if the disk has no space for it, or an evicted copy is being read
   */
  public void bring(Decision.Prefetch prefetch) {
    data.bring(prefetch);
  }

  /** Brings a copy no longer; what was moved of it is wasted. */
  public void cancel(Decision.CancelPrefetch cancel) {
    data.cancel(cancel);
  }

  /** Returns the report so far; transfers under way count as far as moved. */
  public LaunchReport report() {
    double idleNow = idle;
    double readingNow = reading;
    for (Launch launch : underWay) {
      idleNow += launch.idle();
      readingNow += launch.reading();
    }
    return new LaunchReport(idleNow, readingNow, data.brought(), data.wasted());
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  /** A job from its start until it leaves its nodes. */
  public final class Launch {
    private final int gpus;
    private final Duration processes;
    private final Runnable trains;
    private final Instant begun = clock.instant();
    private final Set<NodeDisks.Copy> copies = new LinkedHashSet<>();
    private final Set<NodeDisks.Copy> held = new HashSet<>();
    private final Set<NodeDisks.Copy> awaited = new LinkedHashSet<>();
    private final NodeData.Reader reader = this::has;
    private Runnable callOff = () -> {};

    private Launch(JobSpec job, Placement placement, Duration processes, Runnable trains) {
      gpus = placement.gpus();
      this.processes = processes;
      this.trains = trains;
      for (NodeId node : placement.nodes()) {
        job.datasets().forEach(dataset -> copies.add(new NodeDisks.Copy(dataset, node)));
      }
    }

    private void begin() {
      copies.stream().filter(data::use).forEach(held::add);
      callOff = clock.schedule(processes, this::read);
    }

    private void read() {
      callOff = () -> {};
      for (NodeDisks.Copy copy : copies) {
        if (held.contains(copy)) {
          continue;
        }
        if (data.use(copy)) {
          held.add(copy);
        } else {
          awaited.add(copy);
          data.await(copy, reader);
        }
      }
      trainIfComplete();
    }

    private void has(NodeDisks.Copy copy, boolean isHeld) {
      awaited.remove(copy);
      if (isHeld) {
        held.add(copy);
      }
      trainIfComplete();
    }

    private void trainIfComplete() {
      if (awaited.isEmpty()) {
        book();
        trains.run();
      }
    }

    private void book() {
      if (underWay.remove(this)) {
        idle += idle();
        reading += reading();
      }
    }

    private double idle() {
      return gpus * seconds(taken());
    }

    private double reading() {
      Duration taken = taken();
      return taken.compareTo(processes) > 0 ? gpus * seconds(taken.minus(processes)) : 0;
    }

    private Duration taken() {
      return Duration.between(begun, clock.instant());
    }

    /** Lets the job leave its nodes, after its work or before; it reads nothing any more. */
    public void leave() {
      book();
      callOff.run();
      awaited.forEach(copy -> data.giveUp(copy, reader));
      awaited.clear();
      held.forEach(data::leave);
      held.clear();
    }
  }
}
