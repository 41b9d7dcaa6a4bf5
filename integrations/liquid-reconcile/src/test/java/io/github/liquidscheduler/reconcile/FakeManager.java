package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.reconcile.ObservedState.Outcome;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A cluster manager, its nodes and the processes on them, in memory and virtual time. The manager
 * saves what it knows every five seconds; killed, it forgets the rest, while processes run on. A
 * node refuses a second copy of a job that runs on it, and tells what runs there only once it has
 * registered. Whatever breaks a law is kept in {@link #broken}.
 */
final class FakeManager {
  static final int GPUS = 4;
  private static final long SAVES = 5_000;
  private static final long SHOWN = 60_000;

  /** For how long after others one node does not answer, after some restarts of the manager. */
  private static final long SILENT = 8_000;

  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  /** What a job is to the manager. */
  enum Is {
    NOT_YET,
    HELD,
    RELEASED,
    RUNNING,
    ENDING,
    ENDED
  }

  /** What the manager knows of a job. */
  static final class Job {
    final JobId id;
    final JobSpec spec;
    final boolean isOwned;
    final boolean finishes;
    final long runs;
    final ObservedRequest request;
    final long identity;
    long submitted;
    int attempt;
    Is is = Is.HELD;
    List<NodeId> on = List.of();
    boolean isPinned;
    long since;
    Outcome outcome = Outcome.FINISHED;
    String text = "";
    boolean isHeldByUser;
    boolean isToBeHeld;

    /** Until when it is not shown, nor found. */
    long hiddenUntil;

    /** When the last start of it was sent. */
    long startSentAt;

    Job(
        JobId id,
        ObservedRequest request,
        JobSpec spec,
        boolean isOwned,
        boolean finishes,
        long runs,
        long identity) {
      this.id = id;
      this.request = request;
      this.spec = spec;
      this.isOwned = isOwned;
      this.finishes = finishes;
      this.runs = runs;
      this.identity = identity;
    }

    Job copy() {
      Job copy = new Job(id, request, spec, isOwned, finishes, runs, identity);
      copy.submitted = submitted;
      copy.attempt = attempt;
      copy.is = is;
      copy.on = on;
      copy.isPinned = isPinned;
      copy.since = since;
      copy.outcome = outcome;
      copy.text = text;
      copy.isHeldByUser = isHeldByUser;
      copy.isToBeHeld = isToBeHeld;
      copy.startSentAt = startSentAt;
      return copy;
    }

    /** All tasks are alike: which of them is on which of its nodes makes no difference. */
    boolean isOn(List<NodeId> nodes) {
      return on.stream().sorted().toList().equals(nodes.stream().sorted().toList());
    }

    boolean holds() {
      return is == Is.RUNNING || is == Is.ENDING;
    }

    @Override
    public String toString() {
      return id + " " + attempt + " " + is + " " + on + (isOwned ? "" : " not owned");
    }
  }

  /** The processes of a job. */
  record Processes(
      JobId job,
      boolean isOurs,
      long identity,
      int attempt,
      List<NodeId> on,
      long endsAt,
      Outcome outcome) {}

  /** The names of the nodes, and how they are. */
  final Map<NodeId, NodeCondition> nodes = new TreeMap<>();

  final List<String> broken = new ArrayList<>();
  final List<String> log = new ArrayList<>();

  /** When the end of each attempt was told first. */
  private final Map<JobId, NavigableMap<Integer, Long>> endsTold = new HashMap<>();

  private final Set<Processes> told = new HashSet<>();
  private final Map<NodeId, Long> registers = new HashMap<>();
  private final List<Processes> processes = new ArrayList<>();
  private Map<JobId, Job> jobs = new LinkedHashMap<>();
  private Map<JobId, Job> saved = new LinkedHashMap<>();
  private final List<Processes> unreported = new ArrayList<>();
  private long millis;
  private long downUntil;
  private int epoch;
  private int submitted;
  private int savedIds;
  private long identities;
  private final boolean checksRoom;
  private final boolean keepsEnded;
  private final Map<JobId, Job> accounting = new HashMap<>();

  /**
   * Makes a manager.
   *
   * @param checksRoom whether it starts nothing where there is no room, or leaves that to others
   * @param keepsEnded whether it knows jobs that it shows no longer
   */
  FakeManager(int size, boolean checksRoom, boolean keepsEnded) {
    this.checksRoom = checksRoom;
    this.keepsEnded = keepsEnded;
    for (int i = 0; i < size; i++) {
      nodes.put(NodeId.of("n" + i), NodeCondition.UP);
    }
  }

  long millis() {
    return millis;
  }

  boolean isUp() {
    return millis >= downUntil;
  }

  List<Job> jobs() {
    return List.copyOf(jobs.values());
  }

  List<Processes> processes() {
    return List.copyOf(processes);
  }

  /** Returns how often a job was commanded to start. */
  long starts(JobId job) {
    return log.stream().filter(line -> line.contains(" Start[job=" + job + ", attempt=")).count();
  }

  void note(String what) {
    log.add(millis + " " + what);
  }

  void breaks(String law) {
    note("BROKEN: " + law);
    broken.add(millis + " " + law);
  }

  // What people do.

  /** Submits a job of some tasks of some GPUs each, one node for each. */
  JobId submit(int tasks, int gpus, long runs, int kind) {
    JobId id = JobId.of(Integer.toString(++submitted));
    JobSpec spec =
        JobSpec.builder(id)
            .role("w", tasks, ResourceRequest.ofGpus(gpus))
            .preemptible(kind % 4 != 0)
            .priority(kind % 3)
            .build();
    ObservedRequest request =
        kind % 13 == 7
            ? new ObservedRequest.Unsupported("no such thing")
            : new ObservedRequest.Understood(spec, List.of());
    Job job = new Job(id, request, spec, true, kind % 5 != 1, runs, ++identities);
    job.submitted = millis;
    jobs.put(id, job);
    endsTold.remove(id);
    note("submit " + job);
    return id;
  }

  /** Submits a job that the manager starts by itself. */
  void submitForeign(int tasks, int gpus, long runs) {
    JobId id = JobId.of(Integer.toString(++submitted));
    JobSpec spec = JobSpec.builder(id).role("w", tasks, ResourceRequest.ofGpus(gpus)).build();
    Job job =
        new Job(
            id,
            new ObservedRequest.Understood(spec, List.of()),
            spec,
            false,
            true,
            runs,
            ++identities);
    job.is = Is.RELEASED;
    job.since = millis;
    job.submitted = millis;
    jobs.put(id, job);
    endsTold.remove(id);
    note("submit " + job);
  }

  void cancel(Job job) {
    if (!isUp() || job.is == Is.ENDED) {
      return;
    }
    note("cancel " + job);
    processes.removeIf(each -> each.job().equals(job.id));
    end(job, Outcome.CANCELLED);
  }

  void hold(Job job) {
    if (isUp() && job.is == Is.HELD && job.isOwned) {
      note("user holds " + job);
      job.is = Is.NOT_YET;
    }
  }

  void release(Job job) {
    if (isUp() && job.is == Is.NOT_YET) {
      note("user releases " + job);
      job.is = Is.HELD;
    }
  }

  /** An administrator lets a job start, past the scheduler. */
  void startByHand(Job job) {
    if (isUp() && job.is == Is.HELD) {
      note("by hand " + job);
      job.is = Is.RELEASED;
      job.isPinned = false;
      job.since = millis;
    }
  }

  /** For some time the manager shows all jobs but one. */
  void hide(Job job, long time) {
    note("hide " + job);
    job.hiddenUntil = millis + time;
  }

  /** Returns what tells a job from others that have had its id; 0 if there is none. */
  long identity(JobId id) {
    @Nullable Job job = jobs.get(id);
    return job == null ? 0 : job.identity;
  }

  /** Hears that a job was told to be over. */
  void hearsEnd(JobId id, long identity) {
    @Nullable Job job = jobs.get(id);
    if (job != null && job.identity == identity && job.hiddenUntil > millis && job.is != Is.ENDED) {
      breaks("job %s has ended because it was not shown once".formatted(job));
    }
    if (job != null && job.identity == identity && job.is == Is.ENDED) {
      endsTold.computeIfAbsent(id, none -> new TreeMap<>()).putIfAbsent(job.attempt, millis);
    }
  }

  void requeue(Job job) {
    if (isUp() && (job.is == Is.RUNNING || job.is == Is.ENDED)) {
      note("requeue " + job);
      kill(job);
      back(job, true);
    }
  }

  /** It becomes another cluster, on which nothing has run. */
  void forgetAll() {
    jobs.clear();
    saved.clear();
    accounting.clear();
    processes.clear();
  }

  void drain(NodeId node) {
    nodes.replace(node, NodeCondition.UP, NodeCondition.DRAINING);
  }

  void undrain(NodeId node) {
    nodes.replace(node, NodeCondition.DRAINING, NodeCondition.UP);
    nodes.replace(node, NodeCondition.DOWN, NodeCondition.UP);
  }

  /** A node dies, and its processes. */
  void down(NodeId node) {
    if (!isUp()) {
      return;
    }
    note("down " + node);
    nodes.put(node, NodeCondition.DOWN);
    registers.remove(node);
    processes.removeIf(each -> each.on().contains(node));
    for (Job job : jobs.values()) {
      if (job.holds() && job.on.contains(node)) {
        kill(job);
        if (job.spec.isPreemptible() && job.is == Is.RUNNING) {
          back(job, true);
        } else {
          end(job, Outcome.FAILED);
        }
      }
    }
  }

  /** The manager dies, and comes back with what it has saved. */
  void kill(long awayFor) {
    if (!isUp()) {
      return;
    }
    note("manager killed");
    downUntil = millis + awayFor;
    jobs = copy(saved);
    epoch++;
    // The next ids are those that follow what was saved.
    submitted = savedIds;
    int delay = 0;
    long silent = awayFor / 100 % (nodes.size() + 1);
    long turn = awayFor / 100 / (nodes.size() + 1);
    for (NodeId node : List.copyOf(nodes.keySet())) {
      long later = delay == silent ? SILENT : 0;
      if (nodes.get(node) != NodeCondition.DOWN) {
        nodes.put(node, NodeCondition.SUSPECT);
        registers.put(node, downUntil + 500 + 700 * ((delay + turn) % nodes.size()) + later);
      }
      delay++;
    }
  }

  // What time does.

  void tick(long passed) {
    for (long left = passed; left > 0; left -= 100) {
      millis += 100;
      nodesRegister();
      processesEnd();
      if (isUp()) {
        managerWorks();
      }
    }
  }

  private void nodesRegister() {
    Map.copyOf(registers)
        .forEach(
            (node, at) -> {
              if (at <= millis && isUp()) {
                registers.remove(node);
                nodes.put(node, NodeCondition.UP);
              }
            });
    if (registers.isEmpty() && isUp()) {
      // All nodes have told what runs there.
      processes.removeIf(each -> isStray(each));
      for (Job job : jobs.values()) {
        if (job.is == Is.RUNNING && find(job).isEmpty() && !isReported(job)) {
          note("nothing runs of " + job);
          if (job.spec.isPreemptible()) {
            back(job, true);
          } else {
            end(job, Outcome.FAILED);
          }
        }
      }
    }
  }

  private boolean isReported(Job job) {
    return unreported.stream().anyMatch(each -> each.job().equals(job.id));
  }

  private boolean isStray(Processes some) {
    @Nullable Job job = jobs.get(some.job());
    boolean isStray = job == null || job.is == Is.ENDED || (job.holds() && !job.isOn(some.on()));
    if (isStray) {
      note("stray " + some);
    }
    return isStray;
  }

  private Optional<Processes> find(Job job) {
    return processes.stream().filter(each -> each.identity() == job.identity).findFirst();
  }

  /** What the manager started by itself, and forgot before anybody was told, nobody can know. */
  private boolean isKnown(Processes some) {
    return some.isOurs() || told.contains(some);
  }

  /** Hears that a job was told to run. */
  void hearsRun(JobId id) {
    @Nullable Job job = jobs.get(id);
    if (job != null && job.holds()) {
      find(job).filter(there -> job.isOn(there.on())).ifPresent(told::add);
    }
  }

  private void kill(Job job) {
    processes.removeIf(each -> each.job().equals(job.id) && job.isOn(each.on()));
  }

  private void processesEnd() {
    List<Processes> over = processes.stream().filter(each -> each.endsAt() <= millis).toList();
    processes.removeAll(over);
    unreported.addAll(over);
    if (isUp() && registers.isEmpty()) {
      for (Processes each : unreported) {
        @Nullable Job job = jobs.get(each.job());
        if (job != null
            && job.identity == each.identity()
            && job.is == Is.RUNNING
            && job.isOn(each.on())) {
          job.is = Is.ENDING;
          job.since = millis;
          job.outcome = each.outcome();
          job.isToBeHeld = false;
          note("ends " + job);
        }
      }
      unreported.clear();
    }
  }

  private void managerWorks() {
    for (Job job : List.copyOf(jobs.values())) {
      if (job.is == Is.ENDING && millis - job.since >= 300) {
        if (job.isToBeHeld) {
          back(job, false);
        } else {
          end(job, job.outcome);
        }
      } else if (job.is == Is.RELEASED && registers.isEmpty() && millis - job.since >= 200) {
        launch(job);
      } else if (job.is == Is.ENDED && millis - job.since > SHOWN) {
        jobs.remove(job.id);
        if (keepsEnded) {
          accounting.put(job.id, job);
        }
      }
    }
    if (millis % SAVES == 0) {
      saved = copy(jobs);
      savedIds = submitted;
    }
  }

  private static Map<JobId, Job> copy(Map<JobId, Job> jobs) {
    Map<JobId, Job> copy = new LinkedHashMap<>();
    jobs.forEach((id, job) -> copy.put(id, job.copy()));
    return copy;
  }

  private void launch(Job job) {
    List<NodeId> on = job.isPinned ? job.on : anywhere(job);
    boolean isOpen = on.stream().allMatch(node -> nodes.get(node) == NodeCondition.UP);
    if (on.isEmpty() || !isOpen || (checksRoom && !fits(job, on))) {
      return;
    }
    job.on = on;
    job.is = Is.RUNNING;
    job.since = millis;
    Optional<Processes> there = find(job);
    if (there.isPresent()) {
      // Nodes refuse a second copy beside the first.
      if (job.isPinned && isKnown(there.get()) && !job.isOn(there.get().on())) {
        breaks("job %s runs on %s and on %s".formatted(job.id, there.get().on(), on));
      }
      note("goes on " + job);
      return;
    }
    // What somebody else lets start, or a start that was sent before the end, nobody can prevent.
    if (job.isPinned && isEndToldBefore(job, job.attempt, job.startSentAt)) {
      breaks("job %s runs again after an end that the journal knows".formatted(job));
    }
    if (!fitsBesideOurs(job)) {
      breaks("more GPUs than there are are held on %s, with job %s".formatted(on, job));
    }
    note("launch " + job);
    processes.add(
        new Processes(
            job.id,
            job.isPinned,
            job.identity,
            job.attempt,
            on,
            millis + job.runs,
            job.finishes ? Outcome.FINISHED : Outcome.FAILED));
  }

  private List<NodeId> anywhere(Job job) {
    List<NodeId> on = new ArrayList<>();
    for (NodeId node : nodes.keySet()) {
      int gpus = job.spec.roles().getFirst().request().gpus();
      if (on.size() < job.spec.tasks()
          && nodes.get(node) == NodeCondition.UP
          && held(node) + gpus <= GPUS) {
        on.add(node);
      }
    }
    return on.size() == job.spec.tasks() ? on : List.of();
  }

  private boolean fits(Job job, List<NodeId> on) {
    Job there = job.copy();
    there.on = on;
    return on.stream().allMatch(node -> held(node) + gpus(there, node) <= GPUS);
  }

  /** What others start meanwhile cannot be known. */
  private boolean fitsBesideOurs(Job job) {
    return job.on.stream()
        .allMatch(
            node ->
                jobs.values().stream()
                        .filter(each -> each.holds() && each.isPinned)
                        .mapToInt(each -> gpus(each, node))
                        .sum()
                    <= GPUS);
  }

  private int held(NodeId node) {
    return jobs.values().stream().filter(Job::holds).mapToInt(job -> gpus(job, node)).sum();
  }

  private static int gpus(Job job, NodeId node) {
    int gpus = job.spec.roles().getFirst().request().gpus();
    return gpus * (int) job.on.stream().filter(node::equals).count();
  }

  private void end(Job job, Outcome how) {
    job.is = Is.ENDED;
    job.outcome = how;
    job.since = millis;
    job.on = List.of();
    note("ended " + job + " " + how);
  }

  private void back(Job job, boolean restores) {
    job.attempt++;
    job.submitted = millis;
    job.is = restores ? Is.RELEASED : Is.HELD;
    job.isPinned = false;
    job.since = millis + 1500;
    job.on = List.of();
    note("back " + job);
  }

  // What the port does.

  Observation observe() {
    Map<NodeId, NodeCondition> conditions = new LinkedHashMap<>(nodes);
    List<ObservedJob> shown = new ArrayList<>();
    jobs.values().stream()
        .filter(job -> job.hiddenUntil <= millis)
        .forEach(job -> shown.add(observed(job)));
    return new Observation(
        Duration.ofMillis(millis).toNanos(), "epoch " + epoch, cluster(), conditions, shown);
  }

  int epoch() {
    return epoch;
  }

  private static ObservedJob observed(Job job) {
    ObservedState state =
        switch (job.is) {
          case NOT_YET -> new ObservedState.NotYet("its user holds it");
          case HELD -> new ObservedState.Held();
          case RELEASED -> new ObservedState.Released(job.isPinned ? job.on : List.of());
          case RUNNING -> new ObservedState.Running(BEGIN.plusMillis(job.since));
          case ENDING -> new ObservedState.Ending();
          case ENDED -> new ObservedState.Ended(job.outcome);
        };
    List<NodeId> on = job.holds() ? job.on : List.of();
    // What runs has something, whatever it has asked for.
    ObservedRequest request =
        job.holds() ? new ObservedRequest.Understood(job.spec, List.of()) : job.request;
    return new ObservedJob(
        job.id,
        Optional.of(BEGIN.plusMillis(job.submitted)),
        job.attempt,
        state,
        on,
        request,
        job.isOwned);
  }

  ClusterTopology cluster() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (NodeId node : nodes.keySet()) {
      cluster.node(
          Node.builder(node.value()).gpus(GPUS, GpuModel.of("A100"), Memory.ofGib(40)).build());
    }
    return cluster.build();
  }

  Optional<ObservedJob> lookUp(JobId id) {
    return Optional.ofNullable(jobs.getOrDefault(id, accounting.get(id)))
        .filter(job -> job.hiddenUntil <= millis)
        .map(FakeManager::observed);
  }

  /**
   * Hears of commands when they are sent, by one who knows what was shown. Where nodes have not
   * told yet what runs on them, nothing is started, nor is a job given up whose processes may be
   * there: its user would take it for over, and submit it again beside them.
   */
  void hears(List<Command> commands, int shownEpoch) {
    for (Command command : commands) {
      if (shownEpoch == epoch && !Collections.disjoint(registers.keySet(), touched(command))) {
        breaks("%s was sent before its nodes had told what runs on them".formatted(command));
      }
      @Nullable Job job = jobs.get(command.job());
      if (job != null
          && command instanceof Command.Start start
          && isEndToldBefore(job, start.attempt(), millis)) {
        breaks("%s was sent after an end that the journal knows".formatted(command));
      }
    }
  }

  /** Returns true if its user takes it for over already, whatever the manager has forgotten. */
  private boolean isEndTold(@Nullable Job job) {
    return job != null && isEndToldBefore(job, job.attempt, millis);
  }

  /** Returns true if the end of an attempt, or of a later one, was told before a time. */
  private boolean isEndToldBefore(Job job, int attempt, long time) {
    return endsTold
        .getOrDefault(job.id, Collections.emptyNavigableMap())
        .tailMap(attempt)
        .values()
        .stream()
        .anyMatch(at -> at <= time);
  }

  /** Returns the nodes on which a job is to run, or runs; none for other commands. */
  private Set<NodeId> touched(Command command) {
    Set<NodeId> touched = new HashSet<>();
    @Nullable Job job = jobs.get(command.job());
    if (command instanceof Command.Start start) {
      touched.addAll(start.placement().nodes());
    } else if (!(command instanceof Command.GiveUp) || isEndTold(job)) {
      return touched;
    }
    processes.stream()
        .filter(each -> job != null && each.identity() == job.identity && isKnown(each))
        .forEach(each -> touched.addAll(each.on()));
    return touched;
  }

  /**
   * Carries out a command; returns why not, if it does not. The job may be another by now, to which
   * the manager, killed meanwhile, has given the id again, or have come back into the queue: the
   * port looks, just before it writes, whether it was submitted when the job was that was shown.
   * That nothing happens between its look and the write is more than Slurm promises.
   *
   * @param shown the job as it was last shown
   * @param sentAt when the command was sent
   */
  Optional<String> carryOut(Command command, ObservedJob shown, long identity, long sentAt) {
    @Nullable Job job = jobs.get(command.job());
    if (job == null) {
      return Optional.of("no such job");
    }
    if (!shown.submitted().equals(Optional.of(BEGIN.plusMillis(job.submitted)))) {
      return Optional.of("it is not the job that was shown");
    }
    if (job.identity != identity) {
      breaks("%s reaches another job: %s".formatted(command, job));
    }
    if (!job.isOwned) {
      breaks("job %s is not owned, but %s".formatted(job, command));
    }
    note(command + " of " + job);
    return switch (command) {
      case Command.Start start -> start(job, start, sentAt);
      case Command.Stop stop -> stop(job, stop);
      case Command.Hold hold -> {
        if (job.is == Is.RELEASED) {
          job.is = Is.HELD;
          job.isPinned = false;
          job.on = List.of();
        }
        yield job.holds() ? Optional.of("it runs") : Optional.empty();
      }
      case Command.Explain explain -> Optional.empty();
      case Command.Refuse refuse -> {
        job.text = refuse.text();
        yield Optional.empty();
      }
      case Command.GiveUp giveUp -> {
        if (job.holds()) {
          yield Optional.of("it runs");
        }
        job.text = giveUp.text();
        if (job.is != Is.ENDED) {
          end(job, Outcome.CANCELLED);
        }
        yield Optional.empty();
      }
    };
  }

  private Optional<String> start(Job job, Command.Start start, long sentAt) {
    if (start.attempt() != job.attempt || (job.is != Is.HELD && job.is != Is.RELEASED)) {
      return Optional.of("it is " + job);
    }
    List<NodeId> on = start.placement().tasks().stream().map(task -> task.node()).toList();
    @Nullable Job last = saved.get(job.id);
    if (last != null
        && last.identity == job.identity
        && last.is == Is.RELEASED
        && last.isPinned
        && !last.isOn(on)) {
      breaks("%s would be forgotten by a manager that launches %s".formatted(start, last));
    }
    job.startSentAt = Math.max(job.startSentAt, sentAt);
    job.is = Is.RELEASED;
    job.isPinned = true;
    job.on = on;
    job.since = millis;
    return Optional.empty();
  }

  private Optional<String> stop(Job job, Command.Stop stop) {
    if (job.is != Is.RUNNING || stop.attempt() != job.attempt) {
      return job.holds() && stop.attempt() == job.attempt
          ? Optional.empty()
          : Optional.of("it is " + job);
    }
    if (!job.spec.isPreemptible()) {
      return Optional.of("it may not be requeued");
    }
    kill(job);
    job.is = Is.ENDING;
    job.isToBeHeld = true;
    job.since = millis;
    return Optional.empty();
  }
}
