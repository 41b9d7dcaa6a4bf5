package io.github.liquidscheduler.scheduler.data;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which node has copies of which data sets, what is on its way, which running jobs still read, and
 * how what was predicted came out. Of what was brought, all bytes are read, lost, unread or under
 * way: {@code sent = read + lost + unread + under way}. Mutable.
 */
public final class DataBooks {
  private static final double NANOS = 1e9;

  /** The copies of each node, the least recently used first; an inner map is never changed. */
  private final Map<NodeId, Map<String, Dataset>> copies = new HashMap<>();

  private final Map<CopyKey, Bringing> underWay = new LinkedHashMap<>();
  private final Map<CopyKey, Bringing> unread = new LinkedHashMap<>();
  private final Map<JobId, Run> runs = new LinkedHashMap<>();

  /** How many running jobs still wait for a copy; follows from the runs. */
  private final Map<CopyKey, Integer> readers = new HashMap<>();

  private final Map<CopyKey, Prediction> predictions = new LinkedHashMap<>();
  private RunTimeRatios ratios = new RunTimeRatios();
  private ReliabilityTable calibration = new ReliabilityTable();
  private LateReads late = new LateReads();
  private double sent;
  private double read;
  private double lost;
  private Instant lookedAt = Instant.MIN;
  private @Nullable Instant lookAgain;
  private @Nullable DataBooks before;

  /**
   * What was predicted of a copy.
   *
   * @param probability how sure it was that somebody starts who reads it
   * @param until when nobody is waited for any more
   */
  record Prediction(double probability, Instant until) {}

  /** Opens the books of a cluster whose nodes have the copies that they come with. */
  public DataBooks(ClusterTopology topology) {
    topology.nodes().forEach(this::put);
  }

  private DataBooks() {}

  /** Returns books equal to these that go their own way from here; O(nodes + runs). */
  public DataBooks copy() {
    DataBooks copy = new DataBooks();
    copy.copies.putAll(copies);
    copy.underWay.putAll(underWay);
    copy.unread.putAll(unread);
    copy.runs.putAll(runs);
    copy.readers.putAll(readers);
    copy.predictions.putAll(predictions);
    copy.ratios = ratios.copy();
    copy.calibration = calibration.copy();
    copy.late = late.copy();
    copy.sent = sent;
    copy.read = read;
    copy.lost = lost;
    copy.lookedAt = lookedAt;
    copy.lookAgain = lookAgain;
    return copy;
  }

  /** Begins a turn, to the books before which {@link #asBefore} goes back. */
  public void begin() {
    before = null;
  }

  /** Returns the books as they were when the turn began. */
  public DataBooks asBefore() {
    return before == null ? copy() : before;
  }

  private void change() {
    if (before == null) {
      before = copy();
    }
  }

  /** Returns whether the copy is whole. */
  public boolean isThere(CopyKey copy) {
    return copies(copy.node()).containsKey(copy.dataset());
  }

  /** Returns whether the copy is there, on its way, or being read by a job that launches. */
  public boolean isThereSoon(CopyKey copy) {
    return isThere(copy) || underWay.containsKey(copy) || isAwaited(copy);
  }

  /** Returns the copies of a node by name, the least recently used first. */
  public Map<String, Dataset> copies(NodeId node) {
    return copies.getOrDefault(node, Collections.emptyMap());
  }

  /** Returns what is on its way, the first begun first. */
  public Map<CopyKey, Bringing> underWay() {
    return Collections.unmodifiableMap(underWay);
  }

  /** Returns what is known of the run of a job. */
  public Optional<Run> run(JobId job) {
    return Optional.ofNullable(runs.get(job));
  }

  /** Returns how many copies running jobs read that nobody brings them. */
  public int reading() {
    int reading = readers.size();
    for (CopyKey copy : underWay.keySet()) {
      reading -= isAwaited(copy) ? 1 : 0;
    }
    return reading;
  }

  /** Returns whether a running job waits for the copy. */
  public boolean isAwaited(CopyKey copy) {
    return readers.containsKey(copy);
  }

  /** Returns the bytes for which a node has room beside its copies and what is on its way. */
  public long freeDisk(Node node) {
    long free = node.disk().bytes();
    for (Dataset dataset : copies(node.id()).values()) {
      free -= dataset.size().bytes();
    }
    for (Map.Entry<CopyKey, Bringing> transfer : underWay.entrySet()) {
      if (transfer.getKey().node().equals(node.id())) {
        free -= transfer.getValue().dataset().size().bytes();
      }
    }
    return free;
  }

  /** Returns how long jobs ran in parts of what was expected. */
  public RunTimeRatios ratios() {
    return ratios;
  }

  /** Returns when to look ahead again; empty if after an event only. */
  public Optional<Instant> lookAgain() {
    return Optional.ofNullable(lookAgain);
  }

  /** Returns when was last looked ahead. */
  public Instant lookedAt() {
    return lookedAt;
  }

  /** Notes that the scheduler looks ahead now, and when it wants to again. */
  public void look(Instant now, Optional<Instant> again) {
    change();
    lookedAt = now;
    lookAgain = again.orElse(null);
  }

  /** Notes that the scheduler puts off looking ahead. */
  public void putOff(Instant until) {
    change();
    lookAgain = until;
  }

  /** Takes in a node with the copies that it comes with. */
  public void add(Node node) {
    change();
    put(node);
  }

  private void put(Node node) {
    Map<String, Dataset> own = new LinkedHashMap<>();
    node.datasets().forEach(dataset -> own.put(dataset.name(), dataset));
    copies.put(node.id(), own);
  }

  /** Forgets a node that is gone for good. */
  public void retire(NodeId node) {
    change();
    for (String name : copies(node).keySet()) {
      lose(new CopyKey(node, name));
    }
    copies.remove(node);
    underWay.keySet().stream()
        .filter(copy -> copy.node().equals(node))
        .toList()
        .forEach(copy -> stop(copy, 1));
    predictions.keySet().removeIf(copy -> copy.node().equals(node));
  }

  /** Notes that a copy is whole. */
  public void arrived(CopyKey copy, Dataset dataset, Instant now) {
    change();
    @Nullable Bringing bringing = underWay.remove(copy);
    if (bringing != null && isAwaited(copy)) {
      read += bytes(bringing);
    } else if (bringing != null) {
      unread.put(copy, bringing);
    }
    use(copy, dataset);
    if (isAwaited(copy)) {
      runs.replaceAll((job, run) -> run.without(copy, now));
      readers.remove(copy);
    }
  }

  private void enter(JobId job, @Nullable Run run) {
    @Nullable Run old = run == null ? runs.remove(job) : runs.put(job, run);
    if (old != null) {
      old.missing()
          .forEach(copy -> readers.computeIfPresent(copy, (each, n) -> n > 1 ? n - 1 : null));
    }
    if (run != null) {
      run.missing().forEach(copy -> readers.merge(copy, 1, Integer::sum));
    }
  }

  private void use(CopyKey copy, Dataset dataset) {
    Map<String, Dataset> there = new LinkedHashMap<>(copies(copy.node()));
    there.remove(copy.dataset());
    there.put(copy.dataset(), dataset);
    copies.put(copy.node(), there);
  }

  /** Notes that a copy could not be brought, if it was on its way. */
  public void failed(CopyKey copy) {
    if (underWay.containsKey(copy)) {
      change();
      stop(copy, 1);
    }
  }

  private void stop(CopyKey copy, double moved) {
    @Nullable Bringing bringing = underWay.remove(copy);
    if (bringing != null) {
      lost += moved * bytes(bringing);
      sent -= (1 - moved) * bytes(bringing);
    }
  }

  /** Notes that a copy is no longer there, if it was. */
  public void evicted(CopyKey copy) {
    if (!isThere(copy)) {
      return;
    }
    change();
    Map<String, Dataset> left = new LinkedHashMap<>(copies(copy.node()));
    left.remove(copy.dataset());
    copies.put(copy.node(), left);
    lose(copy);
  }

  private void lose(CopyKey copy) {
    @Nullable Bringing bringing = unread.remove(copy);
    if (bringing != null) {
      lost += bytes(bringing);
      late.observe(bringing.probability(), false);
    }
  }

  /** Notes that a copy is being brought. */
  public void bring(CopyKey copy, Bringing bringing) {
    change();
    underWay.put(copy, bringing);
    sent += bytes(bringing);
  }

  /** Notes that a copy is brought no longer, of which a part is expected to have been moved. */
  public void cancel(CopyKey copy, double moved) {
    change();
    stop(copy, moved);
  }

  /** Notes that a job runs, what its launch is expected to be, and what it reads. */
  public void started(JobId job, Run run, Collection<CopyKey> copies, Instant now) {
    change();
    enter(job, run);
    for (CopyKey copy : copies) {
      @Nullable Dataset there = copies(copy.node()).get(copy.dataset());
      if (there != null) {
        use(copy, there);
      }
      @Nullable Bringing bringing = unread.remove(copy);
      if (bringing != null) {
        read += bytes(bringing);
        if (bringing.isLate(now)) {
          late.observe(bringing.probability(), true);
        }
      }
      @Nullable Prediction prediction = predictions.remove(copy);
      if (prediction != null) {
        calibration.observe(prediction.probability(), !now.isAfter(prediction.until()));
      }
    }
  }

  /** Notes that a job reports how many seconds it has still to train. */
  public void reported(JobId job, double left, Instant now) {
    @Nullable Run run = runs.get(job);
    if (run != null) {
      change();
      enter(job, run.reported(now, left));
    }
  }

  /** Notes that a job runs no longer, and whether it has done its work. */
  public void ended(JobId job, boolean finished, Instant now) {
    @Nullable Run run = runs.get(job);
    if (run == null) {
      return;
    }
    change();
    enter(job, null);
    if (finished && run.isWhole() && run.seconds().isPresent() && run.missing().isEmpty()) {
      ratios.observe(seconds(run.trainsFrom(), now) / run.seconds().getAsDouble());
    }
  }

  /** Notes what is predicted of a copy, unless something is already. */
  public void predict(CopyKey copy, double probability, Instant until) {
    change();
    predictions.putIfAbsent(copy, new Prediction(probability, until));
  }

  /** Counts the predictions that did not come true. */
  public void judge(Instant now) {
    change();
    predictions
        .values()
        .removeIf(
            prediction -> {
              boolean isOver = now.isAfter(prediction.until());
              if (isOver) {
                calibration.observe(prediction.probability(), false);
              }
              return isOver;
            });
  }

  /** Returns how likely it is that what was predicted comes true, by what was seen so far. */
  public double probability(double predicted) {
    return calibration.probability(predicted);
  }

  /**
   * Returns how likely it is that a copy is brought for nothing: that it is not read in time, nor
   * later, where such copies that are late and lie unread count as lost.
   *
   * @param predicted how sure the prediction is that somebody reads it
   */
  public double probabilityOfWaste(double predicted, Instant now) {
    int at = ReliabilityTable.classOf(predicted);
    long lying =
        unread.values().stream()
            .filter(each -> each.isLate(now))
            .filter(each -> ReliabilityTable.classOf(each.probability()) == at)
            .count();
    return (1 - probability(predicted)) * late.probabilityOfLoss(predicted, lying);
  }

  /** Returns how many copies of a data set lie unread, or are on their way, for a job. */
  public int unreadFor(JobId job, String dataset) {
    return count(unread, job, dataset) + count(underWay, job, dataset);
  }

  private static int count(Map<CopyKey, Bringing> copies, JobId job, String dataset) {
    int count = 0;
    for (Bringing bringing : copies.values()) {
      count += bringing.job().equals(job) && bringing.dataset().name().equals(dataset) ? 1 : 0;
    }
    return count;
  }

  /**
   * Returns whether it wastes less, expected, to give up a copy that is being brought than to go
   * on: what has been moved is wasted, but who goes on may find that nobody reads it.
   *
   * @param probability how likely it is that somebody starts who reads it
   * @param moved which part of it has been moved
   */
  public boolean mayCancel(CopyKey copy, double probability, double moved) {
    return underWay.containsKey(copy) && (1 - probability) * late.probabilityOfLoss() > moved;
  }

  /** Returns all bytes that were brought, or are being brought, as far as is known. */
  public double sent() {
    return sent;
  }

  /** Returns the bytes of them that jobs have read. */
  public double read() {
    return read;
  }

  /** Returns the bytes of them that are gone without that anybody has read them. */
  public double lost() {
    return lost;
  }

  /** Returns the bytes of them that are there and that nobody has read yet. */
  public double unread() {
    return unread.values().stream().mapToDouble(DataBooks::bytes).sum();
  }

  /** Returns the bytes of them that are on their way. */
  public double moving() {
    return underWay.values().stream().mapToDouble(DataBooks::bytes).sum();
  }

  private static double bytes(Bringing bringing) {
    return (double) bringing.dataset().size().bytes();
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toNanos() / NANOS;
  }

  /** Writes the books. */
  public void save(SnapshotSection.Builder section, ClusterTopology topology) {
    new SavedBooks(copies, underWay, unread, runs, predictions).save(section, topology);
    section.put("sent", sent).put("read", read).put("lost", lost);
    section.put("lookedAt", lookedAt.toString()).text("lookAgain", lookAgain());
    ratios.save(section);
    calibration.save(section);
    late.save(section);
  }

  /** Goes on with saved books. */
  public void load(SnapshotSection.Reader in) {
    new SavedBooks(copies, underWay, unread, runs, predictions).load(in);
    runs.values()
        .forEach(run -> run.missing().forEach(copy -> readers.merge(copy, 1, Integer::sum)));
    sent = amount(in, "sent");
    read = amount(in, "read");
    lost = amount(in, "lost");
    lookedAt = in.text("lookedAt", Instant::parse);
    lookAgain = in.optionalText("lookAgain", Instant::parse).orElse(null);
    ratios.load(in);
    calibration.load(in);
    late.load(in);
  }

  private static double amount(SnapshotSection.Reader in, String name) {
    double amount = in.value(name, Double.class);
    if (!(amount >= 0)) {
      throw new IllegalArgumentException(
          "'%s' must not be negative, but was %s".formatted(name, amount));
    }
    return amount;
  }
}
