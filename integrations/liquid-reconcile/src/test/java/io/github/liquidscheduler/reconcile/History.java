package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerListener;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.TurnTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What happens to a manager, its users and a reconciler, one after the other. */
final class History implements AutoCloseable {

  /** What may happen. */
  enum Kind {
    SUBMIT,
    SUBMIT_FOREIGN,
    CANCEL,
    USER_HOLDS,
    USER_RELEASES,
    BY_HAND,
    REQUEUE,
    HIDE,
    DRAIN,
    RESUME,
    NODE_DOWN,
    KILL_MANAGER,
    FAIL_OBSERVATIONS,
    LOSE_COMMANDS,
    DELAY_COMMANDS,
    MISS_COMMANDS,
    SLOW,
    KILL_ADAPTER,
    LOSE_LEASE
  }

  /** Something that happens, and how long nothing else does. */
  record Step(Kind kind, int which, int how, int waits) {}

  final FakeManager manager;
  final List<ClusterEvent> events = new ArrayList<>();
  final List<List<Decision>> decisions = new ArrayList<>();
  private final Path folder;
  private final boolean preempts;

  /** The adopted jobs that are not owned, by their ids in the scheduler. */
  private final Set<JobId> foreign = new HashSet<>();

  private int lives;
  private Path journals;
  private VirtualTime time;
  private FakePort.Faults faults;
  private FakePort port;
  private final List<FakePort> ports = new ArrayList<>();

  /** Which of the jobs that have had the manager's id is meant by an own one. */
  private final Map<JobId, Long> identities = new HashMap<>();

  /** The processes that others have taken over from, and who do not know it yet. */
  private final Map<VirtualTime, Reconciler> former = new LinkedHashMap<>();

  Reconciler reconciler;

  History(FakeManager manager, boolean preempts) {
    this.manager = manager;
    this.preempts = preempts;
    try {
      Path memory = Path.of("/dev/shm");
      folder =
          Files.isWritable(memory)
              ? Files.createTempDirectory(memory, "reconcile")
              : Files.createTempDirectory("reconcile");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    journals = folder.resolve("0");
    start(new FakePort.Faults());
  }

  private void start(FakePort.Faults wrong) {
    faults = wrong;
    time = new VirtualTime(manager);
    FakePort way = new FakePort(manager, time, faults);
    Listener listener = new Listener(lives);
    port = way;
    ports.add(port);
    reconciler =
        Reconciler.builder(port, journals, time, this::scheduler)
            .executor(time)
            .timer(time)
            .stopwatch(time)
            .startTimeout(Duration.ofSeconds(20))
            .trustCluster()
            .lease(() -> way.hasLease)
            .loop(loop -> loop.listener(listener))
            .start();
  }

  LiquidScheduler scheduler(ClusterTopology cluster, Optional<SchedulerSnapshot> start) {
    LiquidScheduler.Builder builder =
        LiquidScheduler.builder(cluster)
            .policy(preempts ? Policies.priority() : Policies.bestEffortFifo())
            .preemption(PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(4)))
            .startsReported();
    return start.map(builder::restore).orElseGet(builder::build);
  }

  private final class Listener implements SchedulerListener {
    private final int life;

    Listener(int life) {
      this.life = life;
    }

    @Override
    public void decided(
        ClusterEvent event, List<Decision> made, TurnTimes times, Scheduler scheduler) {
      if (life < lives) {
        // The process was killed.
        return;
      }
      if (!isOfLoop(event)) {
        port.told(event);
        event.events().forEach(each -> mustBeOfWhatIsShown(each));
        mustBeInOrder(event.events());
      }
      events.add(event);
      decisions.add(made);
      made.forEach(each -> mustBeOfOwned(each));
      for (ClusterEvent each : event.events()) {
        manager.note("told " + each);
        noteOwner(each);
        if (each instanceof ClusterEvent.JobStarted || each instanceof ClusterEvent.JobAdopted) {
          manager.hearsRun(managersId(((ClusterEvent.AboutJob) each).job()));
        }
        if (each instanceof ClusterEvent.AboutJob about
            && scheduler.status(about.job()).filter(JobStatus.Ended.class::isInstance).isPresent()
            && (each instanceof ClusterEvent.JobFinished
                || each instanceof ClusterEvent.JobCancelled
                || each instanceof ClusterEvent.JobFailed)) {
          manager.hearsEnd(managersId(about.job()), identities.getOrDefault(about.job(), 0L));
        }
      }
      made.forEach(decision -> manager.note("decided " + decision));
    }
  }

  private void mustBeOfWhatIsShown(ClusterEvent event) {
    if (event instanceof ClusterEvent.AboutJob about) {
      JobId job = managersId(about.job());
      port.toldOf(job, identities.getOrDefault(about.job(), manager.identity(job)), event);
    }
  }

  /** Returns true if no pass has told it: time has passed, or a start was never sent. */
  private boolean isOfLoop(ClusterEvent event) {
    return event instanceof ClusterEvent.TimePassed
        || (event instanceof ClusterEvent.JobStopped stopped && isPreemptedJustNow(stopped));
  }

  private boolean isPreemptedJustNow(ClusterEvent.JobStopped stopped) {
    for (int i = events.size() - 1; i >= 0 && events.get(i).at().equals(stopped.at()); i--) {
      if (decisions.get(i).stream()
          .anyMatch(
              made -> made instanceof Decision.Preempt it && it.job().equals(stopped.job()))) {
        return true;
      }
    }
    return false;
  }

  private void mustBeInOrder(List<ClusterEvent> turn) {
    List<Integer> order = turn.stream().map(History::order).toList();
    if (!order.equals(order.stream().sorted().toList())) {
      manager.breaks("ends, nodes, adoptions, updates, submissions are not in order: " + turn);
    }
  }

  private static int order(ClusterEvent event) {
    return switch (event) {
      case ClusterEvent.JobFinished it -> 0;
      case ClusterEvent.JobFailed it -> 0;
      case ClusterEvent.JobStopped it -> 0;
      case ClusterEvent.JobCancelled it -> 0;
      case ClusterEvent.JobHeld it -> 0;
      case ClusterEvent.JobAdopted it -> 2;
      case ClusterEvent.JobSubmitted it -> 4;
      case ClusterEvent.AboutJob it -> 3;
      default -> 1;
    };
  }

  private void noteOwner(ClusterEvent event) {
    if (event instanceof ClusterEvent.JobSubmitted || event instanceof ClusterEvent.JobAdopted) {
      JobId own = ((ClusterEvent.AboutJob) event).job();
      identities.put(own, manager.identity(managersId(own)));
    }
    if (event instanceof ClusterEvent.JobAdopted adopted
        && manager.jobs().stream()
            .anyMatch(job -> !job.isOwned && job.id.equals(managersId(adopted.job())))) {
      foreign.add(adopted.job());
    } else if (event instanceof ClusterEvent.JobSubmitted
        || event instanceof ClusterEvent.JobAdopted) {
      foreign.remove(((ClusterEvent.AboutJob) event).job());
    }
  }

  private static JobId managersId(JobId own) {
    return JobId.of(own.value().replaceAll("[#@].*", ""));
  }

  private void mustBeOfOwned(Decision decision) {
    if (decision instanceof Decision.Preempt it && foreign.contains(it.job())) {
      manager.breaks("a job is not owned, but " + decision);
    }
  }

  /** Half of what happens to jobs happens to one of the last few, while something goes on. */
  private static FakeManager.Job one(List<FakeManager.Job> jobs, Step step) {
    int among = step.which() % 2 == 0 ? Math.min(3, jobs.size()) : jobs.size();
    return jobs.get(jobs.size() - 1 - step.which() / 2 % among);
  }

  /** Returns for how long a job runs: mostly for less time than the manager takes to save. */
  private static long runs(Step step) {
    long length = step.how() % 17;
    return 500 + 97 * length * length;
  }

  void happens(Step step) {
    List<FakeManager.Job> jobs = manager.jobs();
    List<NodeId> nodes = List.copyOf(manager.nodes.keySet());
    NodeId node = nodes.get(step.which() % nodes.size());
    Optional<FakeManager.Job> job =
        jobs.isEmpty() ? Optional.empty() : Optional.of(one(jobs, step));
    switch (step.kind()) {
      case SUBMIT -> {
        if (manager.isUp()) {
          manager.submit(1 + step.how() % 2, 1 + step.which() % 5, runs(step), step.which());
        }
      }
      case SUBMIT_FOREIGN -> {
        if (manager.isUp()) {
          manager.submitForeign(1 + step.how() % 2, 1 + step.which() % 4, runs(step));
        }
      }
      case CANCEL -> job.ifPresent(manager::cancel);
      case USER_HOLDS -> job.ifPresent(manager::hold);
      case USER_RELEASES -> job.ifPresent(manager::release);
      case BY_HAND -> job.ifPresent(manager::startByHand);
      case REQUEUE -> {
        List<FakeManager.Job> ended =
            jobs.stream().filter(each -> each.is == FakeManager.Is.ENDED).toList();
        boolean isOfEnded = step.how() % 2 == 0 && !ended.isEmpty();
        (isOfEnded ? Optional.of(ended.getLast()) : job).ifPresent(manager::requeue);
      }
      case HIDE -> job.ifPresent(shown -> manager.hide(shown, 100L * (step.how() % 150)));
      case DRAIN -> manager.drain(node);
      case RESUME -> manager.undrain(node);
      case NODE_DOWN -> manager.down(node);
      case KILL_MANAGER -> manager.kill(100L * (step.how() % 30));
      case FAIL_OBSERVATIONS -> faults.observationsToFail += step.how() % 4;
      case LOSE_COMMANDS -> faults.commandsToLose += step.how() % 3;
      case DELAY_COMMANDS -> {
        faults.commandsToDelay += step.how() % 3;
        faults.delay = 500L * (1 + step.which() % 30);
      }
      case MISS_COMMANDS -> {
        faults.commandsToMiss += step.how() % 3;
        faults.missedBy = 100L * (step.which() % 50);
      }
      case SLOW -> faults.latency = 100L * (step.how() % 8);
      case KILL_ADAPTER -> time.kill(step.how() % 40);
      case LOSE_LEASE -> time.suspend(step.how() % 40);
    }
    goesOn(step.waits());
  }

  /** Lets time pass. */
  void goesOn(long millis) {
    long end = manager.millis() + millis;
    while (manager.millis() < end) {
      manager.tick(100);
      try {
        ports.forEach(FakePort::arrive);
        time.run();
      } catch (VirtualTime.Killed e) {
        startAgain();
      }
      former.keySet().forEach(VirtualTime::run);
      if (time.isSuspended()) {
        takeOver();
      }
    }
  }

  /** A process is suspended for longer than its lease, and then goes on beside another. */
  private void takeOver() {
    manager.note("adapter suspended");
    port.orphan();
    port.hasLease = false;
    time.resume();
    time.kill(Integer.MAX_VALUE);
    former.put(time, reconciler);
    copyFiles();
    start(faults);
  }

  /** A process goes on from the files as they were when the one before it was killed. */
  private void startAgain() {
    manager.note("adapter killed");
    port.orphan();
    copyFiles();
    VirtualTime last = time;
    Reconciler killed = reconciler;
    start(faults);
    end(last, killed);
  }

  private static void end(VirtualTime of, Reconciler process) {
    of.resume();
    of.kill(Integer.MAX_VALUE);
    process.close();
    of.run();
  }

  private void copyFiles() {
    Path next = folder.resolve("" + ++lives);
    try (Stream<Path> files = Files.list(journals)) {
      Files.createDirectories(next);
      for (Path file : files.toList()) {
        Files.copy(file, next.resolve(file.getFileName()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    journals = next;
  }

  /** Ends all that is wrong, and lets everything come to rest. */
  void comesToRest() {
    faults.latency = 0;
    faults.observationsToFail = 0;
    faults.commandsToLose = 0;
    faults.commandsToDelay = 0;
    faults.commandsToMiss = 0;
    manager.nodes.keySet().forEach(manager::undrain);
    goesOn(20_000);
    manager.nodes.keySet().forEach(manager::undrain);
    manager.jobs().forEach(manager::release);
    for (int i = 0; i < 60 && !isAtRest(); i++) {
      goesOn(10_000);
    }
  }

  private boolean isAtRest() {
    return manager.jobs().stream()
            .allMatch(job -> job.is == FakeManager.Is.ENDED || !job.text.isEmpty())
        && live().isEmpty();
  }

  /** Returns the jobs that the scheduler has. */
  List<JobId> live() {
    List<JobId> live = new ArrayList<>();
    reconciler
        .loop()
        .ask(
            scheduler -> {
              live.addAll(scheduler.waiting());
              live.addAll(scheduler.view().runningJobs());
              return live;
            });
    time.run();
    return live;
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(folder)) {
      former.put(time, reconciler);
      former.forEach(History::end);
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
