package io.github.liquidscheduler.elastic.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.elastic.ElasticOptions;
import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.ScalingAnswer;
import io.github.liquidscheduler.elastic.ScalingRequest;
import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.lease.Lease;
import io.github.liquidscheduler.elastic.lease.LeaseStore;
import io.github.liquidscheduler.elastic.protocol.TrainingBooks.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A whole job in virtual time: processes that each train and may lead, over a network that delays,
 * repeats and reorders messages, with joins, leaves, crashes, reset connections and leaders that go
 * on after their lease has expired. Everything is drawn from one seed.
 */
final class JobHistory {
  static final Duration TIME_TO_LIVE = Duration.ofMillis(300);

  private static final String KEY = "job";
  private static final Duration TICK = Duration.ofMillis(60);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int FAULT_WINDOW_MILLIS = 500;
  private static final int MOST_WORKERS = 6;

  private final VirtualTime time = new VirtualTime();
  private final Random random;
  private final LeaseStore store;
  private final Partitioning partitioning;
  private final ElasticOptions options;
  private final TrainingBooks books;
  private final Map<String, LeaderState> states;
  private final Map<WorkerId, Node> processes = new HashMap<>();
  private final List<Node> all = new ArrayList<>();
  private final Map<Attempt, Collective> collectives = new HashMap<>();
  private final List<String> requests = new ArrayList<>();
  private final List<ScalingAnswer> answers = new ArrayList<>();
  private final Map<WorkerId, ToWorker.StopReason> stops = new HashMap<>();
  private boolean finished;
  private boolean modelLost;
  private int leaders;

  JobHistory(long seed, Function<VirtualTime, LeaseStore> stores) {
    random = new Random(seed);
    store = stores.apply(time);
    states = new HashMap<>();
    int samples = 20 + random.nextInt(40);
    partitioning = new Partitioning(samples, 4 + random.nextInt(6), 3, seed);
    int workers = 1 + random.nextInt(3);
    options =
        ElasticOptions.builder()
            .initialWorkers(workers)
            .epochs(1 + random.nextInt(2))
            .suspectAfter(Duration.ofMillis(200))
            .joinTimeout(Duration.ofMillis(800))
            .allowance(Duration.ofMillis(40))
            .snapshotInterval(Duration.ofMillis(100))
            .leaseTimeToLive(TIME_TO_LIVE)
            .leaseRenewal(Duration.ofMillis(100))
            .build();
    books = new TrainingBooks(partitioning);
    for (int number = 0; number < workers; number++) {
      start();
    }
    int faults = random.nextInt(7);
    for (int fault = 0; fault < faults; fault++) {
      time.after(Duration.ofMillis(50L + random.nextInt(FAULT_WINDOW_MILLIS)), this::fault);
    }
  }

  /** Plays until all workers have stopped, and checks what they trained. */
  void play() {
    boolean ended = time.runUntil(this::isOver, LIMIT);
    assertThat(ended).as("the job ends; answers: %s", answers).isTrue();
    if (modelLost) {
      return;
    }
    List<Node> trained =
        all.stream()
            .filter(process -> stops.get(process.id) == ToWorker.StopReason.FINISHED)
            .filter(process -> process.run != null)
            .toList();
    for (Node process : trained) {
      assertThat(process.model).isEqualTo(trained.getFirst().model);
    }
    if (!trained.isEmpty()) {
      books.checkModel(trained.getFirst().model, options.epochs());
    }
    books.checkReport(lastSaved().replica().ledger().mayBeSeenTwice());
  }

  /** Returns whether a worker that was there at the end saw the whole training. */
  boolean isFinished() {
    return stops.containsValue(ToWorker.StopReason.FINISHED);
  }

  int leaders() {
    return leaders;
  }

  private boolean isOver() {
    boolean allStopped =
        all.stream().noneMatch(process -> process.alive && !stops.containsKey(process.id));
    return modelLost || (finished && allStopped);
  }

  private LeaderState lastSaved() {
    return Objects.requireNonNull(states.get(store.load(KEY).orElseThrow()));
  }

  private Node start() {
    Node process = new Node(WorkerId.of("w" + all.size()));
    processes.put(process.id, process);
    all.add(process);
    time.after(delay(20), process::tick);
    time.after(delay(60), () -> process.execute(process.worker.contextReady()));
    return process;
  }

  private Duration delay(int mostMillis) {
    return Duration.ofMillis(1L + random.nextInt(mostMillis));
  }

  private List<Node> training() {
    return all.stream().filter(process -> process.alive && !stops.containsKey(process.id)).toList();
  }

  private Node any(List<Node> of) {
    return of.get(random.nextInt(of.size()));
  }

  private void fault() {
    List<Node> training = training();
    if (training.isEmpty()) {
      return;
    }
    Node victim = any(training);
    switch (random.nextInt(9)) {
      case 0, 1 -> crash(victim);
      case 2 -> crashLeader();
      case 3 -> victim.execute(victim.worker.leave());
      case 4 -> victim.reset();
      case 5 -> all.forEach(process -> process.pauseIfLeading(delay(900)));
      case 6 -> startIfRoom();
      default -> scale(victim);
    }
  }

  private void startIfRoom() {
    if (training().size() < MOST_WORKERS) {
      start();
    }
  }

  private void scale(Node victim) {
    String id = "request-" + requests.size();
    ScalingRequest request =
        switch (random.nextInt(4)) {
          case 0 -> new ScalingRequest.ScaleOut(id, List.of(start().id, start().id));
          case 1 -> new ScalingRequest.ScaleIn(id, List.of(victim.id));
          case 2 -> new ScalingRequest.Migrate(id, List.of(victim.id), List.of(start().id));
          default ->
              requests.isEmpty()
                  ? new ScalingRequest.ScaleOut(id, List.of(WorkerId.of("never starts")))
                  : new ScalingRequest.Cancel(requests.getLast());
        };
    requests.add(id);
    for (Node process : all) {
      if (process.alive && process.leader != null) {
        process.perform(process.leader.on(time.instant(), request));
      }
    }
  }

  private void crashLeader() {
    List<Node> leading = training().stream().filter(process -> process.leader != null).toList();
    if (!leading.isEmpty()) {
      crash(leading.getFirst());
    }
  }

  private void crash(Node process) {
    if (training().size() < 2) {
      return;
    }
    process.alive = false;
    collectives.values().forEach(collective -> collective.lost(process));
    if (random.nextBoolean()) {
      all.forEach(other -> other.tell(new ToLeader.Lost(process.id)));
    }
    startIfTooFew();
  }

  /** A job does not begin before its initial workers are there, so its embedder brings them. */
  private void startIfTooFew() {
    if (training().size() < options.initialWorkers()) {
      start();
    }
  }

  /** One process: a worker that may lead. */
  private final class Node {
    final WorkerId id;
    final Worker worker;
    final LeaderElection election;
    List<Attempt> model = new ArrayList<>();
    boolean alive = true;
    @Nullable Leader leader;
    @Nullable Lease lease;
    @Nullable Lease following;
    WorkerOutput.@Nullable Run run;
    private Duration pausedUntil = Duration.ZERO;
    private int connection;

    Node(WorkerId id) {
      this.id = id;
      worker = new Worker(id);
      election =
          new LeaderElection(
              store, KEY, id.value(), options.leaseTimeToLive(), options.leaseRenewal());
    }

    void tick() {
      if (!alive) {
        return;
      }
      if (time.elapsed().compareTo(pausedUntil) >= 0) {
        lead(election.tick(time.instant()).orElse(null));
      }
      if (leader != null) {
        perform(leader.tick(time.instant()));
      }
      follow(store.read(KEY).orElse(null));
      time.after(TICK, this::tick);
    }

    private void lead(@Nullable Lease held) {
      if (held == null) {
        leader = null;
      } else if (!held.equals(lease)) {
        LeaderState saved = store.load(KEY).map(states::get).orElse(null);
        leader = new Leader(options, partitioning, held.token(), saved, time.instant());
        leaders++;
      }
      lease = held;
    }

    /** What a reset connection had in flight is gone; the worker then asks again. */
    void reset() {
      connection++;
      following = null;
    }

    void pauseIfLeading(Duration pause) {
      if (leader != null) {
        pausedUntil = time.elapsed().plus(pause);
      }
    }

    private void follow(@Nullable Lease current) {
      if (current != null && !current.equals(following)) {
        following = current;
        execute(worker.connected(current.token()));
      }
    }

    void execute(List<WorkerOutput> outputs) {
      if (!alive) {
        return;
      }
      for (WorkerOutput output : outputs) {
        switch (output) {
          case WorkerOutput.Send send -> send(send.message());
          case WorkerOutput.Run next -> train(next);
          case WorkerOutput.Stopped stopped -> stop(stopped);
        }
      }
    }

    private void send(ToLeader message) {
      Lease to = following;
      int on = connection;
      if (to == null) {
        return;
      }
      for (int copies = 1 + (random.nextInt(10) == 0 ? 1 : 0); copies > 0; copies--) {
        time.after(
            delay(8),
            () -> {
              Node addressee = processes.get(WorkerId.of(to.holder()));
              if (addressee != null && on == connection) {
                addressee.hear(to, message);
              }
            });
      }
    }

    private void hear(Lease to, ToLeader message) {
      if (to.equals(lease)) {
        tell(message);
      }
    }

    void tell(ToLeader message) {
      if (alive && leader != null) {
        leader.check(message);
        perform(leader.on(time.instant(), message));
      }
    }

    void perform(List<LeaderOutput> outputs) {
      for (LeaderOutput output : outputs) {
        switch (output) {
          case LeaderOutput.Answer answer -> answered(answer.answer());
          case LeaderOutput.Send send -> send(send);
          case LeaderOutput.Save save -> {
            if (!save(save.state())) {
              leader = null;
              return;
            }
          }
        }
      }
    }

    private boolean save(LeaderState state) {
      String name = id + "/" + states.size();
      states.put(name, state);
      return lease != null && store.save(lease, name);
    }

    private void send(LeaderOutput.Send send) {
      if (send.message() instanceof ToWorker.Proceed proceed) {
        books.heardOf(proceed.topology(), proceed.term(), store.read(KEY));
      }
      Node addressee = processes.get(send.to());
      if (addressee == null) {
        return;
      }
      int on = addressee.connection;
      for (int copies = 1 + (random.nextInt(10) == 0 ? 1 : 0); copies > 0; copies--) {
        time.after(
            delay(8),
            () -> {
              if (on == addressee.connection) {
                addressee.worker.check(send.message());
                addressee.execute(addressee.worker.on(send.message()));
              }
            });
      }
    }

    private void train(WorkerOutput.Run next) {
      applyIf(next.committed());
      run = next;
      books.read(id, attempt(next), next.batch());
      time.after(delay(10), () -> enter(next));
    }

    private void enter(WorkerOutput.Run entered) {
      if (alive && entered.equals(run)) {
        collectives
            .computeIfAbsent(attempt(entered), none -> new Collective(entered.topology()))
            .enter(this, entered);
      }
    }

    void summed(WorkerOutput.Run entered) {
      if (entered.equals(run)) {
        execute(worker.batchEnd(entered.topology().number(), entered.step(), Duration.ofMillis(5)));
      }
    }

    void failed(WorkerOutput.Run entered) {
      if (entered.equals(run)) {
        execute(worker.batchFailed(entered.topology().number(), entered.step()));
      }
    }

    private void stop(WorkerOutput.Stopped stopped) {
      applyIf(stopped.committed());
      stops.put(id, stopped.reason());
      if (stopped.reason() != ToWorker.StopReason.FINISHED) {
        collectives.values().forEach(collective -> collective.lost(this));
      }
      if (all.stream().allMatch(process -> process.run == null)) {
        startIfTooFew();
      }
    }

    private void applyIf(boolean committed) {
      if (committed && run != null) {
        model.add(attempt(run));
      }
    }
  }

  private void answered(ScalingAnswer answer) {
    answers.add(answer);
    finished |= answer instanceof ScalingAnswer.Finished;
    modelLost |= answer instanceof ScalingAnswer.ModelLost;
  }

  private static Attempt attempt(WorkerOutput.Run run) {
    return new Attempt(run.topology().number(), run.step());
  }

  /** An all-reduce: it ends when all have entered, and may fail when one of them is gone. */
  private final class Collective {
    private final TopologyEpoch topology;
    private final Map<Node, WorkerOutput.Run> entered = new HashMap<>();
    private final List<Node> order = new ArrayList<>();
    private boolean broken;

    Collective(TopologyEpoch topology) {
      this.topology = topology;
      broken =
          topology.members().stream()
              .map(processes::get)
              .anyMatch(process -> process == null || !process.alive || hasLeft(process));
    }

    private boolean hasLeft(Node process) {
      return stops.containsKey(process.id);
    }

    void enter(Node process, WorkerOutput.Run run) {
      entered.put(process, run);
      order.add(process);
      if (entered.size() == topology.members().size()) {
        sum();
      } else if (broken) {
        mayFail(process);
      }
    }

    void lost(Node process) {
      if (topology.has(process.id) && !broken) {
        broken = true;
        if (entered.size() < topology.members().size()) {
          order.forEach(this::mayFail);
        }
      }
    }

    private void mayFail(Node process) {
      WorkerOutput.Run run = entered.get(process);
      if (run != null) {
        Duration noticed =
            random.nextInt(3) > 0 ? delay(30) : delay(300).plus(Duration.ofMillis(300));
        time.after(noticed, () -> process.failed(run));
      }
    }

    private void sum() {
      broadcast();
      for (Node process : order) {
        WorkerOutput.Run run = Objects.requireNonNull(entered.get(process));
        time.after(
            delay(6),
            () -> {
              if (broken && random.nextBoolean()) {
                process.failed(run);
              } else {
                process.summed(run);
              }
            });
      }
    }

    /** New members copy the broadcaster's model; all others must have the same one already. */
    private void broadcast() {
      boolean switched = order.stream().anyMatch(process -> runOf(process).switched());
      List<Node> holders =
          order.stream()
              .filter(process -> !switched || !topology.receivers().contains(process.id))
              .toList();
      List<Attempt> model = holders.getFirst().model;
      for (Node process : order) {
        if (holders.contains(process)) {
          assertThat(process.model).as("the models in %s", topology).isEqualTo(model);
        } else {
          process.model = new ArrayList<>(model);
        }
      }
    }

    private WorkerOutput.Run runOf(Node process) {
      return Objects.requireNonNull(entered.get(process));
    }
  }
}
